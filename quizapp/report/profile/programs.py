"""The typed programs of a script's kernels: as lines, and as plain data.

The keys of the plain data are promised in docs/cli.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from quizapp.report.lines import Line, sentence

if TYPE_CHECKING:
    from grader.profiles import KernelProgram, LaunchReport
    from quizapp.report.words import Words


def select(programs: Iterable[KernelProgram], report: LaunchReport) -> tuple[KernelProgram, ...]:
    """Return the programs that launches of a report ran."""
    shown = {number for group in report.groups for number in group.numbers}
    return tuple(program for program in programs if shown.intersection(program.launches))


def lines(programs: Sequence[KernelProgram], say: Words) -> Iterator[Line]:
    """Show each program below its title; a line of it is not folded."""
    for program in programs:
        yield ()
        yield sentence(say("profile.program", kernel=program.kernel, line=program.line), "bold")
        for line in program.text.splitlines():
            yield (("  ", "text"), (line, "text"))


def as_plain(program: KernelProgram) -> dict[str, Any]:
    """Return a program with the place of its kernel."""
    return asdict(program)
