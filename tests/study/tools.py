"""What the study's tests are made with: a clock that stands where it is put, and answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from quizapp.config import Settings
from quizapp.deck.deck import Deck, load
from quizapp.domain.days import Moment, local_day
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import Choice, Index, Kernel, Number, Recall, Spot
from quizapp.domain.rating import Confidence, Rating
from quizapp.store import Store
from quizapp.study.attempt import expected
from quizapp.study.service import Study
from quizapp.study.values import Asked, Filter, Given, Graded
from tests.examining import EXAMINER, right_place, wrong_place

ROOT = Path(__file__).parents[2]
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NOON = Moment(20_000 * DAY_MS + 11 * HOUR_MS, 3600)
"""Noon of study day 20,000 in Berlin's winter."""
TODAY = local_day(NOON)


@dataclass
class FixedClock:
    """Stands still until it is moved."""

    moment: Moment = NOON

    def now(self) -> Moment:
        return self.moment

    def move(self, *, days: float = 0, hours: float = 0, offset_s: int | None = None) -> None:
        utc_ms = self.moment.utc_ms + round(days * DAY_MS + hours * HOUR_MS)
        self.moment = Moment(utc_ms, self.moment.offset_s if offset_s is None else offset_s)


@dataclass
class Person:
    """Someone with a database and a clock, who can close the program and open it again."""

    database: Path
    deck: Deck
    clock: FixedClock = field(default_factory=FixedClock)
    settings: Settings = field(default_factory=Settings)
    opened: list[Study] = field(default_factory=list)

    def open(self, deck: Deck | None = None) -> Study:
        """Start the program (again); the database is the same."""
        store = Store.open(self.database, busy_timeout_ms=50)
        study = Study(deck or self.deck, store, self.settings, self.clock)
        self.opened.append(study)
        return study

    def close(self) -> None:
        """End all programs."""
        for study in self.opened:
            study.examiner.close()
            study.store.close()
        self.opened.clear()

    def reopen(self, deck: Deck | None = None) -> Study:
        self.close()
        return self.open(deck)


def deck_of(folder: Path, text: str, name: str = "pack/a.yaml") -> Deck:
    """The deck of one file of YAML."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return load([str(folder)], str(folder / "cache" / "deck"))


def right(asked: Asked, **more) -> Given:
    """The right answer to any question."""
    match asked.question:
        case Choice(options=options):
            picked = tuple(i for i, option in enumerate(options) if option.correct)
            return Given(picked=picked, **more)
        case Recall(rubric=rubric):
            return Given(covered=tuple(range(len(rubric))), text="words", **more)
        case Number() as question:
            bounds = expected(question)
            assert bounds is not None
            return Given(value=bounds.value, text=str(bounds.value), **more)
        case Index(solution=solution) | Kernel(solution=solution):
            return Given(text=solution or "", solved=True, **more)
        case Spot() as spot:
            return named(spot, *right_place(spot), **more)


def wrong(asked: Asked, **more) -> Given:
    """A wrong answer to any question."""
    match asked.question:
        case Choice(options=options):
            picked = tuple(i for i, option in enumerate(options) if not option.correct)
            return Given(picked=picked, **more)
        case Recall():
            return Given(**more)
        case Number() as question:
            bounds = expected(question)
            assert bounds is not None
            return Given(value=bounds.high + abs(bounds.high) + 1, **more)
        case Index(starter=starter) | Kernel(starter=starter):
            return Given(text=starter or "", **more)
        case Spot() as spot:
            return named(spot, *wrong_place(spot), **more)


def named(spot: Spot, line: int, kind: str, **more) -> Given:
    """A line and a kind of fault, with what the examiner says of them."""
    solved = EXAMINER.spotted(spot).right(line, kind)
    picked = (SPOTTABLE.index(kind),)
    return Given(text=f"line {line}: {kind}", picked=picked, solved=solved, **more)


def answer(study: Study, *, correct: bool = True, **more) -> Graded:
    """Answer the next question and store it."""
    asked = study.next()
    assert asked is not None
    graded = study.grade(asked, (right if correct else wrong)(asked, **more))
    study.commit(graded)
    return graded


def finish(study: Study, narrowed: Filter | None = None) -> list[Graded]:
    """A whole session with right answers; without a filter, go on with the present one."""
    if narrowed is not None:
        study.begin(narrowed)
    done = []
    while study.next() is not None:
        done.append(answer(study, duration_ms=10_000, confidence=Confidence.FAIRLY))
        assert len(done) < 500
    return done


def asked_ids(done: list[Graded]) -> list[str]:
    return [graded.asked.entry.id for graded in done]


EVERYTHING = Filter()
AGAIN, HARD, GOOD, EASY = Rating
