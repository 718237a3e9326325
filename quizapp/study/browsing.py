"""All questions as a person looks through them: listed, searched, and one of them revealed.

Reads the study and changes nothing; the search is a pure function of what was listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from quizapp.deck import ordering
from quizapp.deck.index import Entry
from quizapp.domain import queue
from quizapp.domain.actions import Reveal, TakeKey, TakeVerdict
from quizapp.domain.attempt import Attempt, advance
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
from quizapp.domain.queue import Item, Stage
from quizapp.exercises import layouts, spots, traces
from quizapp.study.examiner import Examiner
from quizapp.study.overview import recall_chance
from quizapp.study.service import Study
from quizapp.study.values import Turn

if TYPE_CHECKING:
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import DrawnTrace


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
class Revealed:
    """A question with everything shown."""

    turn: Turn
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class QuestionDetails(Revealed):
    """One question with everything shown, and what is known of it.

    `chance`: of recall now, 0–1. `held_back`: its Python may not run.
    """

    listed: Listed
    history: tuple[AnswerFact, ...]
    chance: float
    held_back: bool = False


def list_questions(study: Study) -> tuple[Listed, ...]:
    """List every question of the deck, by topic and difficulty."""
    day = study.day
    entries = sorted(study.deck.entries.values(), key=lambda e: (e.topic, e.difficulty, e.id))
    return tuple(_list_entry(study, entry, day) for entry in entries)


def passes(row: Listed, narrowed: str) -> bool:
    """Return True if the row is among those that `narrowed`, one of `FILTERS`, names."""
    marks = {"all": True, "flagged": row.card.flagged, "changed": row.entry.changed}
    return marks.get(narrowed, row.state.value == narrowed)


def searchable(study: Study) -> dict[str, str]:
    """Collect what a search looks at, by question: its words in every language, case folded.

    Decodes the whole deck (25 ms a thousand questions), which the list alone does not need.
    """
    return {
        name: _search_text(entry, study.deck.question(name))
        for name, entry in study.deck.entries.items()
    }


def match(rows: Sequence[Listed], texts: Mapping[str, str], query: str) -> tuple[Listed, ...]:
    """Return the rows in whose text every word of `query` occurs; case does not matter."""
    words = query.casefold().split()
    return tuple(row for row in rows if all(word in texts[row.entry.id] for word in words))


def details(study: Study, question: str) -> QuestionDetails:
    """Collect everything about one question of the deck."""
    entry = study.deck.entries[question]
    listed = _list_entry(study, entry, study.day)
    events = study.store.events(question)
    shown = reveal(entry, study.deck.question(question), listed.card)
    return QuestionDetails(
        turn=shown.turn,
        attempt=shown.attempt,
        listed=listed,
        history=project(question, events, study.store.parameters()).answers,
        chance=recall_chance(study, listed.card, study.day),
        held_back=question in study.held_back.questions,
    )


def reveal(entry: Entry, question: AnyQuestion, card: Card) -> Revealed:
    """Show all of a question: every option with its reason, every hint, the answer.

    What only the emulator knows is missing: see `examine`.

    Raises:
        NotComputable, BadExercise: it has no answer; compiling leaves such questions out.
    """
    question, drawn = _first_case(question)
    options = tuple(range(len(question.options))) if isinstance(question, Choice) else ()
    item = Item(entry.id, entry.topic, Stage.NEW, entry.kind)
    turn = Turn(item, entry, question, card, position=1, total=1, order=options, drawn=drawn)
    attempt = advance(turn.begin(0, asks_confidence=False), Reveal(0))
    if isinstance(question, Index):
        solution = layouts.check(question, question.solution)
        attempt = advance(attempt, TakeVerdict(0, solution))
    return Revealed(turn, attempt)


def examine(attempt: Attempt, examiner: Examiner) -> Attempt:
    """Add what the emulator says of a revealed question: of a solution, or of code with a bug.

    Takes some 50 ms, and half a second where the examiner's process must be started.

    Raises:
        Ungraded, Cancelled: it says nothing.
    """
    match attempt.question:
        case Kernel() as kernel:
            return advance(attempt, TakeVerdict(0, examiner.check(kernel, kernel.solution or "")))
        case Spot() as spot:
            return advance(attempt, TakeKey(0, examiner.find_bug(spot)))
    return attempt


def _first_case(question: AnyQuestion) -> tuple[PutQuestion, DrawnTrace | DrawnSpot | None]:
    """Return the question as it is asked with the first of what may be drawn."""
    if not isinstance(question, Trace | Spot):
        return question, None
    drawn: DrawnTrace | DrawnSpot
    if isinstance(question, Trace):
        drawn = traces.build_trace(question, traces.cases(question)[0])
    else:
        drawn = spots.build_spot(question, spots.spot_cases(question)[0])
    return drawn.question, drawn


def _list_entry(study: Study, entry: Entry, day: int) -> Listed:
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
    stage = queue.stage_of(ordering.candidate(entry), card, day)
    if stage is Stage.NEW:
        return State.NEW
    return State.KNOWN if stage is None else State.DUE


def _search_text(entry: Entry, question: AnyQuestion) -> str:
    parts = [entry.id, entry.topic, entry.concept, *question.tags, *_proses(question)]
    return "\n".join(parts).casefold()


def _proses(question: AnyQuestion) -> Iterator[str]:
    """Yield every text of a question, in every language."""
    values: list[Prose] = [question.prompt, question.explanation]
    if isinstance(question, Choice):
        values += (option.text for option in question.options)
    if isinstance(question, Recall):
        values.append(question.answer)
    for value in values:
        yield from {prose(value, language) for language in LANGUAGES}
