"""How `quiz lint` shows what it has graded: tables with a line a kernel, and plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from quizapp.commands._output import finite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.gpu import GpuGraded, Resources, Speed
    from quizapp.deck.proving import Measured, Proven
    from quizapp.exercises.gpu_proofs import GpuProofs
    from quizapp.exercises.kernel_proofs import Proof, Role

_NOT_ASKED = "not asked: the emulator fails it"
_NO_VERDICT = "no verdict"
_GPU_HEAD = ("question", "standing", "times the baseline", "gate", "µs", "cheats that failed")
GPU_NUMBERS = (3, 4)
"""Columns of `gpu_table` that are numbers."""
_SIGN = "✗ "
"""In front of what is not as it should be."""


def emulator_table(proven: Sequence[Proven]) -> list[list[str]]:
    """Where starter, solution, cheats and known mistakes failed; nothing where none was graded."""
    from grader.kernels import CHEATS  # noqa: PLC0415 - NumPy, 80 ms

    rows = [["question", "starter", "solution", *CHEATS, "known mistakes"]]
    for one in proven:
        gates = {(proof.role, proof.submission): _gate(proof) for proof in one.proofs}
        wrong = [f"{p.submission}: {_gate(p)}" for p in one.proofs if p.role == "wrong"]
        fixed: list[tuple[Role, str]] = [("starter", "starter"), ("solution", "solution")]
        fixed += [("cheat", name) for name in CHEATS]
        rows.append([one.question, *(gates.get(name, "–") for name in fixed), "; ".join(wrong)])
    return rows if proven else []


def emulator_plain(proven: Sequence[Proven]) -> list[dict[str, object]]:
    """The same for a program; the keys are promised in docs/cli.md."""
    return [{"question": one.question, "submissions": _submissions(one.proofs)} for one in proven]


def gpu_table(measured: Sequence[Measured]) -> list[list[str]]:
    """What a GPU said of the solution, and how many cheats it saw; nothing where none was asked."""
    rows = [[one.question, *_measured(one.proofs)] for one in measured]
    return [[*_GPU_HEAD], *rows] if measured else []


def gpu_plain(measured: Sequence[Measured]) -> list[dict[str, object]]:
    """All that a GPU said; the keys are promised in docs/cli.md."""
    return [
        {
            "question": one.question,
            **_solution(None if one.proofs is None else one.proofs.solution),
            "submissions": _submissions(() if one.proofs is None else one.proofs.proofs),
        }
        for one in measured
    ]


def _measured(proofs: GpuProofs | None) -> list[str]:
    if proofs is None:
        return [_NOT_ASKED, *_speed(None), "–"]
    solution = proofs.solution
    if solution is None:
        return [f"{_SIGN}{_NO_VERDICT}", *_speed(None), "–"]
    standing: str = solution.standing
    if not solution.right:
        standing = f"{_SIGN}{standing}: {solution.verdict.failed_at}"
    return [standing, *_speed(solution.speed), _cheats(proofs)]


def _speed(speed: Speed | None) -> tuple[str, str, str]:
    if speed is None:
        return "–", "–", "–"
    ratio = "–" if speed.ratio is None else str(speed.ratio)
    gate = "–" if speed.gate is None else f"{speed.gate:g}"
    return ratio, gate, f"{speed.seconds * 1e6:,.1f}"


def _cheats(proofs: GpuProofs) -> str:
    all_of_them = proofs.cheats
    held = sum(proof.fault is None for proof in all_of_them)
    sign = "" if held == len(all_of_them) else _SIGN
    return f"{sign}{held} of {len(all_of_them)}"


def _solution(graded: GpuGraded | None) -> dict[str, object]:
    """The verdict on the solution; all of it null without one."""
    names = ("standing", "speed", "resources", "error", "allowed", "seed")
    if graded is None:
        return dict.fromkeys(names)
    return {
        "standing": graded.standing,
        "speed": _dict(graded.speed),
        "resources": _dict(graded.resources),
        "error": finite(graded.error),
        "allowed": finite(graded.allowed),
        "seed": graded.seed,
    }


def _dict(value: Speed | Resources | None) -> dict[str, object] | None:
    return None if value is None else asdict(value)


def _submissions(proofs: Sequence[Proof]) -> list[dict[str, object]]:
    return [
        {
            "role": proof.role,
            "name": proof.submission,
            "gate": proof.gate or None,
            "holds": proof.fault is None,
        }
        for proof in proofs
    ]


def _gate(proof: Proof) -> str:
    """Where a submission failed, with a sign if that is not as it should be."""
    sign = "" if proof.fault is None else _SIGN
    return f"{sign}{proof.gate or 'passes'}"
