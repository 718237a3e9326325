"""The readiness that is claimed against that of simulated learners, today and on the day of a plan.

They are those of `bench.plan_learners`. It is claimed when the plan is set, halfway, and on the day
itself; what is true is the mean of their own chances over what is asked, weighted in the same way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import mean

from bench.data import Data
from bench.figures import Figure, count_rounds
from bench.plan_learners import (
    BEFORE,
    DAYS,
    KINDS,
    NEW_PER_DAY,
    REVIEWS_PER_DAY,
    Deck,
    Person,
    Studying,
    follow_plan,
    look_ahead,
    shipped,
    study,
)
from quizapp.domain.goal import Goal
from quizapp.domain.planning import forecast, plan_choice, readiness
from quizapp.domain.planning.forecast import DayRule, RecallForecast
from quizapp.domain.planning.readiness import Readiness
from quizapp.domain.queue import Limits

LEARNERS = 60
LIMIT, LEAST_WITHIN = 5.0, 80.0
"""Points that a claim may be off in the mean, and claims of 100 that have the truth in their range.
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """What was claimed, and what was true."""

    kind: str
    claimed: RecallForecast
    true: float

    @property
    def error(self) -> float:
        """How many points too much was claimed."""
        return 100 * (self.claimed.mean - self.true)

    @property
    def within(self) -> bool:
        """True if the truth is within the range."""
        return self.claimed.low <= self.true <= self.claimed.high


def follow(seed: int) -> dict[str, Claim]:
    """Let somebody follow a plan; return what was claimed, by when and of when."""
    deck, minutes, kind = shipped(), (15, 20, 30, 45)[seed // len(KINDS) % 4], KINDS[seed % 5]
    begins, person = BEFORE * (seed % 2), Person(seed)
    freely = Studying(minutes, lambda new, _: Limits(NEW_PER_DAY - new, REVIEWS_PER_DAY))
    study(person, deck, range(begins), freely)
    goal = Goal(begins, begins + DAYS, minutes)
    weights = {c.question: 1.0 + c.frequency for c in deck.candidates}
    outlook = look_ahead(person, deck, goal, begins)
    goal, half = plan_choice.choose(goal, begins, outlook, weights, None), begins + DAYS // 2
    found: dict[str, Claim] = {}

    def claim(day: int) -> Readiness:
        return measure_readiness(person, deck, goal, day)

    def true(day: int) -> float:
        return measure_truth(person, deck, day)

    first = claim(begins)
    how = follow_plan(goal, outlook, deck)
    study(person, deck, range(begins, half), how)
    middle = claim(half)
    found["today, halfway"] = Claim(kind, middle.today, true(half))
    study(person, deck, range(half, goal.day), how)
    found["today, at the end"] = Claim(kind, claim(goal.day).today, true(goal.day))
    found["on the day, at the beginning"] = Claim(kind, first.on_day, true(goal.day))
    found["on the day, halfway"] = Claim(kind, middle.on_day, true(goal.day))
    return found


def measure_readiness(person: Person, deck: Deck, goal: Goal, day: int) -> Readiness:
    """Measure what the program would claim on a day, as `study.planning` does."""
    outlook = look_ahead(person, deck, goal, day)
    plan = plan_choice.run(goal, day, outlook)
    now = forecast.simulate(outlook, DayRule(outlook.parameters.retention), range(day, day))
    today, on_day = map(forecast.by_question, (now, plan))
    found = readiness.measure(deck.candidates, (), today, on_day)
    assert found is not None
    return found


def measure_truth(person: Person, deck: Deck, day: int) -> float:
    """Return the share of what is asked that somebody would really answer."""
    sizes = Counter(c.concept for c in deck.candidates)
    weights = [c.frequency / sizes[c.concept] for c in deck.candidates]
    known = (person.recall(c.question, day) for c in deck.candidates)
    return sum(w * k for w, k in zip(weights, known, strict=True)) / sum(weights)


def measure(_data: Data | None, repeat: int = LEARNERS) -> list[Figure]:
    """How far what is claimed is from what is true, and how often that is within the range."""
    found = [follow(seed) for seed in count_rounds(repeat)]
    claims = {what: [each[what] for each in found] for what in found[0]}
    figures = [_error(what, of) for what, of in claims.items()]
    every = [claim for of in claims.values() for claim in of]
    within = 100 * mean(claim.within for claim in every)
    detail = "; ".join(f"{what} {sum(c.within for c in of)}" for what, of in claims.items())
    what = f"readiness: true within the range, {len(every)} claims of {repeat} learners"
    return [*figures, Figure("readiness", what, within, LEAST_WITHIN, "%", detail, at_least=True)]


def _error(what: str, claims: list[Claim]) -> Figure:
    """Return the mean error; its detail has claimed/true of each learner."""
    pairs: dict[str, list[str]] = {}
    for each in claims:
        pair = f"{100 * each.claimed.mean:.0f}/{100 * each.true:.0f}"
        pairs.setdefault(each.kind, []).append(pair)
    told = "; ".join(f"{kind} {', '.join(each)}" for kind, each in pairs.items())
    bias, near = mean(c.error for c in claims), sum(abs(c.error) <= LIMIT for c in claims)
    detail = f"{bias:+.1f} in the mean, {near} of {len(claims)} within {LIMIT:.0f}; {told}"
    error = mean(abs(claim.error) for claim in claims)
    return Figure("readiness", f"readiness {what}: error", error, LIMIT, "points", detail)
