"""The event log's vocabulary: everything a person did, as values that are never changed.

The log is the truth; every other table derives from it (`projection`). An undo is an event too.
Stored as JSON with a tag, so a tag or a field's meaning may never change, only be added.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from quizapp.domain.interview_theme import InterviewStyle
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import Parameters


class Answered(Struct, frozen=True, kw_only=True, tag="answer"):
    """One attempt at one question.

    `content_hash` and `rev` say which text was asked, `drawn` which parameters (the order of the
    options, for one). `study_day`, `utc_ms`, `offset_s`: when, by the person's own clock.
    `correct` … `response` are the outcome in the raw; `rating` and `rule` what was made of it,
    under `scheduler` and `parameters_id`, and `due_day` what that chose. `repeat`: asked again
    within the day; only a day's first attempt moves the schedule. `submission`: the event of the
    kernel that it answers with, where that was stored before. `practice`: asked without a schedule,
    which it leaves as it is. `language`: of the code that was written or read, where there are two.
    """

    kind: str
    content_hash: str
    rev: int
    study_day: int
    utc_ms: int
    offset_s: int
    correct: bool
    score: float
    hints: int = 0
    failures: int = 0
    gave_up: bool = False
    duration_ms: int = 0
    confidence: int | None = None
    response: str = ""
    drawn: dict[str, Any] = {}
    rating: Rating
    rule: Rule
    scheduler: str
    parameters_id: str
    due_day: int
    repeat: bool = False
    submission: str | UnsetType = UNSET
    practice: bool | UnsetType = UNSET
    language: str | UnsetType = UNSET


_BEFORE_RUNNING = ("source", "parses")
"""Gates of submissions that never ran, in events that do not say whether they did."""


class _Code(Struct, frozen=True, kw_only=True):
    """Code that a person handed in, with the text that was asked, and when.

    `language`: of the code, where a question has two.
    """

    content_hash: str
    rev: int
    study_day: int
    utc_ms: int
    offset_s: int
    source: str
    language: str | UnsetType = UNSET


class Tried(_Code, frozen=True, kw_only=True, omit_defaults=True, tag="try"):
    """A submission that failed, kept as it was written: `gate` is the first it did not pass.

    It moves no schedule; the answer that ends the attempt counts how many there were. `ran` is
    False if nothing of it was run, which does not count as an attempt; None in older events.
    `submission`: its own event, where it was stored before a GPU failed it. `practice`: the answer
    that ends a scheduled attempt does not count it.
    """

    gate: str
    ran: bool | None = None
    submission: str | UnsetType = UNSET
    practice: bool = False

    @property
    def counts(self) -> bool:
        """True if it is an attempt: the submission ran."""
        return self.gate not in _BEFORE_RUNNING if self.ran is None else self.ran


class Submitted(_Code, frozen=True, kw_only=True, tag="submit"):
    """A kernel that the emulator passed, stored before a GPU is asked for its verdict.

    It moves no schedule. `gates`: the state of each of the emulator's gates, by its key. The answer
    or the failed submission that ends the GPU's turn names this event; until then it is pending,
    and is offered again.
    """

    gates: dict[str, str]


class Hinted(Struct, frozen=True, kw_only=True, tag="hint"):
    """A hint was shown, the `number`-th of the question, from 1.

    It moves no schedule; the answer that ends the attempt counts it, also on another day.
    """

    number: int
    utc_ms: int


class Revealed(Struct, frozen=True, kw_only=True, tag="reveal"):
    """The answer of a question that was due or new was looked at, on a study day.

    On that day it is only asked as practice; it returns on the next.
    """

    study_day: int


class Rerated(Struct, frozen=True, kw_only=True, tag="rate"):
    """The person overrode the rating of an answer; `due_day` is what that chose."""

    target: str
    rating: Rating
    due_day: int


class Voided(Struct, frozen=True, kw_only=True, tag="void"):
    """An undo: the event `target` no longer counts."""

    target: str


class Unvoided(Struct, frozen=True, kw_only=True, tag="unvoid"):
    """A redo: the event `target` counts again."""

    target: str


class Buried(Struct, frozen=True, kw_only=True, tag="bury"):
    """Not to be asked before study day `until`."""

    until: int


class Suspended(Struct, frozen=True, kw_only=True, tag="suspend"):
    """Not to be asked until this is switched off again."""

    on: bool


class Flagged(Struct, frozen=True, kw_only=True, tag="flag"):
    """Marked by the person as wrong, unclear or worth another look."""

    on: bool


class Reset(Struct, frozen=True, kw_only=True, tag="reset"):
    """The question is new again; earlier answers stay counted but no longer move its schedule."""


class ParametersSet(Struct, frozen=True, kw_only=True, tag="parameters"):
    """The scheduler parameters from here on; `Answered.parameters_id` refers to their id."""

    parameters: Parameters


Runs = tuple[tuple[int, int], ...]
"""Sequence numbers of one machine: (first, last) of each run without a gap."""


class Imported(Struct, frozen=True, kw_only=True, tag="import"):
    """Events came from another log; `origin` names it.

    `taken`: which, by machine. If this event is undone, they are as if they had never come.
    """

    origin: str
    taken: dict[str, Runs] | UnsetType = UNSET


class Erased(Struct, frozen=True, kw_only=True, tag="erase"):
    """Everything was erased: of each machine the events up to the number in `through`.

    Every machine that learns of it forgets them, too.
    """

    through: dict[str, int]


class MockBegun(Struct, frozen=True, kw_only=True, tag="mock-begin"):
    """A mock interview begins; its own event's id is the interview's.

    `stages`: all that it may ask, in order, as `pack/theme/stage`. `minutes`: when it ends.
    `earlier`: how many interviews there were before, which decides what varies in its questions.
    `if_wrong`, `if_right`: stages that are asked only if an earlier one went so, with that one.
    `seed`: decides it instead of `earlier`, where another person's interview is repeated.
    """

    themes: tuple[str, ...]
    style: InterviewStyle
    minutes: int
    stages: tuple[str, ...]
    earlier: int
    study_day: int
    utc_ms: int
    offset_s: int
    if_wrong: dict[str, str] | UnsetType = UNSET
    if_right: dict[str, str] | UnsetType = UNSET
    seed: int | UnsetType = UNSET


class MockAnswered(Struct, frozen=True, kw_only=True, tag="mock-answer"):
    """The answer to one stage of a mock interview. No schedule and no statistics know of it.

    `question`: the question of the deck that was asked; empty for one that its theme holds.
    `elapsed_ms`: from the moment it was shown until the answer stood, pauses included, since it may
    be spoken; `par_ms` is what the theme allows. `covered`: positions of `points` rubric points.
    `shown`: what later stages quote as the answer. `chance`: what a guess scores on average;
    answers of earlier versions have none, and nothing is taken off them. `credit`: what it counts,
    -1 to 1, by how sure the person was and the hints shown, less what a guess wins; of an earlier
    version, and of what the person judges, there is none, and `score` less `chance` counts.
    """

    interview: str
    stage: str
    question: str
    kind: str
    content_hash: str
    utc_ms: int
    correct: bool
    score: float
    hints: int = 0
    failures: int = 0
    gave_up: bool = False
    elapsed_ms: int = 0
    par_ms: int = 0
    confidence: int | None = None
    covered: tuple[int, ...] = ()
    points: int = 0
    response: str = ""
    shown: str = ""
    drawn: dict[str, Any] = {}
    language: str | UnsetType = UNSET
    chance: float | UnsetType = UNSET
    credit: float | UnsetType = UNSET


class MockHinted(Struct, frozen=True, kw_only=True, tag="mock-hint"):
    """A hint of a stage was shown, the `number`-th, from 1: it counts whatever comes after."""

    interview: str
    stage: str
    number: int
    utc_ms: int


class MockSubmitted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="mock-submit"):
    """What stands although its stage is not answered yet: it counts whatever comes after.

    `response`: code that failed, or words; then `confidence` and `elapsed_ms` are theirs. `stands`:
    these words are judged once all stages are over; of an earlier version, the model answer was
    shown beside them at once. `gate`: the first that the code failed at; earlier versions did not
    keep it.
    """

    interview: str
    stage: str
    response: str
    utc_ms: int
    elapsed_ms: int = 0
    confidence: int | None = None
    stands: bool = False
    gate: str = ""


class MockSkipped(Struct, frozen=True, kw_only=True, tag="mock-skip"):
    """A stage of a mock interview could not be asked, or has no verdict."""

    interview: str
    stage: str


class MockEnded(Struct, frozen=True, kw_only=True, tag="mock-end"):
    """A mock interview is over: all was asked (`done`), time was up (`time`), or it was left."""

    interview: str
    how: Literal["done", "time", "left"]
    utc_ms: int


class MockQueued(Struct, frozen=True, kw_only=True, tag="mock-queue"):
    """What failed in a mock interview heads the queue from study day `day` on, until answered."""

    interview: str
    questions: tuple[str, ...]
    day: int


class Probed(Struct, frozen=True, kw_only=True, tag="probe"):
    """The answer to a question that was made from a kernel of the person's own, after it passed.

    No schedule and no statistics know of it. `question`: the one that the kernel answers. `probe`:
    what was asked, the same for the same kernel; `rule`: what kind of change it was. `interview`
    and `stage`: of a mock interview, in which it was asked; empty in study. `chance`: what a guess
    scores on average; what an earlier version asked in an interview has none, and did not count.
    `credit`: as that of a stage.
    """

    question: str
    probe: str
    rule: str
    kind: str
    study_day: int
    utc_ms: int
    correct: bool
    score: float
    gave_up: bool = False
    elapsed_ms: int = 0
    confidence: int | None = None
    response: str = ""
    interview: str = ""
    stage: str = ""
    chance: float | UnsetType = UNSET
    credit: float | UnsetType = UNSET


class PlacementAnswer(Struct, frozen=True):
    """One question of a placement, and how it was answered; `knew`: right, unaided, no guess."""

    question: str
    correct: bool
    duration_ms: int
    knew: bool | UnsetType = UNSET
    response: str | UnsetType = UNSET


class PlacementProgress(Struct, frozen=True, kw_only=True, tag="placement-progress"):
    """What a placement that goes on has asked so far; the latest of these holds."""

    asked: tuple[PlacementAnswer, ...]
    study_day: int
    utc_ms: int


class PlacementTaken(Struct, frozen=True, kw_only=True, tag="placement"):
    """A placement was taken: a few questions that show what a person knows already."""

    asked: tuple[PlacementAnswer, ...]
    study_day: int
    utc_ms: int


class Placed(Struct, frozen=True, kw_only=True, tag="place"):
    """A question answered right in the placement `placement` is known: it returns as a review.

    It is scheduled as after a first answer rated Easy, under `parameters_id`; no statistics know
    of it. A question that has been answered before keeps its schedule.
    """

    placement: str
    rev: int
    study_day: int
    parameters_id: str


class PlanSet(Struct, frozen=True, kw_only=True, tag="plan"):
    """A plan was set on a study day, in place of any before: be ready on study day `day`.

    `minutes`: per day. `topics`: these alone; all of them if empty. What is due earlier because of
    it derives from it, so answers hold the days that the schedule alone chose. `retention`,
    `new_share`, `promised`: what was chosen and found for it, as a `Goal` has them; older versions
    stored none.
    """

    study_day: int
    day: int
    minutes: int
    topics: tuple[str, ...] = ()
    retention: float | UnsetType = UNSET
    new_share: float | UnsetType = UNSET
    promised: int | UnsetType = UNSET


class Optimized(Struct, frozen=True, kw_only=True, tag="optimize"):
    """The person's scheduler has these weights from here on; without any, the library's own.

    `log_loss`: of reviews held out, before and after. The answers that follow name the parameters
    with these weights, so their replay does not need this event.
    """

    study_day: int
    weights: tuple[float, ...]
    log_loss: tuple[float, float] | UnsetType = UNSET


class PlanDropped(Struct, frozen=True, kw_only=True, tag="plan-drop"):
    """The plan no longer holds."""

    study_day: int


MOCK = (MockBegun, MockAnswered, MockHinted, MockSubmitted, MockSkipped, MockEnded)
"""What a mock interview consists of; an undo of these is not among the session's undos."""


