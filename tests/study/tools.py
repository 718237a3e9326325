"""What the study's tests are made with: a clock that stands where it is put, and answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from quizapp.deck.deck import Deck, load
from quizapp.deck.index import Entry
from quizapp.domain.actions import Submit, TakeVerdict, Write
from quizapp.domain.attempt import Attempt, Response, advance
from quizapp.domain.days import Instant, local_day
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import Choice, Index, Kernel, Number, Recall, Spot
from quizapp.domain.rating import Confidence, Effort, Rating
from quizapp.exercises.numbers import compute_answer
from quizapp.store.store import Store
from quizapp.study.home_values import Filter
from quizapp.study.service import Study
from quizapp.study.values import GradedResponse, Turn
from quizapp.system.config import Settings
from quizapp.system.extras import find_missing
from tests.examining import EXAMINER, right_place, wrong_place
from tests.foreign import ALL_OWN

ROOT = Path(__file__).parents[2]
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NOON = Instant(20_000 * DAY_MS + 11 * HOUR_MS, 3600)
"""Noon of study day 20,000 in Berlin's winter."""
TODAY = local_day(NOON)


@dataclass
class FixedClock:
    """Stands still until it is moved."""

    moment: Instant = NOON

    def now(self) -> Instant:
        return self.moment

    def move(self, *, days: float = 0, hours: float = 0, offset_s: int | None = None) -> None:
        utc_ms = self.moment.utc_ms + round(days * DAY_MS + hours * HOUR_MS)
        self.moment = Instant(utc_ms, self.moment.offset_s if offset_s is None else offset_s)


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
        study = Study(deck or self.deck, store, self.settings, self.clock, lambda: ALL_OWN)
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


EFFORT = ("hints", "failures", "gave_up", "duration_ms", "confidence")


def respond(**more) -> Response:
    """A response, and the effort it took."""
    effort = Effort(**{name: more.pop(name) for name in EFFORT if name in more})
    return Response(effort=effort, **more)


def submit_code(study: Study, turn: Turn, attempt: Attempt, source: str) -> Attempt:
    """The attempt after code was submitted and graded, 1 s after the action before."""
    now_ms = attempt.at_ms + 1000
    attempt = advance(advance(attempt, Write(now_ms, source)), Submit(now_ms))
    return advance(attempt, TakeVerdict(now_ms, study.attempts.check(turn, source)))


def right(turn: Turn, **more) -> Response:
    """The right answer to any question."""
    match turn.question:
        case Choice(options=options):
            picked = tuple(i for i, option in enumerate(options) if option.correct)
            return respond(picked=picked, **more)
        case Recall(rubric=rubric):
            more = {"text": "words for each of them"} | more
            return respond(covered=tuple(range(len(rubric))), **more)
        case Number() as question:
            bounds = compute_answer(question)
            assert bounds is not None
            return respond(value=bounds.value, text=str(bounds.value), **more)
        case Index(solution=solution) | Kernel(solution=solution):
            return respond(text=solution or "", credit=1.0, **more)
        case Spot() as spot:
            return name_bug(spot, *right_place(spot), **more)


def wrong(turn: Turn, **more) -> Response:
    """A wrong answer to any question."""
    match turn.question:
        case Choice(options=options):
            picked = tuple(i for i, option in enumerate(options) if not option.correct)
            return respond(picked=picked, **more)
        case Recall():
            return respond(**more)
        case Number() as question:
            bounds = compute_answer(question)
            assert bounds is not None
            return respond(value=bounds.high + abs(bounds.high) + 1, **more)
        case Index(starter=starter) | Kernel(starter=starter):
            return respond(text=starter or "", **more)
        case Spot() as spot:
            return name_bug(spot, *wrong_place(spot), **more)


def name_bug(spot: Spot, line: int, kind: str, **more) -> Response:
    """A line and a kind of fault, with what the examiner says of them."""
    credit = EXAMINER.find_bug(spot).score(line, kind)
    picked = (SPOTTABLE.index(kind),)
    return respond(text=f"line {line}: {kind}", picked=picked, credit=credit, **more)


def answer(study: Study, *, correct: bool = True, **more) -> GradedResponse:
    """Answer the next question and store it."""
    asked = study.session.next()
    assert asked is not None
    graded = study.session.grade(asked, (right if correct else wrong)(asked, **more))
    study.session.commit(graded)
    return graded


def finish(study: Study, narrowed: Filter | None = None) -> list[GradedResponse]:
    """A whole session with right answers; without a filter, go on with the present one."""
    if narrowed is not None:
        study.session.begin(narrowed)
    done = []
    while study.session.next() is not None:
        done.append(answer(study, duration_ms=10_000, confidence=Confidence.FAIRLY))
        assert len(done) <= 2 * len(study.deck.entries)  # it comes to an end
    return done


def asked_ids(done: list[GradedResponse]) -> list[str]:
    return [graded.turn.entry.id for graded in done]


def on_by_default(deck: Deck) -> dict[str, Entry]:
    """The questions of the packs that are on by default, less those without their extra."""
    on = deck.packs_on({})
    entries = deck.entries.items()
    return {n: each for n, each in entries if each.pack in on and not find_missing(each.extra)}


EVERYTHING = Filter()
AGAIN, HARD, GOOD, EASY = Rating
