"""Progress to Anki and back: reviews and due dates of our questions, and notes of other origin.

A review is known by its note and its time, so that importing a package twice changes nothing, and
two machines that import it hold the same events.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, json

from quizapp.deck.installing import anki_pack
from quizapp.deck.installing.anki_pack import OTHER_PACK, ForeignNote
from quizapp.domain.days import Instant, local_day
from quizapp.domain.log.erasing import find_tombstones
from quizapp.domain.log.event_bounds import find_implausible, is_ahead
from quizapp.domain.log.events import Answered, ParametersSet, Suspended
from quizapp.domain.log.projection import AnswerFact, find_corrections, project
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import SEEDED_VERSION, Parameters
from quizapp.exercises.faults import BadExercise
from quizapp.store.foreign import Arrival, Brought
from quizapp.store.safety.salvage import EventRow
from quizapp.study import browsing
from quizapp.study.transfer import withdrawing
from quizapp.study.transfer.anki_package import (
    Collection,
    Note,
    ReadNote,
    Review,
    Schedule,
    read_package,
    write_package,
)

if TYPE_CHECKING:
    from pathlib import Path

    from quizapp.deck.index import Entry
    from quizapp.study.browsing import RevealedAnswer
    from quizapp.study.service import Study
    from quizapp.system.paths import Paths

_GUID = "quiz:"
"""Begins the guid of a note that is a question of ours; the question's id follows."""
_FIRST, _REVIEW, _AGAIN, _PRACTICE = range(4)
_SAME_MS = 100
"""A review within so much of an answer with the same rating is that answer, exported before."""
_LONGEST_MS = 86_400_000

Progress = Callable[[int], None]
"""Gets the number of questions that are done."""


class Fields(Protocol):
    """A question as the fields of a note, in HTML, and the files that they show."""

    @property
    def front(self) -> str:
        """The prompt."""

    @property
    def back(self) -> str:
        """The answer and its explanation."""

    @property
    def figure(self) -> str:
        """The picture below the answer; empty if there is none."""

    @property
    def sources(self) -> str:
        """Where it is from."""

    @property
    def media(self) -> dict[str, bytes]:
        """The files that it shows, by name."""


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """What a package holds beside notes, suspensions and reviews of first cards.

    Attributes:
        cards: second and further cards of a note, with their reviews.
        pictures: of notes that become questions; their names stay in the text.
        due_days: of cards without a review, which begin as new. With reviews, FSRS computes them.
        reviews: dated after today, or with other values that no answer has.
    """

    cards: int = 0
    pictures: int = 0
    due_days: int = 0
    reviews: int = 0


@dataclass(frozen=True, slots=True)
class PackagePlan:
    """What importing a package would do.

    Attributes:
        rows: the events that the log does not hold.
        answers: how many of them are answers.
        known: reviews that it holds, or that were exported from it.
        notes: notes of other origin that become questions of the pack `anki`.
        suspended: questions that Anki does not ask, and that are not asked here from now on.
        skipped: notes without a question or without an answer.
        left_behind: what a package holds and is not taken over.
        erased: reviews that `quiz erase` erased.
        returning: undone imports that brought reviews of the package; importing brings them back.
    """

    rows: tuple[EventRow, ...]
    answers: int
    known: int
    notes: tuple[ForeignNote, ...]
    suspended: int
    skipped: int
    left_behind: LeftBehind
    erased: int
    returning: tuple[Brought, ...] = ()


def export_package(
    study: Study, path: Path, write: Callable[[RevealedAnswer], Fields], progress: Progress
) -> int:
    """Write every question as a note with its schedule and its reviews; return how many.

    `write` makes the fields of a note.
    """
    notes, media = [], dict[str, bytes]()
    candidates = [candidate.question for candidate in study.course.every_candidate()]
    parameters = study.store.parameters()
    for number, name in enumerate(candidates):
        progress(number)
        entry = study.deck.entries[name]
        try:
            shown = browsing.reveal(entry, study.deck.question(name), study.progress.card(name))
        except BadExercise:
            continue
        fields = write(shown)
        media.update(fields.media)
        answered = name in study.progress.cards  # hundreds of questions were not: nothing to read
        reviews = tuple(_reviews(study, name, parameters)) if answered else ()
        notes.append(_note(study, entry, fields, reviews))
    now = study.clock.now()
    write_package(path, notes, media, now.utc_ms, now.offset_s)
    return len(notes)


