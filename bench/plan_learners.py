"""Whole plans, followed by simulated learners whose memory is not the scheduler's.

Each sets a plan, stops when the day's minutes are over, and is the same person who studies as long
without a plan: what was promised is compared with what they met and what they really recall on the
day. They answer the shipped questions through the queue of the program. A fifth each is typical,
has another memory, misses days, guesses, or takes another time than is usual; every second one
studied for some weeks before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import mean

import numpy as np
from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
from msgspec import structs

from bench.data import Data
from bench.figures import Figure, count_rounds
from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import sources
from quizapp.deck.ordering import default_order
from quizapp.domain import queue
from quizapp.domain.fsrs6 import build_model
from quizapp.domain.goal import Goal
from quizapp.domain.log.projection import AnswerFact, Card
from quizapp.domain.minutes import DayMinutes
from quizapp.domain.order import MOST_ASKED, Candidate
from quizapp.domain.planning import forecast, plan_choice
from quizapp.domain.planning.forecast import FIRST_RATINGS, RECALLED_RATINGS, Outlook
from quizapp.domain.queue import Item, Limits, Queue
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import Parameters, review
from quizapp.domain.workload import group_by_concept
from quizapp.study.scheduling.pace import MINUTES
from quizapp.system.paths import shipped_content

LEARNERS = 60
DAYS, BEFORE = 60, 20
NEW_PER_DAY, REVIEWS_PER_DAY = 10, 200
_RIGHT_AGAIN = 0.85
"""How often a question that was wrong is right when it returns in the session."""

KINDS = ("typical", "other memory", "misses days", "guesses", "other pace")


@dataclass
class Person:
    """Somebody with real memories of their own, and what the program knows of them.

    `minutes_of`: spent on each day; `on_new`: those on questions that were new on that day.
    """

    seed: int
    cards: dict[str, Card] = field(default_factory=dict)
    facts: list[AnswerFact] = field(default_factory=list)
    minutes_of: dict[int, float] = field(default_factory=dict)
    on_new: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Draw who they are."""
        self.chance = np.random.default_rng(self.seed)
        kind = KINDS[self.seed % len(KINDS)]
        spread = 0.3 if kind == "other memory" else 0.1
        own = np.array(Parameters().weights)
        factors = self.chance.uniform(1 - spread, 1 + spread, len(own))
        bounds = LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
        self._model = build_model(tuple(np.clip(own * factors, *bounds)))
        self._real: dict[str, tuple[float, float, int]] = {}
        self._misses = 0.25 if kind == "misses days" else 0.05
        self._guesses = 0.25 if kind == "guesses" else 0.0
        self._pace = float(np.exp(self.chance.normal(0, 0.35 if kind == "other pace" else 0.1)))
        self.each = {kind: minutes * self._pace for kind, minutes in MINUTES.items()}

    def comes(self) -> bool:
        """Return True if they study on this day."""
        return bool(self.chance.random() >= self._misses)

    def recall(self, question: str, day: int) -> float:
        """Return their real chance of recall."""
        if question not in self._real:
            return 0.0
        stability, _, last = self._real[question]
        return self._model.retrievability(stability, day - last)

    def answer(self, item: Item, day: int, parameters: Parameters) -> Rating:
        """Answer a question, and take the time for it."""
        name, card = item.question, self.cards.get(item.question) or Card(item.question)
        minutes = self.each[item.kind] * float(np.exp(self.chance.normal(-0.08, 0.4)))
        self.minutes_of[day] = self.minutes_of.get(day, 0.0) + minutes
        if card.memory is None or (card.memory.repetitions, card.memory.last_day) == (1, day):
            self.on_new[day] = self.on_new.get(day, 0.0) + minutes
        if item.stage is queue.Stage.REPEAT:
            right = self.chance.random() < _RIGHT_AGAIN
            again = None if right else day
            self.cards[name] = structs.replace(card, again_day=again, passed=card.passed or right)
            return Rating.GOOD if right else Rating.AGAIN
        memory = card.memory
        rating = self._rate(name, day, new=memory is None)
        after = review(name, memory, rating, day, parameters)
        fact = AnswerFact(
            f"{name}-{day}", name, item.kind, day, len(self.facts), counts=True,
            was_new=memory is None, correct=rating > Rating.AGAIN, rating=rating,
            duration_ms=round(minutes * 60_000),
            elapsed=0 if memory is None else day - memory.last_day,
        )  # fmt: skip
        self.facts.append(fact)
        passed = card.passed or rating > Rating.AGAIN
        again = day if rating is Rating.AGAIN else None
        self.cards[name] = structs.replace(card, memory=after, passed=passed, again_day=again)
        return rating

    def _rate(self, name: str, day: int, *, new: bool) -> Rating:
        """Draw how it goes, and what they really remember from then on."""
        if new:
            rating = Rating(int(self.chance.choice((1, 2, 3, 4), p=FIRST_RATINGS)))
            self._real[name] = (*self._model.begin(rating), day)
            return rating
        stability, difficulty, last = self._real[name]
        knows = self.chance.random() < self.recall(name, day)
        drawn = int(self.chance.choice((2, 3, 4), p=RECALLED_RATINGS))
        rating = Rating(drawn) if knows else Rating.AGAIN
        self._real[name] = (*self._model.step(stability, difficulty, day - last, rating), day)
        if not knows and self.chance.random() < self._guesses:
            return Rating.GOOD
        return rating


