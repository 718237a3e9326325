"""Placements of simulated people: what is new to them afterward, and what was skipped wrongly.

Somebody knows a certain share of the questions, more of what is easy and of some topics. They may
guess what they do not know, and mostly say so. After a placement the next ten new questions come
from the program's own queue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean

import numpy as np

from bench.data import Data
from bench.figures import Figure, count_rounds
from bench.plan_learners import shipped
from quizapp.domain import placement, queue
from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.placement import PlacementStep
from quizapp.domain.queue import Limits
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Parameters, review

PEOPLE, NEXT = 60, 10
SHARES = (0.3, 0.57, 0.86)
"""Which share of the questions somebody knows."""

LEAST_UNKNOWN, MOST_SKIPPED = 60.0, 6.0
_JUDGED = 0.57
_GUESSED: Mapping[str, float] = {"choice": 0.25}
"""How often a question of a kind that is not known is right all the same."""

_SAYS_GUESS, _SLIPS = 0.75, 0.05
_BY_DIFFICULTY, _BY_TOPIC = 0.8, 1.0
"""How much harder questions, and other topics, change the log odds of knowing."""

_ANSWER_MS = 20_000


@dataclass(frozen=True, slots=True)
class Placed:
    """What a placement came to.

    `unknown`, `before`: shares of the next new questions, with it and without. `skipped`:
    questions that count as known; `wrongly`: those of them that are not.
    """

    unknown: float
    before: float
    skipped: int
    wrongly: int


def place(seed: int, share: float) -> Placed:
    """Let somebody who knows a share of the questions take a placement."""
    chance, candidates = np.random.default_rng(seed), shipped().candidates
    knows = _draw_knowledge(chance, candidates, share)
    steps: list[PlacementStep] = []
    while (asked := placement.next_question(candidates, steps)) is not None:
        known = knows[asked.question]
        right = chance.random() < (1 - _SLIPS if known else _GUESSED.get(asked.kind, 0.0))
        says_guess = not known and chance.random() < _SAYS_GUESS
        steps.append(PlacementStep(asked, bool(right), bool(right and not says_guess), _ANSWER_MS))
    skipped = [step.candidate.question for step in steps if step.knew]
    parameters = Parameters()
    cards = {
        name: Card(name, memory=review(name, None, Rating.EASY, 0, parameters), passed=True)
        for name in skipped
    }
    order = placement.begin_where_unknown(candidates, [(s.candidate, s.knew) for s in steps])
    wrongly = sum(not knows[name] for name in skipped)
    before = _share_unknown(candidates, {}, knows)
    return Placed(_share_unknown(order, cards, knows), before, len(skipped), wrongly)


def _draw_knowledge(
    chance: np.random.Generator, candidates: tuple[Candidate, ...], share: float
) -> dict[str, bool]:
    """Draw what somebody knows: this share of the questions."""
    topics = {c.topic: chance.normal(0, _BY_TOPIC) for c in candidates}
    ease = [topics[c.topic] - _BY_DIFFICULTY * c.difficulty for c in candidates]
    level = np.array(ease) + chance.logistic(0, 1, len(ease))
    least = np.quantile(level, 1 - share)
    names = (c.question for c in candidates)
    return dict(zip(names, (level > least).tolist(), strict=True))


def _share_unknown(
    order: list[Candidate] | tuple[Candidate, ...], cards: dict[str, Card], knows: dict[str, bool]
) -> float:
    """Return the share of the next new questions that somebody does not know."""
    items = queue.build(order, cards, Limits(NEXT, 0), 0).items
    return mean(not knows[item.question] for item in items)


def measure(_data: Data | None, repeat: int = PEOPLE) -> list[Figure]:
    """What is new to people after a placement, and what was skipped wrongly."""
    figures: list[Figure] = []
    found = {share: [place(seed, share) for seed in count_rounds(repeat)] for share in SHARES}
    for share, each in found.items():
        judged = share == _JUDGED
        skipped, wrongly = (sum(getattr(p, of) for p in each) for of in ("skipped", "wrongly"))
        who = f"{repeat} people who know {100 * share:.0f}%"
        figures += [
            Figure(
                "placement", f"unknown of the next {NEXT} new questions, {who}",
                100 * mean(p.unknown for p in each), LEAST_UNKNOWN if judged else None, "%",
                f"{100 * mean(p.before for p in each):.0f} without a placement", at_least=judged,
            ),
            Figure(
                "placement", f"skipped as known, and not known, {who}",
                100 * wrongly / max(1, skipped), MOST_SKIPPED if judged else None, "%",
                f"{wrongly} of {skipped}, {skipped / repeat:.1f} per person",
            ),
        ]  # fmt: skip
    return figures