def _note(study: Study, entry: Entry, fields: Fields, reviews: tuple[Review, ...]) -> Note:
    card = study.progress.card(entry.id)
    schedule = None
    if card.memory is not None:
        known = card.memory
        schedule = Schedule(
            due_day=known.due_day,
            interval=known.due_day - known.last_day,
            stability=known.stability,
            difficulty=known.difficulty,
            retention=study.progress.parameters.retention,
            repetitions=known.repetitions,
            lapses=known.lapses,
        )
    return Note(
        guid=f"{_GUID}{entry.id}", deck=f"quiz::{entry.pack}::{entry.topic}", front=fields.front,
        back=fields.back, figure=fields.figure, sources=fields.sources,
        tags=(entry.kind, entry.concept), schedule=schedule, suspended=card.suspended,
        reviews=reviews,
    )  # fmt: skip


def _reviews(study: Study, question: str, parameters: Mapping[str, Parameters]) -> Iterator[Review]:
    """Return the answers to a question that were not undone, as Anki logs reviews."""
    events = study.store.events(question)
    due = {e.id: e.body.due_day for e in events if isinstance(e.body, Answered)}
    due |= {target: body.due_day for target, body in find_corrections(events).rerated.items()}
    before = 0
    for answer in project(question, events, parameters).answers:
        days = max(1, due[answer.event] - answer.study_day)
        yield Review(
            at_ms=answer.at_ms,
            ease=int(answer.rating),
            days=days,
            days_before=before,
            duration_ms=min(answer.duration_ms, _LONGEST_MS),
            kind=_kind(answer),
        )
        before = days if answer.counts else before


def _kind(answer: AnswerFact) -> int:
    if answer.practice:
        return _PRACTICE
    if not answer.counts:
        return _AGAIN
    return _FIRST if answer.was_new else _REVIEW


def plan_package(study: Study, path: Path, progress: Progress) -> PackagePlan:
    """Read a package and find what importing it would do. Nothing is changed.

    Raises BadImport: it cannot be read.
    """
    collection = read_package(path)
    reviews: dict[str, EventRow] = {}
    suspensions: dict[str, EventRow] = {}
    left = LeftBehind()
    notes, skipped, known = [], 0, 0
    for number, note in enumerate(collection.notes):
        progress(number)
        question = note.guid.removeprefix(_GUID)
        if note.guid == question or question not in study.deck.entries:
            made = anki_pack.as_question(note.id, note.fields, note.deck)
            if made is None:
                skipped += 1
                continue
            question = f"{OTHER_PACK}/{made.id}"
            if question not in study.deck.entries:
                notes.append(made)
                left = replace(left, pictures=left.pictures + made.pictures)
        left = replace(
            left,
            cards=left.cards + max(0, note.cards - 1),
            due_days=left.due_days + (note.scheduled and not note.reviews),
        )
        if note.suspended and not study.progress.card(question).suspended:
            row = _as_suspension(note, question)
            suspensions[row.id] = row
        brought = list(_as_events(study, collection, note, question))
        taken = sum(map(_is_review, note.reviews))
        left = replace(left, reviews=left.reviews + taken - len(brought))
        ours = _answered(study, question) if brought else set()
        for row, rating in brought:
            if any((at_ms, rating) in ours for at_ms in range(row.at_ms - _SAME_MS, row.at_ms + 1)):
                known += 1
            else:
                reviews[row.id] = row
    held = study.store.find_known(reviews)
    tombstones = find_tombstones(study.store.erases())
    fresh = [row for name, row in reviews.items() if name not in held]
    rows = [row for row in fresh if not tombstones.cover(row)]
    there = study.store.find_known(suspensions)
    new_suspensions = [
        row for name, row in suspensions.items() if name not in there and not tombstones.cover(row)
    ]
    needed = [_parameters_row()] if rows and _PARAMETERS.id not in study.store.parameters() else []
    return PackagePlan(
        rows=(*needed, *rows, *new_suspensions),
        answers=len(rows),
        known=known + len(held),
        notes=tuple(notes),
        suspended=len(new_suspensions),
        skipped=skipped,
        left_behind=left,
        erased=len(fresh) - len(rows),
        returning=_find_returning(study, [row for name, row in reviews.items() if name in held]),
    )


def _find_returning(study: Study, rows: Sequence[EventRow]) -> tuple[Brought, ...]:
    """Find the imports that were undone and brought one of these."""
    withdrawn = study.store.withdrawn_imports()
    return tuple(brought for brought in withdrawn if any(map(brought.covers, rows)))