Body = (
    Answered | Tried | Submitted | Hinted | Revealed | Rerated | Voided | Unvoided | Buried
    | Suspended | Flagged | Reset | ParametersSet | Imported | Erased | MockBegun | MockAnswered
    | MockHinted | MockSubmitted | MockSkipped | MockEnded | MockQueued | Probed
    | PlacementProgress | PlacementTaken | Placed | PlanSet | PlanDropped | Optimized
)  # fmt: skip

UNDOABLE = (
    Answered, Buried, Suspended, Flagged, MockQueued, Placed, PlanSet, PlanDropped, Optimized,
)  # fmt: skip

OF_NO_QUESTION = (
    ParametersSet, Imported, Erased, *MOCK, MockQueued, Probed, PlacementProgress, PlacementTaken,
    PlanSet, PlanDropped, Optimized,
)  # fmt: skip
"""What changes the state of no single question; so do an undo and a redo of these."""


class LogEntry(Struct, frozen=True):
    """One entry of the log.

    Order is (`at_ms`, `machine`, `sequence`): `at_ms` is UTC milliseconds made monotonic within a
    database, so that a clock set back cannot put an undo before what it undoes.
    """

    id: str
    at_ms: int
    machine: str
    sequence: int
    session: str
    question: str | None
    body: Body

    @property
    def order(self) -> tuple[int, str, int]:
        """The key that logs of several machines are united by."""
        return (self.at_ms, self.machine, self.sequence)