@dataclass(frozen=True)
class Deck:
    """The shipped questions in their order."""

    candidates: tuple[Candidate, ...]

    @property
    def kinds(self) -> dict[str, str]:
        """Return the kind of each question."""
        return {candidate.question: candidate.kind for candidate in self.candidates}


@cache
def shipped() -> Deck:
    """Read the questions that are on by default."""
    compiled = compile_deck(sources([str(shipped_content())])).compiled
    off = {pack.id for pack in compiled.packs if not pack.on_by_default}
    return Deck(tuple(default_order(e for e in compiled.entries if e.pack not in off)))


@dataclass(frozen=True)
class Studying:
    """How somebody studies.

    `minutes`: after which they stop. `limits`: of a day, after so many new questions and the
    minutes spent on reviews and on them. `place`: gives a card the due day that a plan gives it.
    """

    minutes: float
    limits: Callable[[int, tuple[float, float]], Limits]
    parameters: Parameters = field(default_factory=Parameters)
    place: Callable[[Card], Card] = lambda card: card


def study(person: Person, deck: Deck, days: Iterable[int], how: Studying) -> None:
    """Study until the minutes of each day are over."""
    known = frozenset(deck.kinds)
    concepts = group_by_concept(deck.candidates)
    for day in days:
        if not person.comes():
            continue
        while (minutes := person.minutes_of.get(day, 0.0)) < how.minutes:
            on_new = person.on_new.get(day, 0.0)
            spent = minutes - on_new, on_new
            new = sum(f.was_new for f in person.facts if f.study_day == day)
            cards = {name: how.place(card) for name, card in person.cards.items()}
            today: Queue = queue.build(
                deck.candidates, cards, how.limits(new, spent), day, known, concepts=concepts
            )
            if not today.items:
                break
            while (item := queue.next_item(today)) and person.minutes_of.get(day, 0) < how.minutes:
                today = queue.answer(today, item, person.answer(item, day, how.parameters))


def look_ahead(person: Person, deck: Deck, goal: Goal, today: int) -> Outlook:
    """Collect what the program knows of a person, as `study.planning` does."""
    learned = {n: card.memory for n, card in person.cards.items() if card.memory is not None}
    new = [c.question for c in deck.candidates if c.question not in learned]
    times = [(fact.kind, fact.duration_ms / 60_000) for fact in person.facts]
    by_kind = {kind: [minutes for of, minutes in times if of == kind] for kind in MINUTES}
    each = {kind: mean(t) if len(t) >= 3 else MINUTES[kind] for kind, t in by_kind.items()}
    minutes = {name: each[kind] for name, kind in deck.kinds.items()}
    habits = forecast.observe(minutes, person.facts, today)
    calibration = forecast.learn(person.facts, Parameters())
    return Outlook(learned, new, goal.spread(deck.candidates), Parameters(), calibration, habits)


@dataclass(frozen=True, slots=True)
class Followed:
    """A plan that was followed, and the same person without it.

    `promised`, `low`, `high`: questions met by the day; `recall` over all promised, with its range
    and what it really was. `known`, `known_without`: the sum of the real chances of recall of all
    questions, with the plan and without.
    """

    kind: str
    promised: int
    low: int
    high: int
    met: int
    recall: forecast.RecallForecast
    real: float
    known: float
    known_without: float

    @property
    def met_within(self) -> bool:
        """True if as many were met as the range says."""
        return self.low <= self.met <= self.high

    @property
    def recall_within(self) -> bool:
        """True if the real recall is within the range."""
        return self.recall.low <= self.real <= self.recall.high


