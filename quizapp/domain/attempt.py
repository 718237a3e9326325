"""One attempt at a question: a state, and the one rule for the time it took.

`begin` gives the first state; `advance` takes an action of `quizapp.domain.actions`, with its time,
and gives the next. The screens, plain mode, the browser and the preview send actions and draw the
state; none of them has rules of its own. Knows no clock, no store and no interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Protocol, Self, cast

from quizapp.domain.bounds import LONGEST_ANSWER_MS
from quizapp.domain.credit import can_be_sure
from quizapp.domain.grading import Grade
from quizapp.domain.question import (
    Choice,
    Index,
    InputChoice,
    Kernel,
    Number,
    PutQuestion,
    Recall,
    Spot,
)
from quizapp.domain.rating import Confidence, Effort, Rating, Suggestion

IDLE_MS = 60_000
"""Of the time between two actions at most this much counts: after a minute the person is away."""

_PLACE = 2
"""The numbers that a place has in a `spot`: a line and a kind."""


class Phase(Enum):
    """What an attempt waits for."""

    READING = auto()
    """The first action."""
    ANSWERING = auto()
    """An answer that stands."""
    CONFIDENCE = auto()
    """How sure the person is."""
    GRADING = auto()
    """A grader's verdict on a submission, or the grade of the answer."""
    COMPARING = auto()
    """The points of the model answer that the person's own covered."""
    STANDING = auto()
    """Nothing: the answer stands, and is compared with the model answer once all was asked."""
    GRADED = auto()
    """Nothing: the answer has its grade and its rating."""
    OVERRIDDEN = auto()
    """Nothing: the person chose another rating."""
    REVEALED = auto()
    """Waits for nothing: everything is shown, and there was no attempt."""


_THINKING = (Phase.READING, Phase.ANSWERING, Phase.COMPARING)
"""The phases whose time counts."""


class GradedSubmission(Protocol):
    """Code that was submitted, with its verdict: a layout or a kernel."""

    @property
    def source(self) -> str:
        """The code as it was written."""

    @property
    def passed(self) -> bool:
        """True if it passed every gate."""

    @property
    def gate(self) -> str:
        """The key of the first gate that it failed; empty if it passed."""

    @property
    def ran(self) -> bool:
        """False if it does not count as an attempt: refused, or the starter unchanged."""

    @property
    def unchanged(self) -> bool:
        """True if it is the starter."""

    def without_cures(self) -> Self:
        """Return it as one of which only what failed is shown, and nothing that would mend it."""


class AnswerKey(Protocol):
    """The places and kinds of the bug in a `spot`."""

    def score(self, line: int, kind: str, /) -> float:
        """Return 1 where the bug shows, 0.5 where it comes from, else 0."""


