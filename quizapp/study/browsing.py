"""All questions as a person looks through them: listed, searched, and one of them laid open.

Reads the study and changes nothing; the search is a pure function of what was listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from quizapp.deck.index import Entry
from quizapp.domain import session
from quizapp.domain.grading import Grade
from quizapp.domain.projection import AnswerFact, Card, project
from quizapp.domain.question import (
    LANGUAGES,
    AnyQuestion,
    Choice,
    Index,
    Kernel,
    Prose,
    PutQuestion,
    Recall,
    Spot,
    Trace,
    prose,
)
from quizapp.domain.rating import Rating, Rule, Suggestion
from quizapp.domain.session import Candidate, Item, Stage
from quizapp.study.attempt import expected
from quizapp.study.examiner import Examiner
from quizapp.study.overview import recall_chance
from quizapp.study.service import Study
from quizapp.study.trial import Phase, Trial
from quizapp.study.values import Asked, Given, Graded

if TYPE_CHECKING:
    from quizapp.exercises.layouts import Checked
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import Drawn


class State(StrEnum):
    """How a question stands today."""

    NEW = "new"
    KNOWN = "known"
    DUE = "due"
    SUSPENDED = "suspended"
    BURIED = "buried"


@dataclass(frozen=True, slots=True)
class Listed:
    """One question in the list.

    `due_in`: days until it returns, negative when overdue, None while that has no meaning.
    """

    entry: Entry
    card: Card
    state: State
    due_in: int | None


FILTERS = ("all", *(state.value for state in State), "flagged", "changed")
"""What the list can be narrowed to, beside the search."""


@dataclass(frozen=True, slots=True)
class LaidOpen:
    """One question with everything shown, and what is known of it. `chance`: of recall now, 0–1."""

    listed: Listed
    trial: Trial
    history: tuple[AnswerFact, ...]
    chance: float


def listing(study: Study) -> tuple[Listed, ...]:
    """Every question of the deck, by topic and difficulty."""
    day = study.day
    entries = sorted(study.deck.entries.values(), key=lambda e: (e.topic, e.difficulty, e.id))
    return tuple(_listed(study, entry, day) for entry in entries)


def passes(row: Listed, narrowed: str) -> bool:
    """Whether the row is of what `narrowed`, one of `FILTERS`, names."""
    marks = {"all": True, "flagged": row.card.flagged, "changed": row.entry.changed}
    return marks.get(narrowed, row.state.value == narrowed)


def searchable(study: Study) -> dict[str, str]:
    """What a search looks at, by question: all its words in every language, case folded.

    Decodes the whole deck (25 ms a thousand questions), which the list alone does not need.
    """
    return {
        name: _searched(entry, study.deck.question(name))
        for name, entry in study.deck.entries.items()
    }


def matching(rows: Sequence[Listed], texts: Mapping[str, str], query: str) -> tuple[Listed, ...]:
    """The rows in whose text every word of `query` occurs; case does not matter."""
    words = query.casefold().split()
    return tuple(row for row in rows if all(word in texts[row.entry.id] for word in words))


def lay_open(study: Study, question: str) -> LaidOpen:
    """Everything about one question of the deck."""
    entry = study.deck.entries[question]
    listed = _listed(study, entry, study.day)
    events = study.store.events(question)
    return LaidOpen(
        listed=listed,
        trial=revealed(entry, study.deck.question(question), listed.card),
        history=project(question, events, study.store.parameters()).answers,
        chance=recall_chance(study, listed.card, study.day),
    )


def revealed(entry: Entry, question: AnyQuestion, card: Card) -> Trial:
    """The question as it is drawn when all of it is shown: every option with its reason.

    What only the emulator knows is missing: see `examined`.

    Raises:
        NotComputable, BadExercise: it has no answer; compiling leaves such questions out.
    """
    question, drawn = _first_case(question)
    options = tuple(range(len(question.options))) if isinstance(question, Choice) else ()
    points = range(len(question.rubric)) if isinstance(question, Recall) else ()
    item = Item(entry.id, entry.topic, Stage.NEW)
    asked = Asked(item, entry, question, card, position=1, total=1, order=options, drawn=drawn)
    graded = Graded(
        asked=asked,
        given=Given(picked=options, covered=tuple(points)),
        grade=Grade(correct=True, score=1.0),
        suggestion=Suggestion(Rating.GOOD, Rule.UNAIDED),
        days={},
        expected=expected(question),
        events=(),
    )
    return Trial(
        asked,
        asks_confidence=False,
        phase=Phase.GRADED,
        picked=frozenset(options),
        covered=frozenset(points),
        hints=len(question.hints),
        gave_up=isinstance(question, Spot),
        checked=_solved(question),
        graded=graded,
    )


def examined(trial: Trial, examiner: Examiner) -> Trial:
    """A revealed question with what the emulator says: of a solution, or of code with a fault.

    Takes some 50 ms, and half a second where the examiner's process must be started.

    Raises:
        Ungraded, Cancelled: it says nothing.
    """
    match trial.asked.question:
        case Kernel() as kernel:
            return replace(trial, checked=examiner.check(kernel, kernel.solution or ""))
        case Spot() as spot:
            return replace(trial, spotted=examiner.spotted(spot))
    return trial


def _first_case(question: AnyQuestion) -> tuple[PutQuestion, Drawn | DrawnSpot | None]:
    """The question as it is put with the first of what may be drawn."""
    if not isinstance(question, Trace | Spot):
        return question, None
    from quizapp.exercises.spots import drawn_spot, spot_cases  # noqa: PLC0415 - NumPy, 80 ms
    from quizapp.exercises.traces import cases, drawn  # noqa: PLC0415

    if isinstance(question, Trace):
        found = drawn(question, cases(question)[0])
        return found.question, found
    put = drawn_spot(question, spot_cases(question)[0])
    return put.question, put


def _solved(question: PutQuestion) -> Checked | None:
    """What the grader says of an exercise's solution."""
    if not isinstance(question, Index):
        return None
    from quizapp.exercises.layouts import check  # noqa: PLC0415 - NumPy, 80 ms

    return check(question, question.solution)


def _listed(study: Study, entry: Entry, day: int) -> Listed:
    card = study.card(entry.id)
    state = _state(entry, card, day)
    due_in = None
    if card.memory is not None and state is not State.SUSPENDED:
        due_in = card.memory.due_day - day
        due_in = min(due_in, 0) if state is State.DUE else due_in
    return Listed(entry, card, state, due_in)


def _state(entry: Entry, card: Card, day: int) -> State:
    if card.suspended:
        return State.SUSPENDED
    if card.buried_until is not None and card.buried_until > day:
        return State.BURIED
    candidate = Candidate(entry.id, entry.topic, entry.requires, entry.rev)
    stage = session.stage_of(candidate, card, day)
    if stage is Stage.NEW:
        return State.NEW
    return State.KNOWN if stage is None else State.DUE


def _searched(entry: Entry, question: AnyQuestion) -> str:
    parts = [entry.id, entry.topic, entry.concept, *question.tags, *_proses(question)]
    return "\n".join(parts).casefold()


def _proses(question: AnyQuestion) -> Iterator[str]:
    """Every text of a question, in every language."""
    values: list[Prose] = [question.prompt, question.explanation]
    if isinstance(question, Choice):
        values += (option.text for option in question.options)
    if isinstance(question, Recall):
        values.append(question.answer)
    for value in values:
        yield from {prose(value, language) for language in LANGUAGES}
