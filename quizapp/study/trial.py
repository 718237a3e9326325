"""One question from being asked to being graded, as a value: what was done in, a new value out.

Every interface draws a `Trial` and feeds it what the person does; when its phase is `READY` the
study grades it. Knows no screen and no store.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import Choice, Index, Kernel, Recall, Spot
from quizapp.domain.rating import Confidence
from quizapp.study.values import Asked, Given, Graded, is_attempt

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.layouts import Checked
    from quizapp.exercises.spots import Spotted


class Phase(Enum):
    """Where a trial is."""

    ASKING = auto()
    SURE = auto()
    COMPARING = auto()
    READY = auto()
    GRADED = auto()


@dataclass(frozen=True, slots=True)
class Trial:
    """A question and what was done with it so far.

    `picked` and `covered` are positions in the question's own order; `cursor` is a row as shown,
    and of a `spot` the line of its code, from 0. `checked` is the latest submission of an exercise,
    `tried` all different ones that failed, `practised` whether the latest was only tried out.
    `spotted`: what is wrong with the kernel of a `spot`, once that is to be known.
    """

    asked: Asked
    asks_confidence: bool
    phase: Phase = Phase.ASKING
    picked: frozenset[int] = frozenset()
    covered: frozenset[int] = frozenset()
    cursor: int = 0
    hints: int = 0
    value: float | None = None
    text: str = ""
    confidence: Confidence | None = None
    gave_up: bool = False
    checked: Checked | CheckedKernel | None = None
    tried: tuple[str, ...] = ()
    practised: bool = False
    spotted: Spotted | None = None
    graded: Graded | None = None

    @property
    def rows(self) -> int:
        """How many rows can be picked or ticked now."""
        question = self.asked.question
        if self.phase is Phase.COMPARING and isinstance(question, Recall):
            return len(question.rubric)
        if isinstance(question, Spot):
            return len(SPOTTABLE)
        return len(self.asked.order)

    @property
    def named(self) -> tuple[int, str] | None:
        """The line and the kind of fault that a person says are wrong; None while no kind is."""
        if not isinstance(self.asked.question, Spot) or not self.picked:
            return None
        return self.cursor + 1, SPOTTABLE[min(self.picked)]

    def given(self, duration_ms: int) -> Given:
        """What was done, as the study grades it."""
        return Given(
            text=self._answer_text,
            picked=tuple(sorted(self.picked)),
            value=self.value,
            covered=tuple(sorted(self.covered)),
            hints=self.hints,
            failures=len(self.tried),
            solved=self._solved,
            gave_up=self.gave_up,
            duration_ms=duration_ms,
            confidence=self.confidence,
        )

    @property
    def _answer_text(self) -> str:
        """What was answered, as it can be read back."""
        return "line {}: {}".format(*self.named) if self.named else self.text

    @property
    def _solved(self) -> bool:
        """Whether the grader passed it."""
        if self.spotted is not None:
            return self.named is not None and self.spotted.right(*self.named)
        return self.checked is not None and self.checked.passed and not self.practised


def begun(asked: Asked, *, asks_confidence: bool) -> Trial:
    """A question that was just put. An exercise is tried until it passes: nothing to be sure of."""
    sure = asks_confidence and not isinstance(asked.question, Index | Kernel)
    return Trial(asked, sure, tried=asked.tried, hints=asked.hints)


def pick(trial: Trial, row: int) -> Trial:
    """Pick or unpick the row shown at `row`; what cannot be picked changes nothing."""
    if not 0 <= row < trial.rows:
        return trial
    question = trial.asked.question
    if isinstance(question, Spot):
        return replace(trial, picked=frozenset({row})) if trial.phase is Phase.ASKING else trial
    trial = replace(trial, cursor=row)
    if trial.phase is Phase.COMPARING:
        return replace(trial, covered=trial.covered ^ {row})
    if trial.phase is not Phase.ASKING or not isinstance(question, Choice):
        return trial
    own = frozenset({trial.asked.order[row]})
    return replace(trial, picked=trial.picked ^ own if question.several else own)


def move(trial: Trial, rows: int) -> Trial:
    """Move the cursor, staying within the rows, or the lines of a `spot`."""
    question = trial.asked.question
    last = trial.rows - 1
    if isinstance(question, Spot):
        last = question.code.rstrip("\n").count("\n")
    return replace(trial, cursor=max(0, min(last, trial.cursor + rows)))


def to_line(trial: Trial, line: int) -> Trial:
    """Say which line of a `spot` is wrong, from 1; one that is not there changes nothing."""
    moved = move(replace(trial, cursor=0), line - 1)
    return moved if moved.cursor == line - 1 else trial


def hint(trial: Trial) -> Trial:
    """Show one more hint, as far as there are any."""
    available = len(trial.asked.question.hints)
    return replace(trial, hints=min(available, trial.hints + 1))


def submit(trial: Trial) -> Trial:
    """The answer stands: ask how sure, compare, or grade."""
    if trial.asks_confidence:
        return replace(trial, phase=Phase.SURE)
    return _after_confidence(trial)


def checked(trial: Trial, result: Checked | CheckedKernel) -> Trial:
    """A submission was graded: the exercise is solved, or goes on."""
    trial = replace(trial, checked=result, text=result.source, practised=False)
    if result.passed:
        return replace(trial, phase=Phase.READY)
    if not is_attempt(result):
        return trial
    return replace(trial, tried=tuple(dict.fromkeys([*trial.tried, result.source])))


def practised(trial: Trial, result: CheckedKernel) -> Trial:
    """A kernel was tried out: its verdict is shown, and nothing is handed in."""
    return replace(trial, checked=result, text=result.source, practised=True)


def withdraw(trial: Trial) -> Trial:
    """Back to the question, while nothing was shown yet."""
    return replace(trial, phase=Phase.ASKING, confidence=None)


def be_sure(trial: Trial, confidence: Confidence) -> Trial:
    """How sure the person is."""
    return _after_confidence(replace(trial, confidence=confidence))


def accept(trial: Trial) -> Trial:
    """The ticks stand."""
    return replace(trial, phase=Phase.READY)


def give_up(trial: Trial) -> Trial:
    """No answer: show it, and no verdict on what was handed in before."""
    return replace(trial, gave_up=True, checked=None, phase=Phase.READY)


def graded(trial: Trial, result: Graded) -> Trial:
    """The verdict is there."""
    return replace(trial, graded=result, phase=Phase.GRADED)


def revealed(trial: Trial, result: Spotted) -> Trial:
    """What is wrong with the kernel is known: the answer can be graded."""
    return replace(trial, spotted=result)


def _after_confidence(trial: Trial) -> Trial:
    if isinstance(trial.asked.question, Recall):
        return replace(trial, phase=Phase.COMPARING, cursor=0)
    return replace(trial, phase=Phase.READY)