def import_package(study: Study, paths: Paths, plan: PackagePlan, name: str) -> Path | None:
    """Write the questions and take in the reviews; return the file of the questions, if any.

    Raises StoreError, EnvironmentProblem: nothing was changed.
    """
    now = study.clock.now()
    file = None
    if plan.notes:
        file = anki_pack.write_pack(paths.own_content, plan.notes, now.utc_ms)
    try:
        study.store.take_in(plan.rows, Arrival(uuid.uuid4().hex, "import", name, now.utc_ms))
        withdrawing.bring_back(study.store, plan.returning, now.utc_ms)
    except BaseException:
        if file is not None:
            file.unlink(missing_ok=True)
        raise
    return file


def _answered(study: Study, question: str) -> set[tuple[int, int]]:
    """Return when a question was answered, as logged, with the ratings that hold or held."""
    events = study.store.events(question)
    facts = project(question, events, study.store.parameters()).answers
    given = {(e.at_ms, int(e.body.rating)) for e in events if isinstance(e.body, Answered)}
    return given | {(fact.at_ms, int(fact.rating)) for fact in facts}


_PARAMETERS = Parameters()
"""Reviews of Anki are replayed under these, on every machine."""


def _as_events(
    study: Study, collection: Collection, note: ReadNote, question: str
) -> Iterator[tuple[EventRow, int]]:
    """Return the reviews of a note as answers to a question, each with its rating."""
    entry, now_ms = study.deck.entries.get(question), study.clock.now().utc_ms
    for review in note.reviews:
        if not _is_review(review):
            continue
        moment = Instant(review.at_ms, collection.offset_s)
        day = local_day(moment)
        rating = Rating(review.ease)
        body = Answered(
            kind="recall" if entry is None else entry.kind,
            content_hash="",
            rev=1 if entry is None else entry.rev,
            study_day=day,
            utc_ms=moment.utc_ms,
            offset_s=moment.offset_s,
            correct=rating is not Rating.AGAIN,
            score=float(rating is not Rating.AGAIN),
            duration_ms=min(review.duration_ms, _LONGEST_MS),
            rating=rating,
            rule=Rule.PERSON,
            scheduler=SEEDED_VERSION,
            parameters_id=_PARAMETERS.id,
            due_day=day + max(1, min(review.days, _PARAMETERS.maximum_days)),
            repeat=review.kind == _AGAIN,
            practice=True if review.kind == _PRACTICE else UNSET,
        )
        if find_implausible(body) is not None or is_ahead(body, now_ms):
            continue
        text = json.encode(body).decode()
        id_ = _digest(f"anki/{note.guid}/{review.at_ms}")
        machine = _digest(f"anki/{note.guid}")
        head = (id_, review.at_ms, machine, review.at_ms, "anki", question)
        yield EventRow(*head, "answer", text), int(rating)


def _as_suspension(note: ReadNote, question: str) -> EventRow:
    """Return the event that a question is not to be asked, as of the card's last change."""
    body = json.encode(Suspended(on=True)).decode()
    id_, machine = (_digest(f"anki/{note.guid}{end}") for end in ("/suspended", ""))
    at_ms = max(1, note.changed_ms, *(review.at_ms for review in note.reviews))
    return EventRow(id_, at_ms, machine, at_ms, "anki", question, "suspend", body)


def _is_review(review: Review) -> bool:
    """Return False for what Anki logs beside answers, such as a due date set by hand."""
    kinds = (_FIRST, _REVIEW, _AGAIN, _PRACTICE)
    return review.ease in Rating._value2member_map_ and review.kind in kinds and review.at_ms > 0


def _parameters_row() -> EventRow:
    body = json.encode(ParametersSet(parameters=_PARAMETERS)).decode()
    id_ = _digest(f"anki/parameters/{_PARAMETERS.id}")
    return EventRow(id_, 1, id_, 1, "anki", None, "parameters", body)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def counts(plan: PackagePlan) -> Mapping[str, int]:
    """Return what a plan comes to, by name."""
    return {
        "answers": plan.answers,
        "known": plan.known,
        "questions": len(plan.notes),
        "suspended": plan.suspended,
        **{f"left_{name}": count for name, count in asdict(plan.left_behind).items()},
        "skipped": plan.skipped,
        "erased": plan.erased,
    }
