"""The values that pass between the study service and the screens: frozen, without behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from quizapp.deck.index import Entry
from quizapp.domain.events import NEVER_RAN
from quizapp.domain.grading import Expected, Grade
from quizapp.domain.projection import Card
from quizapp.domain.question import Index, Kernel, PutQuestion
from quizapp.domain.rating import Confidence, Rating, Suggestion
from quizapp.domain.session import Item
from quizapp.store import NewEvent

if TYPE_CHECKING:
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import Drawn  # NumPy, 80 ms


@dataclass(frozen=True, slots=True)
class Filter:
    """What a session is narrowed to; `limit` counts questions, `new` replaces the daily limit."""

    topic: str | None = None
    kind: str | None = None
    limit: int | None = None
    new: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put: `order` is the drawn order of a choice's options.

    `position` of `total` counts this session; `draft` is what was half-written earlier. `drawn`:
    what a `trace` was made a number question of, or what varies of a `spot`; `tried`: submissions
    that failed since the last answer, `hints`: how many hints were shown since then. `timed`: a GPU
    is to judge it, too.
    """

    item: Item
    entry: Entry
    question: PutQuestion
    card: Card
    position: int
    total: int
    order: tuple[int, ...] = ()
    draft: str = ""
    drawn: Drawn | DrawnSpot | None = field(default=None, compare=False)
    tried: tuple[str, ...] = ()
    hints: int = 0
    timed: bool = False

    @property
    def beginning(self) -> str:
        """What the field holds at first: the draft, else an exercise's starter."""
        return self.draft or starter(self.question)


def starter(question: PutQuestion) -> str:
    """What stands in the editor of an exercise at first; empty for other kinds."""
    return (question.starter or "") if isinstance(question, Index | Kernel) else ""


class Submission(Protocol):
    """What was handed in, with its verdict: of a layout or of a kernel."""

    @property
    def source(self) -> str:
        """As it was written."""

    @property
    def passed(self) -> bool:
        """Whether every gate was."""

    @property
    def gate(self) -> str:
        """The key of the first gate that was not; empty if all were."""


def is_attempt(submission: Submission) -> bool:
    """Whether it counts when it failed: a kernel with a slip of the pen was never run."""
    return submission.gate not in NEVER_RAN


@dataclass(frozen=True, slots=True)
class Given:
    """What a person did with a question.

    `picked` are positions in the question's own options (not the drawn order), `value` is in the
    question's unit, `covered` are positions in the rubric; `text` is kept as they wrote it.
    `solved`: the grader passed the text.
    """

    text: str = ""
    picked: tuple[int, ...] = ()
    value: float | None = None
    covered: tuple[int, ...] = ()
    hints: int = 0
    failures: int = 0
    solved: bool = False
    gave_up: bool = False
    duration_ms: int = 0
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class Graded:
    """An answer with its verdict, and the events that will record it.

    `days` says for each rating in how many days the question would return; `expected` is what a
    number question accepts. Nothing is stored before `Study.commit`.
    """

    asked: Asked
    given: Given
    grade: Grade
    suggestion: Suggestion
    days: Mapping[Rating, int]
    expected: Expected | None
    events: tuple[NewEvent, ...] = field(repr=False)

    @property
    def event_id(self) -> str:
        """The id of the answer's own event."""
        return self.events[-1].id


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo took back or a redo restored: the question, and the tag of the event."""

    question: str
    what: str


@dataclass(frozen=True, slots=True)
class TopicRow:
    """One topic. `known`: mean chance, 0–1, to recall its questions now, unseen ones as 0."""

    topic: str
    questions: int
    seen: int
    known: float
    due: int
    new: int
    hardest: str


@dataclass(frozen=True, slots=True)
class Home:
    """What the home screen shows. Days are study days; `minutes` is an estimate of what is due."""

    day: int
    studied_days: int
    due: int
    new: int
    unseen: int
    questions: int
    minutes: int
    next_due_day: int | None
    next_due: int
    left_out: int
    topics: tuple[TopicRow, ...]
    drafts: int
    interview_in: int | None = None
    forecast: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a session came to. `right` counts first attempts that were right."""

    answered: int
    right: int
    repeats: int
    new: int
    duration_ms: int
    topics: Mapping[str, tuple[int, int]]
    due_tomorrow: int


@dataclass(frozen=True, slots=True)
class Retention:
    """True retention: of `answers` reviews (not first exposures), `passed` were not rated Again."""

    answers: int
    passed: int

    @property
    def share(self) -> float | None:
        """0–1; None without answers."""
        return self.passed / self.answers if self.answers else None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the statistics screen shows; days are study days."""

    day: int
    answers_by_day: Mapping[int, int]
    forecast: Mapping[int, int]
    retention_month: Retention
    retention_all: Retention
    streak: int
    answers: int
    duration_ms: int
    topics: tuple[TopicRow, ...]
    leeches: tuple[tuple[str, int], ...]