class InputsKey(Protocol):
    """What the inputs of an `InputChoice` find."""

    def score_inputs(self, picked: Collection[int], /) -> float:
        """Return 0 for what as many drawn inputs find on average, 1 for what the best find."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a person answered, and the effort it took.

    `picked` are positions in the question's own options (not the drawn order), or kinds of a
    `spot`; `value` is in the question's unit; `covered` are positions in the rubric; `text` is kept
    as they wrote it. `claimed_bug` is the line and the kind of a `spot`. `credit`, 0 to 1, is what
    the graders give for code and for a `spot`. `elapsed_ms`: by the clock on the wall, from the
    moment that the question was shown until the answer stood.
    """

    text: str = ""
    picked: tuple[int, ...] = ()
    value: float | None = None
    covered: tuple[int, ...] = ()
    claimed_bug: tuple[int, str] | None = None
    credit: float = 0.0
    effort: Effort = field(default_factory=Effort)
    elapsed_ms: int = 0


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a response is worth. `days`: for each rating, the days until the question returns.

    `credit`: what it counts in a mock interview; None elsewhere.
    """

    grade: Grade
    suggestion: Suggestion
    days: Mapping[Rating, int]
    credit: float | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A question and what was done with it so far.

    Attributes:
        order: the options of a choice in the order they are shown.
        began_ms, stood_ms: when it began, and when the answer stood, 0 while it does not.
        at_ms: the time of the latest action.
        thinking_ms: the time that counts, up to then.
        picked, covered: positions in the question's own order.
        cursor: a row as shown; in a `spot` the line of its code, from 0.
        failed: the different submissions that ran and failed.
        pending: a submission that a GPU has not judged yet; empty if there is none.
        submission: the latest one with a verdict; `is_practice` if it was only tried out.
        is_final: True once nothing can change the response.
        withholds: True while the person is not to know what is right, since more is asked.
        rating: the person's own, where they chose another than the suggested one.
    """

    question: PutQuestion
    order: tuple[int, ...] = ()
    asks_confidence: bool = False
    phase: Phase = Phase.READING
    began_ms: int = 0
    stood_ms: int = 0
    at_ms: int = 0
    thinking_ms: int = 0
    text: str = ""
    picked: frozenset[int] = frozenset()
    covered: frozenset[int] = frozenset()
    cursor: int = 0
    value: float | None = None
    hints: int = 0
    confidence: Confidence | None = None
    gave_up: bool = False
    failed: tuple[str, ...] = ()
    pending: str = ""
    submission: GradedSubmission | None = None
    is_practice: bool = False
    key: AnswerKey | InputsKey | None = None
    is_final: bool = False
    withholds: bool = False
    assessment: Assessment | None = None
    rating: Rating | None = None

    @property
    def is_open(self) -> bool:
        """True while the answer can be changed, also while a submission is being graded."""
        if self.phase is Phase.GRADING:
            return not self.is_final
        return self.phase in (Phase.READING, Phase.ANSWERING)

    @property
    def has_cursor(self) -> bool:
        """True while rows can be picked, or ticked."""
        return self.is_open or self.phase is Phase.COMPARING

    @property
    def is_graded(self) -> bool:
        """True once the response has its grade."""
        return self.phase in (Phase.GRADED, Phase.OVERRIDDEN)

    @property
    def is_done(self) -> bool:
        """True once nothing of it is left to do now."""
        return self.is_graded or self.phase is Phase.STANDING

    @property
    def shows_answer(self) -> bool:
        """True if the person may see what is right."""
        return (self.is_graded and not self.withholds) or self.phase is Phase.REVEALED

    @property
    def needs_key(self) -> bool:
        """True if the emulator must say what is right before the answer can be graded."""
        asks = isinstance(self.question, Spot | InputChoice)
        shown = not (self.gave_up and self.withholds)
        return self.is_final and asks and self.key is None and shown

    @property
    def is_written(self) -> bool:
        """True if the answer is code, submitted until it passes."""
        return isinstance(self.question, Index | Kernel)

    @property
    def is_solved(self) -> bool:
        """True if the graders passed the code."""
        return self.submission is not None and self.submission.passed and not self.is_practice

    @property
    def is_edited(self) -> bool:
        """True if the code was changed since the latest verdict."""
        return self.is_open and self.submission is not None and self.text != self.submission.source

    @property
    def is_unjudged(self) -> bool:
        """True if there is no verdict on the code as it is now."""
        return self.submission is None or self.is_edited

    @property
    def hints_left(self) -> int:
        """The number of hints not shown yet."""
        return len(self.question.hints) - self.hints

    @property
    def rows(self) -> int:
        """The number of rows that can be picked or ticked now."""
        if self.phase is Phase.COMPARING and isinstance(self.question, Recall):
            return len(self.question.rubric)
        if isinstance(self.question, Spot):
            return len(self.question.kinds)
        return len(self.order)

    @property
    def claimed_bug(self) -> tuple[int, str] | None:
        """The line and the kind of a bug that the person says are wrong; None without a kind."""
        if not isinstance(self.question, Spot) or not self.picked:
            return None
        return self.cursor + 1, self.question.kinds[min(self.picked)]

    @property
    def draft(self) -> str:
        """What there is of the answer, as `begin` takes it up: what is written, or what is picked.

        Of a `spot` it is the line from 0 and the row of the kind.
        """
        if isinstance(self.question, Spot):
            return " ".join(map(str, (self.cursor, *self.picked))) if self.picked else ""
        if isinstance(self.question, Choice):
            picked = " ".join(map(str, sorted(self.picked)))
            return "\n".join((*self._typed, picked)) if self._typed or picked else ""
        return self.text

    @property
    def effort(self) -> Effort:
        """What the answer took, as it is rated and logged."""
        return Effort(
            hints=self.hints,
            failures=len(self.failed),
            gave_up=self.gave_up,
            duration_ms=self.thinking_ms,
            confidence=self.confidence,
        )

    @property
    def response(self) -> Response:
        """The answer as it stands."""
        return Response(
            text=self._answer_text,
            picked=tuple(sorted(self.picked)),
            value=self.value,
            covered=tuple(sorted(self.covered)),
            claimed_bug=self.claimed_bug,
            credit=self._credit,
            effort=self.effort,
            elapsed_ms=self.elapsed_at(self.stood_ms),
        )

    def elapsed_at(self, at_ms: int) -> int:
        """Return the time by the clock on the wall until then, or until the answer stood."""
        until_ms = at_ms if self.is_open else self.stood_ms
        return max(0, min(until_ms - self.began_ms, LONGEST_ANSWER_MS))

    @property
    def _typed(self) -> tuple[str, ...]:
        """The inputs that the person added to those that are offered."""
        return self.question.typed if isinstance(self.question, InputChoice) else ()

    @property
    def _answer_text(self) -> str:
        """The answer as it can be read back; a starter that was given up on is not an answer."""
        if self._typed:
            return "\n".join(self._typed)
        if self.claimed_bug is not None:
            return "line {}: {}".format(*self.claimed_bug)
        starter = starter_of(self.question)
        if self.gave_up and self.text.strip() == starter.strip():
            return ""
        return self.text.strip() if isinstance(self.question, Number) else self.text

    @property
    def _credit(self) -> float:
        """What the graders give for code, or for a line and a kind of bug."""
        if isinstance(self.question, InputChoice) and self.key is not None:
            return cast("InputsKey", self.key).score_inputs(self.picked)
        if self.key is not None and self.claimed_bug is not None:
            return cast("AnswerKey", self.key).score(*self.claimed_bug)
        return float(self.is_solved)


