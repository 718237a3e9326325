"""Checks that a reply of a GPU worker is consistent.

A verdict that passes here can still be a lie, but it cannot break the code that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from grader.gpu.calibrating.timed_accesses import TimedAccess
from grader.gpu.devices.device import ErrorKind
from grader.gpu.messages import InstructionTimes
from grader.gpu.outcome import GATES, GpuGrade, Ratio, Speed, Standing
from grader.kernels.plausible import check_gates
from grader.wire import impossible

_SUBJECTS = {"compiles": ("source",), "runs": (*get_args(ErrorKind), "crashed")}


def check_timed(timed: InstructionTimes, asked: Sequence[TimedAccess]) -> None:
    """See that there is a time for each question.

    Raises:
        Malformed: there is not.
    """
    if not timed.absent and not len(timed.cycles) == len(timed.behind) == len(asked):
        raise impossible("calibrate: cycles")


def check_graded(graded: GpuGrade) -> None:
    """See that a verdict can be one.

    Raises:
        Malformed: it cannot.
    """
    gates = graded.verdict.gates
    check_gates(gates, GATES, _SUBJECTS)
    if [gate.name for gate in gates] != [*GATES]:
        raise impossible("gates: name")
    passed = sum(gate.state == "passed" for gate in gates)
    if graded.standing not in _standings(graded, passed):
        raise impossible("standing")
    if graded.speed is not None:
        _check_speed(graded.speed)
    taken = graded.resources
    if graded.standing != "failed" and taken is None:
        raise impossible("resources")
    if taken is not None and taken.blocks and not taken.limiter:
        raise impossible("resources: limiter")
    judged = passed == len(GATES) or graded.verdict.fails_at("speedup")
    speed = graded.speed
    if judged and (speed is None or speed.ratio is None or speed.gate is None):
        raise impossible("speed: ratio")


def _standings(graded: GpuGrade, passed: int) -> tuple[Standing, ...]:
    """List the verdicts in words that fit the number of gates passed."""
    if graded.verdict.failure is not None:
        return ("failed",)
    if passed == len(GATES):
        return ("passed",)
    if passed == len(GATES) - 1:
        return ("right, speed not judged", "not decided", "right, not measured")
    return ()


def _check_speed(speed: Speed) -> None:
    if speed.ratio is not None:
        _check_ratio(speed.ratio)
    if not speed.seconds and not speed.refused:
        raise impossible("speed: seconds")


def _check_ratio(ratio: Ratio) -> None:
    if not 0 < ratio.low <= ratio.median <= ratio.high:
        raise impossible("speed: ratio")
