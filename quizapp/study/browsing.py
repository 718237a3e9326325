"""All questions as a person looks through them: listed, and one of them shown or revealed.

Reads the study and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from quizapp.deck import ordering
from quizapp.deck.index import Entry
from quizapp.domain import queue
from quizapp.domain.actions import RevealAction, TakeKey, TakeVerdict
from quizapp.domain.attempt import Attempt, advance
from quizapp.domain.languages import put_in
from quizapp.domain.log.events import Answered
from quizapp.domain.log.projection import AnswerFact, Card, project, standing_events
from quizapp.domain.question import (
    AnyQuestion,
    Choice,
    CodeLanguage,
    Index,
    Kernel,
    PutQuestion,
    Spot,
    Trace,
)
from quizapp.domain.queue import Item, Stage
from quizapp.domain.rating import Confidence
from quizapp.exercises import layouts, spots, traces
from quizapp.exercises.drawing import first_case
from quizapp.study.examiner import Examiner
from quizapp.study.overview import recall_chance
from quizapp.study.service import Study
from quizapp.study.sessions import recording
from quizapp.study.sessions.drawing import linked_questions
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
    RESTING = "resting"
    """Its pack is switched off."""
    HELD = "held"
    """It cannot run: an extra is missing, or the person's consent."""


MARKS = (
    *("certain-and-wrong", "gave-up", "wrong", "guess", "hint", "certain", "right", "lapses"),
    *("flagged", "changed", "half-written"),
)
"""What can be said of a question beside its state: how the latest answer went, first of all."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One question in the list.

    `due_in`: days until it returns, negative when overdue, None while that has no meaning.
    `marks`: those of `MARKS` that apply. `left_out`: the plan has no time for it.
    """

    entry: Entry
    card: Card
    state: State
    due_in: int | None
    marks: frozenset[str] = frozenset()
    left_out: bool = False

    @property
    def lapses(self) -> int:
        """How often it was forgotten."""
        return self.card.memory.lapses if self.card.memory is not None else 0


LEFT_OUT = "left-out"
HALF_WRITTEN = "half-written"
FILTERS = (
    *("all", *(state.value for state in State)),
    *("flagged", "changed", HALF_WRITTEN, LEFT_OUT),
)
"""What the list can be narrowed to, beside the search."""


@dataclass(frozen=True, slots=True)
class RevealedAnswer:
    """A question that is shown without being asked."""

    turn: Turn
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class QuestionDetails(RevealedAnswer):
    """One question, with its answer or without, and what is known of it.

    `chance`: of recall now, 0–1. `needed`: the questions that must be known before it is asked.
    `held_back`: it cannot run.
    """

    listed: Listed
    history: tuple[AnswerFact, ...]
    chance: float
    needed: tuple[AnyQuestion, ...] = ()
    held_back: bool = False


def list_questions(study: Study) -> tuple[Listed, ...]:
    """List every question of the deck by topic and difficulty; those of packs that are off last."""
    day, latest = study.day, study.store.latest_answers()

    def place(entry: Entry) -> tuple[bool, str, int, str]:
        return entry.pack not in study.course.packs_on, entry.topic, entry.difficulty, entry.id

    entries = sorted(study.deck.entries.values(), key=place)
    planned = study.plan.split_new()
    left_out = {each.question for each in planned[1]} if planned is not None else set()
    begun = frozenset(study.attempts.half_written())
    rows = (_list_entry(study, entry, day, latest.get(entry.id)) for entry in entries)
    return tuple(
        replace(
            row,
            left_out=row.entry.id in left_out,
            marks=row.marks | ({HALF_WRITTEN} if row.entry.id in begun else frozenset()),
        )
        for row in rows
    )


def passes(row: Listed, narrowed: str) -> bool:
    """Return True if the row is among those that `narrowed`, one of `FILTERS`, names."""
    if narrowed == LEFT_OUT:
        return row.left_out
    return narrowed == "all" or narrowed in row.marks or narrowed == row.state.value


