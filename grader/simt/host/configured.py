"""The brackets of a launch, `kernel[grid, block, stream, shared]`, of kernels in any language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Integral
from typing import Any, NoReturn

from grader.facts import fact
from grader.simt.host.session import Config
from grader.simt.host.streams import stream_of

_USUAL_BLOCK = 128
_MOST_AXES = 3
Launcher = Callable[..., None]


class Launchable(ABC):
    """A kernel that is launched for a grid of blocks."""

    @abstractmethod
    def launch(self, config: Config, arguments: tuple[Any, ...]) -> None:
        """Launch it in the session."""

    def __getitem__(self, config: Any) -> ConfiguredKernel:
        parts = config if isinstance(config, tuple) else (config,)
        if not 2 <= len(parts) <= 4:
            raise ValueError("must specify at least the griddim and blockdim, at most 4 values")
        shared = parts[3] if len(parts) == 4 else 0
        stream = parts[2] if len(parts) > 2 else 0
        return self.configure(parts[0], parts[1], stream, shared)

    def configure(
        self, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0
    ) -> ConfiguredKernel:
        """Return the kernel for a grid of blocks.

        Raises:
            ValueError, TypeError: sizes that cannot be.
        """
        for name, sizes in (("griddim", griddim), ("blockdim", blockdim)):
            _check(name, sizes)
        return ConfiguredKernel(self, Config(griddim, blockdim, int(sharedmem), stream_of(stream)))

    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Launcher:
        """Return the kernel for at least as many threads as tasks; without tasks it does nothing.

        Raises:
            ValueError: the number is negative.
        """
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        if ntasks == 0:
            return lambda *_arguments: None
        block = tpb or _USUAL_BLOCK
        return self.configure(-(-ntasks // block), block, stream, sharedmem)


class ConfiguredKernel:
    """`kernel[blocks, threads]`."""

    def __init__(self, kernel: Launchable, config: Config) -> None:
        self._kernel = kernel
        self._config = config
        self.griddim, self.blockdim = _three(config.grid), _three(config.block)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(fact("not-emulated.of-kernel", name=name))

    def __call__(self, *arguments: Any) -> None:
        """Launch it."""
        self._kernel.launch(self._config, arguments)


def _check(name: str, sizes: Any) -> None:
    """Require that the sizes of a grid or a block are one to three integers."""
    given = list(sizes) if isinstance(sizes, (tuple, list)) else [sizes]
    if len(given) > _MOST_AXES:
        raise ValueError(f"{name} must be a sequence of 1, 2 or 3 integers, got {given}")
    if not all(isinstance(argument, Integral) for argument in given):
        raise TypeError(f"{name} must be a sequence of integers, got {given}")


def _three(sizes: Any) -> tuple[int, ...]:
    given = tuple(sizes) if isinstance(sizes, (tuple, list)) else (sizes,)
    return (*given, 1, 1)[:_MOST_AXES]
