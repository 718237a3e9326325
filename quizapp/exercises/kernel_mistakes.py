"""Which listed mistake a kernel makes, told by what it does: see `grader.kernels.Signature`.

What a mistake does is worked out once, when the first submission fails at its gate: grading all of
them while a person reads would make that person's first submission wait. Where two do the same,
none is named: an explanation of another mistake would teach something false.
"""

from __future__ import annotations

from collections.abc import Callable

from grader.kernels import KernelGrade, Signature, signature_of
from quizapp.domain.question import Kernel, WrongKernel

GradeSource = Callable[[str], KernelGrade]
"""The verdict on a submission of the question."""


class KernelMistakes:
    """Remembers what the listed mistakes of questions do."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Signature | None] = {}

    def of(self, question: Kernel, graded: KernelGrade, grade: GradeSource) -> WrongKernel | None:
        """Find the listed mistake that a submission makes; None if there is none, or several.

        `grade`: what works out a mistake's verdict, where that is not known yet.
        """
        found = signature_of(graded)
        if found is None:
            return None
        candidates = [
            mistake for mistake in question.wrong if graded.verdict.fails_at(mistake.fails)
        ]
        written = [
            mistake for mistake in candidates if _code(mistake.source) == _code(graded.source)
        ]
        if written:
            return written[0]
        known = [(mistake, self._signature(question, mistake, grade)) for mistake in candidates]
        same = [
            (mistake, does) for mistake, does in known if does is not None and does.matches(found)
        ]
        if len(same) > 1:
            same = [(mistake, does) for mistake, does in same if does.traffic == found.traffic]
        return same[0][0] if len(same) == 1 else None

    def _signature(
        self, question: Kernel, mistake: WrongKernel, grade: GradeSource
    ) -> Signature | None:
        asked = (question.arguments, question.shapes, question.launch, question.reference)
        key = (repr((*asked, question.counts)), mistake.source or "")
        if key not in self._known:
            self._known[key] = signature_of(grade(mistake.source or ""))
        return self._known[key]


def _code(source: str | None) -> list[str]:
    return (source or "").split()
