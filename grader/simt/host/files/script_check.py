"""Compares what the launches of a script store with a person's reference, launch by launch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.facts import fact
from grader.scripts import NO_REFERENCE
from grader.simt.host.files.checking import (
    CheckFailed,
    LargestError,
    Reference,
    compare_outputs,
    outputs_of_launch,
    say,
    say_failure,
)
from grader.simt.host.session import ScriptSession
from grader.simt.launches.reports import Launch
from grader.simt.program.kernel import CompiledKernel


class ScriptCheck:
    """Judges each launch of the kernels that take what a reference names; use it as a context."""

    def __init__(self, file: Path, kernel: str, session: ScriptSession) -> None:
        """Load the reference.

        Args:
            kernel: the only one that is judged; "" for all that take its parameters.

        Raises:
            CheckFailed: see `Reference`.
        """
        self._reference, self._kernel, self._session = Reference(file), kernel, session
        self._right: Counter[str] = Counter()
        self._others: dict[str, tuple[str, ...]] = {}
        self._failed: tuple[int, str, CheckFailed] | None = None
        self._off = LargestError()
        session.judge = self._judge

    def finish(self) -> int:
        """Say what came of it; return the exit status."""
        file = self._reference.file.name
        if self._failed is not None:
            number, kernel, error = self._failed
            say(fact("compared.launch-wrong", number=number, kernel=kernel))
            return say_failure(error)
        for kernel, n in self._right.items():
            what = fact("compared.launches-right", kernel=kernel, n=n, file=file)
            if self._off.error:
                off = self._off.fields()
                what = fact("compared.launches-near", kernel=kernel, n=n, file=file, **off)
            say(what)
        if self._right:
            return 0
        what = fact("compared.no-launches", file=file)
        if self._others:
            names = tuple(f"{kernel}({', '.join(each)})" for kernel, each in self._others.items())
            what = fact("compared.other-kernels", file=file, names=names)
        hint = fact("compared.launch-one", parameters=self._reference.parameters)
        return say_failure(CheckFailed(what, hint, NO_REFERENCE))

    def _judge(
        self,
        ready: CompiledKernel,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        done: Launch,
    ) -> None:
        """Compare a launch."""
        name = ready.function.name
        if self._failed is not None or self._kernel not in ("", name):
            return
        if not self._takes(before, ready.compiled.stored):
            self._others[name] = tuple(before)
            return
        outputs = outputs_of_launch(ready, before, after, done).as_numbers({})
        try:
            rights = list(compare_outputs(self._reference, outputs))
        except CheckFailed as error:
            self._failed = len(self._session.launches), name, error
            return
        self._right[name] += 1
        self._off = max([self._off, *(each.off for each in rights)])

    def _takes(self, given: Mapping[str, Any], stored: Sequence[str] | frozenset[str]) -> bool:
        """Return True if a kernel has what the reference takes, by name or by number."""
        if self._kernel:
            return True
        try:
            bound = self._reference.bind(tuple(given), tuple(stored))
        except CheckFailed:
            return False
        others = set(self._reference.parameters).isdisjoint(given)
        return bound.by_name or (others and set(bound.names.values()).isdisjoint(stored))
