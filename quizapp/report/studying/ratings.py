"""What is said beside the ratings of an answer: the rule, what a plan or a leech makes of it.

In sentences, for every front end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizapp.domain.credit import (
    FAILURE_COSTS,
    HINT_COSTS,
    LEAST_PASSED,
    Stakes,
    after_failures,
    after_hints,
    has_stakes,
    pays_from,
    stakes_of,
)
from quizapp.domain.grading import Grade
from quizapp.domain.question import Choice, FactChoice, Index, InputChoice, Kernel, Recall
from quizapp.domain.queue import Stage
from quizapp.domain.rating import Confidence, Effort, Rating
from quizapp.report.numbers import percent
from quizapp.study.sessions.recording import chance_of
from quizapp.study.values import GradedResponse

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from quizapp.domain.attempt import Assessment
    from quizapp.domain.question import PutQuestion
    from quizapp.report.words import Words
    from quizapp.study.values import Turn

MANY_FAILURES = 3
"""So often wrong in one session, it had better wait for another day."""

_UNSCHEDULED = {Stage.PRACTICE: "study.practice", Stage.PLACEMENT: "study.placement"}


def rating_name(rating: Rating, say: Words) -> str:
    """Return the rating's word."""
    return say(f"rating.{int(rating)}")


def rule_text(assessment: Assessment, say: Words) -> str:
    """Say the suggested rating, and which rule gave it."""
    share = round(100 * assessment.grade.score)
    rule = say(f"rule.{assessment.suggestion.rule}", percent=share)
    return say("study.rated", rating=rating_name(assessment.suggestion.rating, say), rule=rule)


def unscheduled_text(turn: Turn, say: Words) -> str:
    """Say what an answer counts for that was given in practice, an interview, or a placement.

    In an interview when what is right is told, once: at its first stage. Empty at the others.
    """
    if turn.item.stage is not Stage.INTERVIEW:
        return say(_UNSCHEDULED[turn.item.stage])
    is_first = turn.withholds and turn.position == 1 and turn.part is None
    return say("mock.withheld") if is_first else ""


def noted(question: PutQuestion, say: Words, *, gave_up: bool) -> str:
    """Say that an answer was noted, and not how it went; of code, which has passed, that it did."""
    if gave_up:
        return say("study.gave-up")
    return say("study.right" if isinstance(question, Index | Kernel) else "mock.noted")


def costs(turn: Turn, say: Words, hint_key: str = "") -> str:
    """Say what failed submissions and hints cost in a mock interview; empty where nothing does.

    `hint_key`: what shows a hint, where the last line does not say it.
    """
    if turn.item.stage is not Stage.INTERVIEW:
        return ""
    said = []
    if isinstance(turn.question, Index | Kernel):
        fields = {"cost": percent(FAILURE_COSTS), "least": percent(LEAST_PASSED)}
        said.append(say("mock.failure-costs", **fields))
    if turn.question.hints and not isinstance(turn.question, Recall):
        key = "mock.hint-costs-by" if hint_key else "mock.hint-costs"
        said.append(say(key, cost=percent(HINT_COSTS), key=hint_key))
    if len(said) > 1:
        said.append(both_cost(say))
    return join_sentences(said, say)


def both_cost(say: Words) -> str:
    """Say how the costs of failed submissions and of hints go together."""
    return say("mock.both-cost", left=left_after(1, 1))


def left_after(failures: int, hints: int) -> str:
    """Write what code counts that passes after so many failed submissions and hints."""
    score = after_failures(Grade(correct=True, score=1), failures).score
    return percent(score * after_hints(hints))


def join_sentences(said: Sequence[str], say: Words) -> str:
    """Write sentences one after the other: only English has spaces between them."""
    return (" " * (say.language == "en")).join(said)


def scoring(say: Words, *, asked: bool) -> str:
    """Say how an answer of a mock interview counts, before one begins.

    `asked`: whether it is asked how sure the person is.
    """
    said = [_stakes(say, asked=asked), say("mock.hint-costs", cost=percent(HINT_COSTS))]
    return join_sentences(said, say)


def stakes_of_each(turn: Turn, say: Words) -> Mapping[Confidence, str]:
    """Write what a right and a wrong answer count, by how sure one says to be.

    Empty outside of mock interviews, and where the person judges the answer.
    """
    if turn.item.stage is not Stage.INTERVIEW or not has_stakes(turn.question):
        return {}
    chance = chance_of(turn.question, Effort())
    return {each: _write_stakes(stakes_of(each, chance), say) for each in Confidence}


