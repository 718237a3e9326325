"""From the event log to what it means: a card's state, its counted answers, what undo would undo.

Pure functions of a question's events in log order. The store calls `project` after every write, and
what it consists of, `advance` and `take_answer`, when it rebuilds: so both give the same tables by
construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from msgspec import Struct
from msgspec.structs import replace as replace_fields

from quizapp.domain.leeches import is_leech
from quizapp.domain.log.answer_fields import AnswerFields, Rated
from quizapp.domain.log.events import (
    UNDOABLE,
    Answered,
    Buried,
    Flagged,
    Hinted,
    LogEntry,
    Placed,
    Rerated,
    Reset,
    Revealed,
    Submitted,
    Suspended,
    Tried,
    Unvoided,
    Voided,
)
from quizapp.domain.rating import Rating
from quizapp.domain.schedule import SEEDED_VERSION, CardMemory, Parameters, review


class Card(Struct, frozen=True, gc=False):
    """What the log says about one question.

    `memory` is None until its first counted answer. `passed`: answered correctly at least once.
    `again_day`: the study day on which its latest answer was wrong, so that it comes back within
    that day; None once it was answered right. `rev`: the revision last answered.
    `buried_until`: it is not asked before this study day. `suspended`: not asked at all, because
    the person wants so or because it became a leech.
    """

    question: str
    memory: CardMemory | None = None
    first_day: int | None = None
    passed: bool = False
    again_day: int | None = None
    rev: int = 0
    buried_until: int | None = None
    suspended: bool = False
    flagged: bool = False


class AnswerFact(Struct, frozen=True, gc=False):
    """One answer that was not undone, as statistics want it.

    `counts`: the day's first attempt, the one that moved the schedule. `was_new`: the card had no
    memory before. `elapsed`: study days since the answer before it, 0 for the first; `interval`:
    how many had been scheduled then. `confidence`: how sure the person said to be. `practice`: no
    schedule and no statistics know of it.
    """

    event: str
    question: str
    kind: str
    study_day: int
    at_ms: int
    counts: bool
    was_new: bool
    correct: bool
    rating: Rating
    duration_ms: int
    elapsed: int
    interval: int = 0
    confidence: int | None = None
    practice: bool = False


class AnswerEffect(Struct, frozen=True, gc=False):
    """What an answer came to, given the card before it; the fields are those of `AnswerFact`."""

    counts: bool
    was_new: bool
    elapsed: int
    interval: int


@dataclass(frozen=True, slots=True)
class PendingSubmission:
    """A submission that the emulator passed, and no GPU has judged: `event` is where it is kept."""

    event: str
    source: str


@dataclass(frozen=True, slots=True)
class Begun:
    """A question's answers that were not undone, and the attempt that no answer has ended yet.

    Practice is among the answers; beyond that it leaves the attempt alone. `tried`: submissions
    that failed, each once, in order; `never_ran`: those that do not count, because nothing of them
    was run. `hints`: how many were shown. `pending`: the latest submission that was left in the
    middle of a GPU's turn.
    """

    answers: int = 0
    tried: tuple[str, ...] = ()
    hints: int = 0
    never_ran: tuple[str, ...] = ()
    pending: PendingSubmission | None = None


@dataclass(frozen=True, slots=True)
class Corrections:
    """What events of one question say of others of it, which are mostly earlier.

    `void`: the ids of those that do not count. `rerated`: by answer, the rating that holds.
    """

    void: Set[str] = frozenset()
    rerated: Mapping[str, Rerated] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Projection:
    """A card and its answers."""

    card: Card
    answers: tuple[AnswerFact, ...]


def project(
    question: str, events: Iterable[LogEntry], parameters: Mapping[str, Parameters]
) -> Projection:
    """Replay one question's events.

    `question`: its canonical id; events of former ids may be among `events`, which are in log
    order. `parameters`: by `Answered.parameters_id`.
    """
    kept = list(events)
    corrections = find_corrections(kept)
    card = Card(question)
    answers: list[AnswerFact] = []
    for event in kept:
        if event.id in corrections.void:
            continue
        card, fact = advance(card, event, corrections.rerated, parameters)
        if fact is not None:
            answers.append(fact)
    return Projection(card, tuple(answers))


def find_corrections(events: Iterable[LogEntry]) -> Corrections:
    """Collect what one question's events, in log order, say of each other."""
    kept = list(events)
    rerated = {e.body.target: e.body for e in kept if isinstance(e.body, Rerated)}
    return Corrections(_find_voided(kept), rerated)


def advance(
    card: Card,
    event: LogEntry,
    rerated: Mapping[str, Rerated],
    parameters: Mapping[str, Parameters],
) -> tuple[Card, AnswerFact | None]:
    """Return the card after one more event that was not undone, and the answer if it is one."""
    if isinstance(event.body, Answered):
        rated = rerated.get(event.id, event.body)
        after, effect = take_answer(card, event.body, rated, parameters)
        return after, _fact(event, card.question, event.body, rated, effect)
    if isinstance(event.body, Placed):
        return _place(card, event.body, parameters), None
    return _mark(card, event), None


