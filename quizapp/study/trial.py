"""One question from being asked to being graded, as a value: what was done in, a new value out.

Every interface draws a `Trial` and feeds it what the person does; when its phase is `READY` the
study grades it. Knows no screen and no store.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from quizapp.domain.question import Choice, Index, Recall
from quizapp.domain.rating import Confidence
from quizapp.study.values import Asked, Given, Graded

if TYPE_CHECKING:
    from quizapp.exercises.layouts import Checked  # NumPy, 80 ms


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

    `picked` and `covered` are positions in the question's own order; `cursor` is a row as shown.
    `checked` is the latest submission of an exercise, `tried` all different ones that failed.
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
    checked: Checked | None = None
    tried: tuple[str, ...] = ()
    graded: Graded | None = None

    @property
    def rows(self) -> int:
        """How many rows can be picked or ticked now."""
        question = self.asked.question
        if self.phase is Phase.COMPARING and isinstance(question, Recall):
            return len(question.rubric)
        return len(self.asked.order)

    def given(self, duration_ms: int) -> Given:
        """What was done, as the study grades it."""
        return Given(
            text=self.text,
            picked=tuple(sorted(self.picked)),
            value=self.value,
            covered=tuple(sorted(self.covered)),
            hints=self.hints,
            failures=len(self.tried),
            solved=self.checked is not None and self.checked.passed,
            gave_up=self.gave_up,
            duration_ms=duration_ms,
            confidence=self.confidence,
        )


def begun(asked: Asked, *, asks_confidence: bool) -> Trial:
    """A question that was just put. An exercise is tried until it passes: nothing to be sure of."""
    sure = asks_confidence and not isinstance(asked.question, Index)
    return Trial(asked, sure, tried=asked.tried, hints=asked.hints)


def pick(trial: Trial, row: int) -> Trial:
    """Pick or unpick the row shown at `row`; what cannot be picked changes nothing."""
    if not 0 <= row < trial.rows:
        return trial
    trial = replace(trial, cursor=row)
    if trial.phase is Phase.COMPARING:
        return replace(trial, covered=trial.covered ^ {row})
    question = trial.asked.question
    if trial.phase is not Phase.ASKING or not isinstance(question, Choice):
        return trial
    own = frozenset({trial.asked.order[row]})
    return replace(trial, picked=trial.picked ^ own if question.several else own)


def move(trial: Trial, rows: int) -> Trial:
    """Move the cursor, staying within the rows."""
    return replace(trial, cursor=max(0, min(trial.rows - 1, trial.cursor + rows)))


def hint(trial: Trial) -> Trial:
    """Show one more hint, as far as there are any."""
    available = len(trial.asked.question.hints)
    return replace(trial, hints=min(available, trial.hints + 1))


def submit(trial: Trial) -> Trial:
    """The answer stands: ask how sure, compare, or grade."""
    if trial.asks_confidence:
        return replace(trial, phase=Phase.SURE)
    return _after_confidence(trial)


def checked(trial: Trial, result: Checked) -> Trial:
    """A submission was graded: the exercise is solved, or goes on."""
    trial = replace(trial, checked=result, text=result.source)
    if result.passed:
        return replace(trial, phase=Phase.READY)
    return replace(trial, tried=tuple(dict.fromkeys([*trial.tried, result.source])))


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


def _after_confidence(trial: Trial) -> Trial:
    recall = isinstance(trial.asked.question, Recall)
    return replace(trial, phase=Phase.COMPARING if recall else Phase.READY, cursor=0)