@dataclass(frozen=True, slots=True)
class Action(ABC):
    """Something that happened to an attempt, at a time in milliseconds since the epoch."""

    at_ms: int

    @abstractmethod
    def apply(self, attempt: Attempt) -> Attempt:
        """Return the attempt after this; an action that is not possible now changes nothing."""


def begin(
    question: PutQuestion,
    at_ms: int,
    *,
    order: tuple[int, ...] = (),
    asks_confidence: bool = False,
    text: str = "",
    hints: int = 0,
    failed: tuple[str, ...] = (),
    pending: str = "",
    spent_ms: int = 0,
    stands: Response | None = None,
    withholds: bool = False,
) -> Attempt:
    """Begin an attempt at the moment the question is shown.

    Args:
        question: as it is put.
        at_ms: the time.
        order: the options of a choice in the order they are shown.
        asks_confidence: whether the person wants to be asked how sure they are, where they can be.
        text: what they wrote or picked earlier, and did not submit: an `Attempt.draft`.
        hints: how many were shown since the last answer.
        failed: submissions that ran and failed since then.
        pending: a submission that a GPU has not judged yet.
        spent_ms: what it took by the clock on the wall before it was left.
        stands: an answer that can no longer change; it is compared with the model answer now.
        withholds: whether what is right is told only after more was asked.
    """
    attempt = Attempt(
        question,
        order,
        asks_confidence and can_be_sure(question),
        began_ms=at_ms - spent_ms,
        at_ms=at_ms,
        text=text,
        hints=hints,
        failed=failed,
        pending=pending,
        withholds=withholds,
    )
    if stands is not None:
        return replace(
            attempt,
            phase=Phase.COMPARING,
            began_ms=at_ms - stands.elapsed_ms,
            stood_ms=at_ms,
            text=stands.text,
            confidence=stands.effort.confidence,
        )
    return _pick_again(attempt) if isinstance(question, Choice | Spot) else attempt


def advance(attempt: Attempt, action: Action) -> Attempt:
    """Return the attempt after `action`, with the time since the one before it.

    Thinking time excludes what lies beyond a minute between two actions, grading, and the question
    how sure the person is. A clock that was set back adds nothing, one set forward a minute. It
    ends at a day, as does the time by the clock on the wall.

    Raises NotSubmitted: the answer cannot be graded as it is; nothing has changed.
    """
    elapsed = max(0, min(action.at_ms - attempt.at_ms, IDLE_MS))
    thought = elapsed if attempt.phase in _THINKING else 0
    phase = Phase.ANSWERING if attempt.phase is Phase.READING else attempt.phase
    thinking_ms = min(attempt.thinking_ms + thought, LONGEST_ANSWER_MS)
    after = action.apply(replace(attempt, phase=phase, at_ms=action.at_ms, thinking_ms=thinking_ms))
    if attempt.is_open and not after.is_open:
        return replace(after, stood_ms=action.at_ms)
    return after


def _pick_again(attempt: Attempt) -> Attempt:
    """Take up what was picked; nothing of a draft that the question, as it is now, cannot have."""
    question, lines = attempt.question, attempt.text.splitlines()
    words = lines[-1].split() if lines else []
    attempt = replace(attempt, text="")
    if not all(word.isdecimal() for word in words):
        return attempt
    numbers = [int(word) for word in words]
    if not isinstance(question, Spot):
        return replace(attempt, picked=frozenset(numbers) & frozenset(attempt.order))
    last = question.code.rstrip("\n").count("\n")
    if len(numbers) != _PLACE or numbers[0] > last or numbers[1] >= len(question.kinds):
        return attempt
    return replace(attempt, cursor=numbers[0], picked=frozenset(numbers[1:]))


def starter_of(question: PutQuestion) -> str:
    """Return what the editor of an exercise holds at first; empty for other kinds."""
    return (question.starter or "") if isinstance(question, Index | Kernel) else ""