def take_answer(
    card: Card, answer: AnswerFields, rated: Rated, parameters: Mapping[str, Parameters]
) -> tuple[Card, AnswerEffect]:
    """Return the card after an answer. A day's second answer, in any process, is a repeat.

    `rated` has the rating that holds, and the due day that was chosen for it.
    """
    memory, day, rating = card.memory, answer.study_day, rated.rating
    elapsed = interval = 0
    counts = not answer.practice
    if memory is not None:
        elapsed = day - memory.last_day
        interval = memory.due_day - memory.last_day
        counts = counts and elapsed > 0
    effect = AnswerEffect(counts, memory is None, max(0, elapsed), interval)
    if answer.practice:
        return card, effect
    failed = rating is Rating.AGAIN
    aside = False
    if counts:
        seeded = answer.scheduler == SEEDED_VERSION
        chosen, used = None if seeded else rated.due_day, parameters[answer.parameters_id]
        memory = review(card.question, memory, rating, day, used, chosen=chosen)
        # Older versions set nothing aside, so neither does a replay of theirs.
        aside = failed and not seeded and is_leech(memory.lapses)
    after = Card(
        question=card.question, memory=memory,
        first_day=day if card.first_day is None else card.first_day,
        passed=card.passed or not failed, again_day=day if failed else None, rev=answer.rev,
        buried_until=card.buried_until, suspended=card.suspended or aside, flagged=card.flagged,
    )  # fmt: skip
    return after, effect


def standing_events(events: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Yield the events that were not undone, in order."""
    kept = list(events)
    void = _find_voided(kept)
    return (event for event in kept if event.id not in void)


def attempt_so_far(events: Iterable[LogEntry]) -> Begun:
    """Collect what events say of the attempt to come: an answer or a reset ends an attempt."""
    kept, begun = list(events), Begun()
    # An answer that was undone had its verdict all the same.
    judged = {e.body.submission for e in kept if isinstance(e.body, Answered | Tried)}
    for event in standing_events(kept):
        match event.body:
            case Answered(practice=True):
                begun = replace(begun, answers=begun.answers + 1)
            case Answered():
                begun = Begun(begun.answers + 1)
            case Reset():
                begun = Begun(begun.answers)
            case Tried(practice=True):
                pass
            case Tried(source=source) as body if body.counts:
                begun = replace(begun, tried=tuple(dict.fromkeys([*begun.tried, source])))
            case Tried(source=source):
                begun = replace(begun, never_ran=tuple(dict.fromkeys([*begun.never_ran, source])))
            case Submitted(source=source) if event.id not in judged:
                begun = replace(begun, pending=PendingSubmission(event.id, source))
            case Hinted(number=number):
                begun = replace(begun, hints=max(begun.hints, number))
            case _:
                pass
    return begun


def undo_target(events: Sequence[LogEntry]) -> LogEntry | None:
    """Find the event that an undo would void: the latest undoable one that stands."""
    done, _ = _stacks(events)
    return done[-1] if done else None


def redo_target(events: Sequence[LogEntry]) -> LogEntry | None:
    """Find the event that a redo would bring back; None once something new was done."""
    _, undone = _stacks(events)
    return undone[-1] if undone else None


def _fact(
    event: LogEntry, question: str, answer: AnswerFields, rated: Rated, effect: AnswerEffect
) -> AnswerFact:
    return AnswerFact(
        event=event.id, question=question, kind=answer.kind, study_day=answer.study_day,
        at_ms=event.at_ms, counts=effect.counts, was_new=effect.was_new, correct=answer.correct,
        rating=rated.rating, duration_ms=answer.duration_ms, elapsed=effect.elapsed,
        interval=effect.interval, confidence=answer.confidence, practice=bool(answer.practice),
    )  # fmt: skip


def _place(card: Card, body: Placed, parameters: Mapping[str, Parameters]) -> Card:
    """Return the card of a question that a placement found known; one with a schedule keeps it."""
    if card.memory is not None:
        return card
    used = parameters[body.parameters_id]
    memory = review(card.question, None, Rating.EASY, body.study_day, used)
    return replace_fields(card, memory=memory, first_day=body.study_day, passed=True, rev=body.rev)


def _mark(card: Card, event: LogEntry) -> Card:
    """Return the card after an event that is not an answer."""
    match event.body:
        case Buried(until=until):
            return replace_fields(card, buried_until=until)
        case Revealed(study_day=day):
            return replace_fields(card, buried_until=max(day + 1, card.buried_until or 0))
        case Suspended(on=on):
            return replace_fields(card, suspended=on)
        case Flagged(on=on):
            return replace_fields(card, flagged=on)
        case Reset():
            return Card(card.question, flagged=card.flagged)
        case _:
            return card


def _find_voided(events: Iterable[LogEntry]) -> set[str]:
    """Collect ids of events that do not count, after all undos and redos in order."""
    void: set[str] = set()
    for event in events:
        if isinstance(event.body, Voided):
            void.add(event.body.target)
        elif isinstance(event.body, Unvoided):
            void.discard(event.body.target)
    return void


def _stacks(events: Iterable[LogEntry]) -> tuple[list[LogEntry], list[LogEntry]]:
    """Separate what stands from what was undone, latest last; a new act empties the second."""
    done: list[LogEntry] = []
    undone: list[LogEntry] = []
    for event in events:
        body = event.body
        if isinstance(body, UNDOABLE):
            done.append(event)
            undone.clear()
        elif isinstance(body, Voided):
            _move(body.target, done, undone)
        elif isinstance(body, Unvoided):
            _move(body.target, undone, done)
    return done, undone


def _move(target: str, source: list[LogEntry], destination: list[LogEntry]) -> None:
    """Move the event `target` between the stacks, if it is there."""
    for position in reversed(range(len(source))):
        if source[position].id == target:
            destination.append(source.pop(position))
            return