def follow_plan(goal: Goal, outlook: Outlook, deck: Deck) -> Studying:
    """Study as a plan asks."""
    last_chances = goal.spread(deck.candidates)

    def limits(_new: int, spent: tuple[float, float]) -> Limits:
        each = outlook.habits.minutes.__getitem__
        day = DayMinutes(goal.minutes, each, goal.new_share, spent)
        return Limits(len(deck.candidates), REVIEWS_PER_DAY, minutes=day)

    def place(card: Card) -> Card:
        memory = card.memory
        if memory is None:
            return card
        due = goal.bring_forward(memory.last_day, memory.due_day, last_chances.get(card.question))
        return structs.replace(card, memory=structs.replace(memory, due_day=due))

    assert goal.retention is not None
    return Studying(goal.minutes, limits, Parameters(retention=goal.retention), place)


def follow(seed: int) -> Followed:
    """Let somebody set a plan and follow it, and the same person study without one."""
    deck, minutes = shipped(), (15, 20, 30, 45)[seed // len(KINDS) % 4]
    begins = BEFORE * (seed % 2)
    goal, freely = Goal(begins, begins + DAYS, minutes), Studying(minutes, _without_plan)

    def prepare() -> Person:
        person = Person(seed)
        study(person, deck, range(begins), freely)
        return person

    person, other = prepare(), prepare()
    weights = {c.question: 1.0 + c.frequency for c in deck.candidates}
    outlook = look_ahead(person, deck, goal, begins)
    goal = plan_choice.choose(goal, begins, outlook, weights, None)
    outcome = plan_choice.run(goal, begins, outlook)
    fit = plan_choice.find_range(outlook, outcome)
    assert goal.promised is not None
    promised = [*outlook.learned, *outlook.new][: goal.promised]
    recall = forecast.summarize(outcome, promised)
    assert recall is not None
    days = range(begins, goal.day)
    study(person, deck, days, follow_plan(goal, outlook, deck))
    study(other, deck, days, freely)

    def known(who: Person) -> float:
        return sum(who.recall(c.question, goal.day) for c in deck.candidates)

    real = mean(person.recall(name, goal.day) for name in promised)
    return Followed(
        KINDS[seed % len(KINDS)], goal.promised, fit.low, fit.high, len(person.cards),
        recall, real, known(person), known(other),
    )  # fmt: skip


def _without_plan(new: int, _spent: tuple[float, float]) -> Limits:
    return Limits(NEW_PER_DAY - new, REVIEWS_PER_DAY)


def measure(_data: Data | None, repeat: int = LEARNERS) -> list[Figure]:
    """How many meet and recall what was promised, and how they do without the plan."""
    found = [follow(seed) for seed in count_rounds(repeat)]
    known, without = mean(each.known for each in found), mean(each.known_without for each in found)
    return [
        _share("questions met, within the range of their plan", found, lambda f: f.met_within, 80),
        _share("recall over all promised, within its range", found, lambda f: f.recall_within, 80),
        _share("questions known, no fewer than without the plan", found, _gains, 95),
        Figure(
            "learners",
            f"questions known on the day, with the plan to without it, {repeat} learners",
            known / without,
            1.0,
            "×",
            f"{known:.0f} to {without:.0f}; 0.57 before a plan filled its minutes",
            at_least=True,
        ),
        Figure(
            "learners",
            "of the concepts that most lists ask for, those in a plan of 30 days × 30 minutes",
            100 * _coverage(),
            85.0,
            "%",
            "28 before what is asked most came first",
            at_least=True,
        ),
    ]


def _share(
    what: str, found: Sequence[Followed], holds: Callable[[Followed], bool], limit: float
) -> Figure:
    by_kind = {
        kind: [holds(each) for each in found if each.kind == kind] for kind in KINDS[: len(found)]
    }
    told = "; ".join(f"{kind} {sum(held)} of {len(held)}" for kind, held in by_kind.items())
    kept = sum(map(holds, found))
    what = f"learners: {what}"
    detail = f"{told}; none of 13 before a plan filled its minutes"
    return Figure("learners", what, 100 * kept / len(found), limit, "%", detail, at_least=True)


def _gains(found: Followed) -> bool:
    return found.known >= found.known_without


def _coverage() -> float:
    """Return the share of the concepts most asked for that a month of half hours meets."""
    deck, goal = shipped(), Goal(0, 30, 30)
    weights = {c.question: 1.0 + c.frequency for c in deck.candidates}
    chosen = plan_choice.choose(
        goal, 0, look_ahead(Person(0), deck, goal, goal.since), weights, None
    )
    met = {c.concept for c in deck.candidates[: chosen.promised]}
    most = {c.concept for c in deck.candidates if c.frequency >= MOST_ASKED}
    return len(met & most) / len(most)
