"""Checks that hold for a submission in any language, and the types that it is turned into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from grader.facts import Fact, fact
from grader.mistakes import Mistake
from grader.simt import CompiledKernel

LONGEST = 200_000
"""Characters: no kernel is longer."""

ANY_NAME = "kernel"
"""What advice calls a kernel that may have any name."""


class NotAccepted(Mistake):
    """The text is not a single kernel with the required signature."""


class PreparedKernel(NamedTuple):
    """A kernel that is ready, and what it is launched with.

    Attributes:
        shared: bytes of shared memory that its compiler wants; None: what the problem gives.
    """

    kernel: CompiledKernel
    arguments: Sequence[Any]
    shared: int | None = None


class ParameterType(NamedTuple):
    """What a parameter takes.

    Attributes:
        name: of an argument or a size.
        dtype: of a number, as NumPy names it; None for the address of an array.
    """

    name: str
    dtype: str | None


class OperatorCounts(NamedTuple):
    """How many operators one execution of each line has, by line: only lines with any.

    Attributes:
        division: integer divisions and remainders.
        arithmetic: all binary operators of numbers, and assignments such as `+=`.
    """

    division: Mapping[int, int]
    arithmetic: Mapping[int, int]


def missing_kernel(name: str, there: Iterable[str]) -> Fact:
    """Say that a text has kernels, and not the one that is asked for."""
    return fact("submission.missing-kernel", name=name, there=tuple(dict.fromkeys(there)))


def check_text(source: str) -> str:
    """Return a submission without the mark that some editors put in front.

    Raises:
        NotAccepted: it is too long, or no text.
    """
    source = source.removeprefix("\ufeff")
    if len(source) > LONGEST:
        raise NotAccepted(fact("submission.too-long", count=len(source), most=LONGEST))
    if (at := source.find("\0")) >= 0:
        before = source[:at]
        line, column = before.count("\n") + 1, at - before.rfind("\n")
        raise NotAccepted(fact("submission.nul"), line, column)
    return source
