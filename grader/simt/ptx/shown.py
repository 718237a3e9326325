"""A compiled kernel as a launch and a report know it; light enough for all who ask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class PtxFunction:
    """A kernel as a launch shows it.

    Attributes:
        name: as the source has it.
        qualified: with its namespaces; its name in the PTX where the source is not known.
        parameters: what it is launched with.
        start: line and column where it begins.
        compiler: what compiled it.
    """

    name: str
    qualified: str
    parameters: tuple[str, ...]
    path: str
    start: tuple[int, int]
    compiler: str
