"""A compiled kernel as a launch and a report know it; light enough for all who ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.simt.program.kernel import CompiledKernel


@dataclass(frozen=True, eq=False)
class PtxFunction:
    """A kernel as a launch shows it.

    Attributes:
        name: as the source has it.
        qualified: with its namespaces; its name in the PTX where the source is not known.
        start: line and column where it begins.
        read_again: reads the kernel from a changed text, where places are those of the PTX itself.
        entry: its name in the PTX.
        text: the PTX, by lines.
        recipe: what its compiler was given, for one that can compile it again.
    """

    name: str
    qualified: str
    parameters: tuple[str, ...]
    path: str
    start: tuple[int, int]
    compiler: str
    read_again: Callable[[str], CompiledKernel] | None = None
    recipe: Any = None
    entry: str = ""
    text: tuple[str, ...] = ()

    def edit(self, text: str, _moved: Callable[[int], int], *, keeps: bool) -> CompiledKernel:
        """Return the kernel as another text of its file has it."""
        assert self.read_again is not None
        return self.read_again(text)
