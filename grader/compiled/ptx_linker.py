"""Makes machine code of PTX with NVIDIA's linker, which has ptxas in it, without a driver."""

from __future__ import annotations

import re
from importlib.metadata import version

from grader.compiled.linking import Linked, Linker
from grader.compiled.outcome import ARCHITECTURES

_PACKAGE = "nvidia-nvjitlink"
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)([af]?)", re.MULTILINE)


def find_architectures(text: str) -> tuple[str, ...]:
    """Return which of `ARCHITECTURES` a text of PTX is for: its target's own, and later ones.

    What is for one architecture alone, such as `sm_90a`, is for no later one.
    """
    target = _TARGET.search(text)
    if target is None:
        return ()
    number, alone = int(target[1]), bool(target[2])
    numbers = {each: int(each.replace(".", "")) for each in ARCHITECTURES}
    return tuple(
        each for each, own in numbers.items() if own == number or (own > number and not alone)
    )


class PtxLinker:
    """Links a kernel of a text."""

    def __init__(self) -> None:
        self._linker = Linker()

    @property
    def name(self) -> str:
        """The package with its version."""
        return f"{_PACKAGE} {version(_PACKAGE)}"

    def compile(self, text: str, kernel: str, capability: str, *, lines: bool = False) -> Linked:
        """Link it; `kernel` is what the text calls it."""
        target = _TARGET.search(text)
        own = capability + ("" if target is None else target[2])
        return self._linker.link(text.encode(), kernel, own, lines=lines, ptx=True)
