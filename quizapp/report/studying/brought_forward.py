"""That a plan brings a question back earlier than the schedule would, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizapp.domain.rating import Rating
from quizapp.study.values import GradedResponse

if TYPE_CHECKING:
    from quizapp.domain.attempt import Assessment
    from quizapp.report.words import Words


def brought_forward_text(assessment: Assessment, say: Words) -> str:
    """Say what the days would be without the plan; empty if they would be the same."""
    if not isinstance(assessment, GradedResponse):
        return ""
    days, chosen = assessment.days, assessment.chosen
    rated = [rating for rating in Rating if rating is not Rating.AGAIN]
    if all(chosen.get(rating, 0) <= days[rating] for rating in rated):
        return ""
    return say("study.by-plan", days=" / ".join(say("days", n=chosen[r]) for r in rated))
