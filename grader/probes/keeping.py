"""Makes the probes of a script's kernels while it runs: of the first launch of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from grader.probes.making import make_probes
from grader.probes.replaying import CannotReplay, Replay, hold_arguments
from grader.probes.values import KernelProbes
from grader.simt.host.session import MORE, WATCHERS, Config
from grader.simt.program.kernel import CompiledKernel

MOST_KERNELS = 8
"""Of a script."""


def install(progress: str) -> None:
    """Keep the probes of the script that this process runs, and write to a file how far it is."""
    MORE["probes"] = found = list[dict[str, Any]]()
    WATCHERS.append(_Keeper(found, Path(progress)).watch)


class _Keeper:
    """Adds one `KernelProbes` for each kernel, as plain data, in the order of first launches."""

    def __init__(self, found: list[dict[str, Any]], progress: Path) -> None:
        self._found = found
        self._progress = progress
        self._seen = set[tuple[str, str]]()

    def watch(
        self, ready: CompiledKernel, config: Config, given: Sequence[Any]
    ) -> Callable[[], None]:
        """Copy what a launch is given, unless its kernel was launched before."""
        function = ready.function
        name = function.path, function.qualified or function.name
        if name in self._seen or len(self._seen) >= MOST_KERNELS:
            return _nothing
        self._seen.add(name)
        try:
            replay = _hold(ready, config, given)
        except CannotReplay as error:
            self._found.append(_refuse(ready, config, error))
            return _nothing
        return partial(self._make, replay, config)

    def _make(self, replay: Replay, config: Config) -> None:
        name = replay.kernel.function.name

        def tell(done: int, total: int) -> None:
            self._progress.write_text(f"{done} {total} {name}", encoding="utf-8")

        try:
            found = asdict(make_probes(replay, tell))
        except CannotReplay as error:
            found = _refuse(replay.kernel, config, error)
        self._found.append(found)


def _nothing() -> None:
    """Do nothing."""


def _hold(ready: CompiledKernel, config: Config, given: Sequence[Any]) -> Replay:
    """Return the launch as one that can be run again.

    Raises:
        CannotReplay: it cannot.
    """
    sizes = _sizes(config.grid), _sizes(config.block)
    return Replay(ready, *sizes, config.shared_bytes, hold_arguments(given))


def _refuse(ready: CompiledKernel, config: Config, error: CannotReplay) -> dict[str, Any]:
    function = ready.function
    line = function.start[0]
    found = KernelProbes(
        function.name, function.path, line, _sizes(config.grid), _sizes(config.block),
        config.shared_bytes, "", line, line, refused=error.code,
    )  # fmt: skip
    return asdict(found)


def _sizes(given: Any) -> tuple[int, ...]:
    return tuple(map(int, given)) if isinstance(given, Sequence) else (int(given),)
