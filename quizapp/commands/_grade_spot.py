"""How `quiz grade` asks for a fault, and says whether the one that was named is it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from quizapp.commands._output import note, print_json, print_lines, room
from quizapp.commands._shared import surroundings
from quizapp.errors import FINDINGS, OK, UsageError

if TYPE_CHECKING:
    from quizapp.domain.question import Spot
    from quizapp.exercises.spots import Spotted


class Named(NamedTuple):
    """The question, what a person named, and which draw of the question is meant."""

    entry_id: str
    line: int | None
    fault: str | None
    review: int


def show_spot(asked: Spot, named: Named, *, as_json: bool) -> int:
    """Tell the question, or the verdict on what was named; the exit status.

    Raises:
        UsageError: a line without a kind, or a kind that there is not.
    """
    from quizapp.domain.kernel import SPOTTABLE  # noqa: PLC0415 - msgspec, 18 ms
    from quizapp.exercises.spots import draw_spot  # noqa: PLC0415 - NumPy, 80 ms
    from quizapp.study.examiner import Examiner  # noqa: PLC0415

    put = draw_spot(asked, named.entry_id, named.review).question
    if named.line is None and named.fault is None:
        return _tell(put, named)
    if named.line is None or named.fault is None:
        raise UsageError("a fault has a line and a kind", "give both --line and --fault")
    last = put.code.rstrip("\n").count("\n") + 1
    if not 1 <= named.line <= last:
        raise UsageError(f"there is no line {named.line}", f"the code has lines 1 to {last}")
    if named.fault not in SPOTTABLE:
        todo = f"kinds: {', '.join(SPOTTABLE)}"
        raise UsageError(f"there is no kind of fault '{named.fault}'", todo)
    with closing(Examiner()) as examiner:
        found = examiner.spotted(put)
    right = found.right(named.line, named.fault)
    if as_json:
        print_json(
            {
                "question": named.entry_id,
                "passed": right,
                "line": named.line,
                "fault": named.fault,
                "places": [{"line": line, "fault": fault} for line, fault in sorted(found.places)],
                "findings": [asdict(one) for one in found.findings],
            }
        )
    else:
        _print(put, found, right=right)
    return OK if right else FINDINGS


def _tell(put: Spot, named: Named) -> int:
    """What is asked, with the code."""
    from quizapp import numbered_code  # noqa: PLC0415
    from quizapp.domain.kernel import SPOTTABLE  # noqa: PLC0415 - msgspec, 18 ms
    from quizapp.domain.question import prose  # noqa: PLC0415
    from quizapp.plain.markdown import plain  # noqa: PLC0415

    print(*plain(prose(put.prompt, surroundings().settings.language), room()), sep="\n")
    print()
    print_lines(numbered_code.lines(put.code))
    note(f"Then: quiz grade {named.entry_id} --line N --fault KIND ({', '.join(SPOTTABLE)})")
    return OK


def _print(put: Spot, found: Spotted, *, right: bool) -> None:
    from quizapp import kernel_verdict, numbered_code  # noqa: PLC0415 - 100 ms: NumPy
    from quizapp.words import Words  # noqa: PLC0415

    say = Words("en")
    sign, role = ("✓ right", "good") if right else ("✗ not this one", "conflict")
    print_lines([((sign, role),), ()])  # type: ignore[list-item]
    print_lines(kernel_verdict.spotted(found, say))
    print()
    print_lines(numbered_code.lines(put.code, right=found.lines))
