"""What `quiz lint` graded: tables with a line per kernel, and plain data.

The keys of the plain data are promised in docs/cli.md.
"""

from __future__ import annotations

from dataclasses import asdict
from difflib import unified_diff
from typing import TYPE_CHECKING

from grader import kernels
from quizapp.domain.question import Dialect
from quizapp.report.json_values import finite
from quizapp.report.lines import Line, table
from quizapp.report.lines import Role as Color

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.gpu import GpuGrade, Resources, Speed, Standing
    from quizapp.deck.linting.mutating import QuestionMutants
    from quizapp.deck.linting.proving import DeviceProofs, EmulatorProofs
    from quizapp.exercises.gpu_proofs import GpuProofs
    from quizapp.exercises.kernel_proofs import Proof, Role
    from quizapp.exercises.mutants import State
    from quizapp.report.words import Words

_NONE = "–"
_SIGN = "✗ "
"""Before what is not as it should be."""
_DIFF: dict[str, Color] = {"-": "conflict", "+": "good"}
_STANDINGS: dict[Standing, str] = {
    "passed": "proof.passed",
    "failed": "proof.failed",
    "right, speed not judged": "proof.not-judged",
    "not decided": "proof.not-decided",
    "right, not measured": "proof.not-measured",
}


def emulator_lines(proven: Sequence[EmulatorProofs], say: Words) -> list[Line]:
    """Show where starter, solution, cheats and known mistakes failed; nothing if none ran."""
    fixed: list[tuple[Role, str]] = [("starter", "starter"), ("solution", "solution")]
    fixed += [("cheat", name) for name in kernels.CHEATS]
    names = (say("proof.column.starter"), say("proof.column.solution"), *kernels.CHEATS)
    rows = [[say("proof.column.question"), *names, say("proof.column.mistakes")]]
    for kernel in proven:
        for language in dict.fromkeys(proof.language for proof in kernel.proofs):
            proofs = [proof for proof in kernel.proofs if proof.language == language]
            gates = {(proof.role, proof.submission): _gate(proof, say) for proof in proofs}
            wrong = [f"{p.submission}: {_gate(p, say)}" for p in proofs if p.role == "wrong"]
            if proofs:
                name = _name(kernel.question, language, say)
                cells = (gates.get(n, _NONE) for n in fixed)
                rows.append([name, *cells, say("problem.separator").join(wrong)])
    if not proven:
        return []
    lines = table(rows)
    if any(_NONE in row for row in rows):
        lines.append(((say("proof.not-derived"), "dim"),))
    return lines


def mistake_lines(proven: Sequence[EmulatorProofs], say: Words) -> list[Line]:
    """Show each known mistake as a diff from the solution, if one question was graded."""
    lines: list[Line] = []
    proofs = proven[0].proofs if len(proven) == 1 else ()
    solutions = {proof.language: proof.source for proof in proofs if proof.role == "solution"}
    for proof in proofs:
        if proof.role == "wrong":
            name = f"{proof.submission} ({say(f'code.{proof.language}')}): {_gate(proof, say)}"
            lines += [(), ((name, "bold"),)]
            before, after = solutions[proof.language].splitlines(), proof.source.splitlines()
            diff = list(unified_diff(before, after, n=1, lineterm=""))[2:]  # without file names
            lines += [((line, _DIFF.get(line[:1], "dim")),) for line in diff]
    return lines


def emulator_plain(proven: Sequence[EmulatorProofs]) -> list[dict[str, object]]:
    """Return the same as plain data."""
    return [
        {"question": kernel.question, "submissions": _submissions(kernel.proofs)}
        for kernel in proven
    ]


def gpu_lines(measured: Sequence[DeviceProofs], say: Words) -> list[Line]:
    """Show the GPU's verdict on each solution, and the cheats it caught; nothing if none ran."""
    columns = ("question", "verdict", "speedup", "gate", "time", "cheats")
    head = [say(f"proof.column.{column}") for column in columns]
    rows = [
        [_name(kernel.question, kernel.language, say), *_measured_cells(kernel.proofs, say)]
        for kernel in measured
    ]
    return table([head, *rows], right=(3, 4)) if measured else []


def gpu_plain(measured: Sequence[DeviceProofs]) -> list[dict[str, object]]:
    """Return all that the GPU reported."""
    return [
        {
            "question": kernel.question,
            "language": kernel.language,
            **_solution(None if kernel.proofs is None else kernel.proofs.solution),
            "submissions": _submissions(() if kernel.proofs is None else kernel.proofs.proofs),
        }
        for kernel in measured
    ]


_COUNTED: tuple[State, ...] = ("killed", "excused", "survived", "crashed")


def mutant_lines(mutated: Sequence[QuestionMutants], say: Words) -> list[Line]:
    """Count the mutants of each kernel by what they came to; nothing if none ran."""
    columns = ("question", "mutants", *_COUNTED)
    rows = [[say(f"proof.column.{column}") for column in columns]]
    for kernel in mutated:
        counts = (kernel.count(), *(kernel.count(state) for state in _COUNTED))
        rows.append([kernel.question, *(f"{count:,}" for count in counts)])
    return table(rows, right=range(1, len(columns))) if mutated else []


def mutant_plain(mutated: Sequence[QuestionMutants]) -> list[dict[str, object]]:
    """Return the counts, and each mutant that was not killed."""
    return [
        {
            "question": kernel.question,
            "made": kernel.count(),
            **{state: kernel.count(state) for state in _COUNTED},
            "alive": [
                {
                    "language": result.language,
                    "rule": result.mutant.rule,
                    "line": result.mutant.line,
                    "diff": list(result.mutant.diff),
                    "state": result.state,
                }
                for result in kernel.results
                if result.state != "killed"
            ],
        }
        for kernel in mutated
    ]


def _name(question: str, language: Dialect, say: Words) -> str:
    return f"{question} ({say(f'code.{language}')})"


def _measured_cells(proofs: GpuProofs | None, say: Words) -> list[str]:
    if proofs is None:
        return [say("proof.not-run"), *_speed(None), _NONE]
    solution = proofs.solution
    if solution is None:
        return [_SIGN + say("proof.no-verdict"), *_speed(None), _NONE]
    standing = say(_STANDINGS[solution.standing])
    if not solution.right:
        standing = _SIGN + say("proof.failed-at", gate=solution.verdict.failed_at)
    return [standing, *_speed(solution.speed), _cheats(proofs, say)]


def _speed(speed: Speed | None) -> tuple[str, str, str]:
    if speed is None:
        return _NONE, _NONE, _NONE
    ratio = _NONE if speed.ratio is None else str(speed.ratio)
    gate = _NONE if speed.gate is None else f"{speed.gate:g}"
    return ratio, gate, f"{speed.seconds * 1e6:,.1f}"


def _cheats(proofs: GpuProofs, say: Words) -> str:
    cheats = proofs.cheats
    caught = sum(proof.fault is None for proof in cheats)
    sign = "" if caught == len(cheats) else _SIGN
    return sign + say("proof.of", count=caught, total=len(cheats))


def _solution(graded: GpuGrade | None) -> dict[str, object]:
    """Return the verdict on the solution; every value is None without one."""
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
            "language": proof.language,
            "gate": proof.gate or None,
            "holds": proof.fault is None,
        }
        for proof in proofs
    ]


def _gate(proof: Proof, say: Words) -> str:
    """Name the gate a submission failed at, with a sign if it should be another."""
    sign = "" if proof.fault is None else _SIGN
    return sign + (proof.gate or say("proof.passes"))