def details(study: Study, question: str, *, reveals: bool) -> QuestionDetails:
    """Collect everything about one question of the deck; without `reveals` the answer is hidden."""
    entry = study.deck.entries[question]
    events = study.store.events(question)
    latest = None
    for event in standing_events(events):
        if isinstance(event.body, Answered) and not event.body.practice:
            latest = event.body
    listed = _list_entry(study, entry, study.day, latest)
    show = reveal if reveals else _put
    language = study.settings.code_language
    shown = show(entry, study.deck.question(question), listed.card, language)
    linked = linked_questions(study.deck, entry, shown.turn.question)
    return QuestionDetails(
        turn=replace(shown.turn, linked=linked),
        attempt=shown.attempt,
        listed=listed,
        history=project(question, events, study.store.parameters()).answers,
        chance=recall_chance(study, listed.card, study.day),
        needed=tuple(map(study.deck.question, filter(study.deck.entries.get, entry.requires))),
        held_back=question in study.course.held_back.questions,
    )


def reveal(
    entry: Entry, question: AnyQuestion, card: Card, language: CodeLanguage = "python"
) -> RevealedAnswer:
    """Show all of a question: every option with its reason, every hint, the answer.

    What only the emulator knows is missing: see `examine`.

    Raises NotComputable, BadExercise: it has no answer; compiling leaves such questions out.
    """
    turn = _turn(entry, question, card, language)
    attempt = advance(turn.begin(0, asks_confidence=False), RevealAction(0))
    if isinstance(turn.question, Index):
        solution = layouts.check(turn.question, turn.question.solution)
        attempt = advance(attempt, TakeVerdict(0, solution))
    return RevealedAnswer(turn, attempt)


def _put(entry: Entry, question: AnyQuestion, card: Card, language: CodeLanguage) -> RevealedAnswer:
    """Show a question as it might be asked: the order of a choice's options says nothing."""
    turn = _turn(entry, question, card, language)
    turn = replace(turn, order=recording.draw_order(turn.question, entry.id, 0))
    return RevealedAnswer(turn, turn.begin(0, asks_confidence=False))


def _turn(entry: Entry, question: AnyQuestion, card: Card, language: CodeLanguage) -> Turn:
    question, drawn = _first_case(put_in(question, language))
    options = tuple(range(len(question.options))) if isinstance(question, Choice) else ()
    item = Item(entry.id, entry.topic, Stage.NEW, entry.kind)
    return Turn(item, entry, question, card, position=1, total=1, order=options, drawn=drawn)


def examine(attempt: Attempt, examiner: Examiner) -> Attempt:
    """Add what the emulator says of a revealed question: of a solution, or of code with a bug.

    Takes some 50 ms, and half a second where the examiner's process must be started.

    Raises Ungraded, Cancelled: it says nothing.
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
        drawn = traces.build_trace(question, first_case(question.draw))
    else:
        drawn = spots.build_spot(question, first_case(question.draw))
    return drawn.question, drawn


def _list_entry(study: Study, entry: Entry, day: int, latest: Answered | None) -> Listed:
    card = study.progress.card(entry.id)
    state = _state(entry, card, day)
    if study.course.rests(entry.id):
        state = State.RESTING
    elif entry.id in study.course.held_back.questions:
        state = State.HELD
    due_in = None
    if state is State.BURIED:
        due_in = (card.buried_until or day) - day
    elif card.memory is not None and state not in (State.SUSPENDED, State.RESTING, State.HELD):
        due_in = card.memory.due_day - day
        due_in = min(due_in, 0) if state is State.DUE else due_in
    return Listed(entry, card, state, due_in, frozenset(_marks(entry, card, latest)))


def _marks(entry: Entry, card: Card, latest: Answered | None) -> Iterator[str]:
    if card.flagged:
        yield "flagged"
    if entry.changed:
        yield "changed"
    if card.memory is None or latest is None:
        return
    if card.memory.lapses:
        yield "lapses"
    if latest.gave_up:
        yield "gave-up"
    if latest.hints:
        yield "hint"
    yield "right" if latest.correct else "wrong"
    if latest.confidence == Confidence.GUESS:
        yield "guess"
    if latest.confidence == Confidence.CERTAIN:
        yield "certain" if latest.correct else "certain-and-wrong"


def _state(entry: Entry, card: Card, day: int) -> State:
    if card.suspended:
        return State.SUSPENDED
    if card.buried_until is not None and card.buried_until > day:
        return State.BURIED
    stage = queue.stage_of(ordering.candidate(entry), card, day)
    if stage is Stage.NEW:
        return State.NEW
    return State.KNOWN if stage is None else State.DUE