def stakes_text(turn: Turn, say: Words) -> str:
    """Say the same in a line; empty where there is nothing to say."""
    stakes = stakes_of_each(turn, say)
    listed = [f"{say(f'confidence.{int(each)}')} {text}" for each, text in stakes.items()]
    return say("mock.stakes-line", listed=" · ".join(listed)) if listed else ""


def _write_stakes(stakes: Stakes, say: Words) -> str:
    right, wrong = percent(stakes.right), percent(stakes.wrong)
    return say("mock.stake", right=right, wrong=wrong) if stakes.right else say("mock.no-stake")


def _stakes(say: Words, *, asked: bool) -> str:
    if not asked:
        right, wrong = map(percent, stakes_of(None, 0.0))
        setting = say("setting.confidence")
        return say("mock.unasked", setting=setting, right=right, wrong=wrong)
    fairly, certain = (stakes_of(each, 0.0) for each in (Confidence.FAIRLY, Confidence.CERTAIN))
    return say(
        "mock.stakes",
        fairly_right=percent(fairly.right),
        fairly_wrong=percent(fairly.wrong),
        certain_right=percent(certain.right),
        certain_wrong=percent(certain.wrong),
        fairly_from=percent(pays_from(Confidence.FAIRLY)),
        certain_from=percent(pays_from(Confidence.CERTAIN)),
    )


def credit_text(assessment: Assessment, say: Words) -> str:
    """Say what an answer counts in a mock interview, where its grade does not say it."""
    credit = assessment.credit
    if credit is None or credit == assessment.grade.score:
        return ""
    return say("mock.costs" if credit < 0 else "mock.counts", share=percent(abs(credit)))


def covered_text(grade: Grade, say: Words) -> str:
    """Say how much of a rubric the person ticked: no program says whether that is right."""
    return say("study.covered", percent=round(100 * grade.score))


def mended_text(question: PutQuestion, grade: Grade, say: Words) -> str:
    """Say that code is right, and its score if submissions failed before; empty if none did."""
    if not isinstance(question, Index | Kernel) or not grade.correct or grade.score == 1:
        return ""
    return say("mock.mended", percent=percent(grade.score))


def counted_text(question: PutQuestion, grade: Grade, picked: Collection[int], say: Words) -> str:
    """Say how a choice scores of which only a part is right; empty of any other answer."""
    if grade.correct or not picked or not isinstance(question, Choice):
        return ""
    if isinstance(question, FactChoice):
        matter = {i for i, each in enumerate(question.facts) if each.matters}
        asked, needless = len(matter & {*picked}), len({*picked} - matter)
        fields = {"asked": asked, "needless": needless, "total": len(matter)}
        return say("study.facts-counted", others=len(question.facts) - len(matter), **fields)
    right = {i for i, option in enumerate(question.options) if option.correct}
    hits = len(right & {*picked})
    if isinstance(question, InputChoice) or not question.several or not hits:
        return ""
    misses, score = len(picked) - hits, percent(grade.score)
    return say("study.choice-counted", hits=hits, misses=misses, total=len(right), score=score)


def brought_forward_text(assessment: Assessment, say: Words) -> str:
    """Say what the days would be without the plan; empty if they would be the same."""
    if not isinstance(assessment, GradedResponse):
        return ""
    days, chosen = assessment.days, assessment.chosen
    rated = [rating for rating in Rating if rating is not Rating.AGAIN]
    if all(chosen.get(rating, 0) <= days[rating] for rating in rated):
        return ""
    return say("study.by-plan", days=" / ".join(say("days", n=chosen[r]) for r in rated))


def set_aside_text(turn: Turn, rating: Rating, say: Words) -> str:
    """Say once that a leech is set aside, what follows, and how to take it back; else empty."""
    lapses = turn.lapses_if_leech
    if lapses is None or rating is not Rating.AGAIN:
        return ""
    follows = say("study.easier-follow", n=len(turn.easier)) if turn.easier else ""
    return " ".join(filter(None, [say("study.set-aside", n=lapses), follows]))


def put_off_text(turn: Turn, rating: Rating, say: Words, key: str) -> str:
    """Offer to put a question off that is wrong over and over in a session; empty if it is not.

    `key` does that.
    """
    failures = turn.item.failures + 1
    if rating is not Rating.AGAIN or failures < MANY_FAILURES or not turn.returns:
        return ""
    return say("study.put-off", n=failures, key=key)
