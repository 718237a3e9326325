"""What becomes of an answer that itself moves no schedule, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizapp.domain.queue import Stage

if TYPE_CHECKING:
    from quizapp.report.words import Words
    from quizapp.study.values import Turn

_SAID = {
    Stage.PRACTICE: "study.practice",
    Stage.INTERVIEW: "study.interview",
    Stage.PLACEMENT: "study.placement",
}


def unscheduled_text(turn: Turn, say: Words) -> str:
    """Say what an answer counts for that was given in practice, an interview, or a placement."""
    return say(_SAID[turn.item.stage])
