"""Compares a device's clock with the bank model of its architecture: a value to print and send.

Compares; what was timed comes from the worker (`calibrate`). Cycles become wavefronts by
a calibration curve, with the uncertainty of the clock.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from grader.banks import Access, AccessCost, Evidence, InvalidAccess, Kind, cost
from grader.facts import Fact
from grader.gpu.calibrating.probes import WORD_LOAD, ProbeInstruction
from grader.gpu.calibrating.timed_accesses import TimedAccess, list_accesses
from grader.gpu.messages import InstructionTimes
from grader.gpu.outcome import DeviceFacts
from grader.wire import to_plain

TOLERANCE = 0.25
"""Cycles by which a time may be off, whatever it is."""
RELATIVE = 0.01
"""Part of a time by which it may be off beside that."""
_LEAST_STEP = 0.1
"""Cycles that a wavefront must take for a clock to tell it."""


class Ladder:
    """Rungs: wavefronts, and the cycles that they took.

    The steepest line down from the highest says what a wavefront takes, and no access takes less.
    Rungs above it stand on a floor: something else takes its time there, and hides wavefronts.
    """

    def __init__(self, rungs: Iterable[tuple[int, float]]) -> None:
        """Fit the curve to at least two points of different wavefronts."""
        *lower, (most, longest) = known = sorted(rungs)
        steps = [(longest - cycles) / (most - wavefronts) for wavefronts, cycles in lower]
        steepest = max(steps)
        # Of those that are as good as equal the first: it is the longest line, and errs least.
        step = next(height for height in steps if height >= steepest - RELATIVE * abs(steepest))
        self.cycles_a_wavefront = step
        self._start = longest - most * step
        above = (
            cycles + _tolerance(cycles)
            for wavefronts, cycles in known
            if cycles - self._start - wavefronts * step > _tolerance(cycles)
        )
        self._floor = max(above, default=-math.inf)

    def wavefronts(self, cycles: float) -> tuple[int, int | None]:
        """Return the fewest and the most wavefronts that fit these cycles; None if unbounded."""
        if self.cycles_a_wavefront < _LEAST_STEP:
            return 0, None
        off = _tolerance(cycles)
        most = math.floor((cycles + off - self._start) / self.cycles_a_wavefront)
        least = math.ceil((cycles - off - self._start) / self.cycles_a_wavefront)
        least, most = min(least, most), max(least, most)  # between two, if neither fits
        if cycles <= self._floor:
            least = 1
        return max(0, least), max(1, most)


def _tolerance(cycles: float) -> float:
    return TOLERANCE + RELATIVE * abs(cycles)


FORMAT = 1
"""Of what `Calibration.as_plain` gives; a file says which it is."""
Agreement = Literal["agree", "differ", "open"]


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """One access: what the model says, and what the clock.

    Attributes:
        name: for a person.
        offsets: bytes, of each lane.
        mask: which lanes take part, bit i for lane i.
        rung: passes of a rung of the ladder, where they are undisputed; else None.
        cycles: of the access alone, again and again.
        behind: cycles by which it makes a load of 8 wavefronts longer.
        low, high: bounds of the wavefronts; no `high` above the ladder.
        model: wavefronts by the bank model, the lower bound if it has bounds; None if unknown.
        at_most: the upper bound by the model; None if there is no bound.
        standing: how the model knows.
        state: `open` where the clock cannot tell, or the model does not say.
    """

    name: str
    offsets: tuple[int, ...]
    mask: int
    rung: int | None
    cycles: float
    behind: float
    low: int
    high: int | None
    model: int | None
    at_most: int | None
    standing: Evidence | None
    state: Agreement


@dataclass(frozen=True, slots=True)
class Group:
    """The answers of one instruction.

    Attributes:
        shown: for a person.
        kind, width: as the bank model has them.
        ballast: cycles of a load of 8 wavefronts alone.
        cycles_a_pass: by its ladder.
        absent: why the device does not have it; without answers then.
    """

    name: str
    shown: str
    kind: Kind
    width: int
    ballast: float
    cycles_a_pass: float
    answers: tuple[ProbeResult, ...]
    absent: Fact | None = None

    def count(self, state: Agreement) -> int:
        """Count the answers in this state."""
        return sum(answer.state == state for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that was asked of a device. `package`: version of the program; empty in a checkout."""

    facts: DeviceFacts
    package: str
    groups: tuple[Group, ...]

    def count(self, state: Agreement) -> int:
        """Count the answers in this state."""
        return sum(group.count(state) for group in self.groups)

    def as_plain(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        return {"format": FORMAT, **to_plain(self)}


def compare_with_model(
    facts: DeviceFacts, package: str, times: Iterable[tuple[ProbeInstruction, InstructionTimes]]
) -> Calibration:
    """Compare what was timed with the current model.

    Args:
        times: of each instruction, the word load first.
    """
    groups: list[Group] = []
    scale: Ladder | None = None
    for instruction, timed in times:
        if instruction == WORD_LOAD and not timed.absent:
            scale = _ladder(list_accesses(WORD_LOAD), timed.behind)
        groups.append(_group(instruction, timed, scale, facts.capability))
    return Calibration(facts, package, tuple(groups))


def _ladder(asked: Iterable[TimedAccess], behind: Iterable[float]) -> Ladder:
    pairs = zip(asked, behind, strict=True)
    return Ladder(
        (question.rung, cycles) for question, cycles in pairs if question.rung is not None
    )


def _group(
    instruction: ProbeInstruction, timed: InstructionTimes, scale: Ladder | None, capability: str
) -> Group:
    of = (instruction.name, instruction.shown, instruction.kind, instruction.width)
    if timed.absent:
        return Group(*of, 0.0, 0.0, (), timed.absent)
    asked = list_accesses(instruction)
    own = _ladder(asked, timed.behind)
    each = zip(asked, timed.cycles, timed.behind, strict=True)
    answers = tuple(
        _answer(question, (cycles, behind), scale, own, _model(instruction, question, capability))
        for question, cycles, behind in each
    )
    return Group(*of, timed.ballast, own.cycles_a_wavefront, answers)


def _answer(
    question: TimedAccess,
    times: tuple[float, float],
    scale: Ladder | None,
    own: Ladder,
    model: AccessCost | None,
) -> ProbeResult:
    """Compare one access, by the word load's ladder: any instruction's wavefront fills the pipe.

    Its own ladder cannot tell how many wavefronts one of its passes has. But where that one is
    met and the other is not, something else may take the time.
    """
    cycles, behind = times
    low, high = (scale or own).wavefronts(behind)
    least = None if model is None else model.wavefronts
    most = None if model is None else model.wavefronts_at_most
    state = state_of(least, most, low, high)
    if scale is None or (
        state == "differ" and state_of(least, most, *own.wavefronts(behind)) != state
    ):
        state = "open"
    return ProbeResult(
        question.name, question.offsets, question.mask, question.rung, cycles, behind, low, high,
        least, most, None if model is None else model.evidence, state,
    )  # fmt: skip


def state_of(model: int | None, at_most: int | None, low: int, high: int | None) -> Agreement:
    """Compare the model's wavefronts, or its bounds, with the measured ones.

    Args:
        model: None if the model has no bound.
        at_most: the same as `model` if it is exact; None without an upper bound.
        low: the least by the clock.
        high: the most by the clock; None if unbounded.
    """
    if model is None:
        return "open"
    if (high is not None and high < model) or (at_most is not None and low > at_most):
        return "differ"
    return "agree" if model == at_most == low == high else "open"


def _model(
    instruction: ProbeInstruction, question: TimedAccess, capability: str
) -> AccessCost | None:
    access = Access(
        instruction.kind, instruction.width, np.array(question.offsets, np.int64),
        np.array(question.active, np.bool_),
    )  # fmt: skip
    try:
        return cost(access, capability)
    except InvalidAccess:  # another architecture than those of the table, or it has none there
        return None
