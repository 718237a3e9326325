"""Shows on a GPU that a kernel question holds what it promises: for `quiz lint --gpu`.

The solution is right, and as fast as is asked of this device; a mistake of values fails, unless its
outcome is undefined; every cheat fails at `result`. What the emulator has not passed is not to be
asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grader.facts import fact
from grader.gpu import Gpu, GpuFailed, GpuGrade, gpu_cheats
from grader.kernels import InvalidProblem, KernelGrade, Referee, RefereeFailed, ReferenceFailed
from quizapp.domain.languages import put_in
from quizapp.domain.question import CodeLanguage, Kernel, WrongKernel
from quizapp.exercises.failures import describe_gate, position_in
from quizapp.exercises.faults import BadExercise, FieldFault
from quizapp.exercises.kernel_proofs import Proof, Role, at_fault, claim_of, code_path, file_of
from quizapp.exercises.kernels import benchmark, problem

UNDEFINED = frozenset(
    {"race", "global-race", "uninitialised-read", "barrier-divergence", "warp-mask", "absent-lanes"}
)
"""Kinds of findings whose outcome a device may get right by luck; the emulator stops them."""
_RESULT = "result"
_OF_ONE_QUESTION = ("slow", "crashed", "garbled")
"""Kinds of `GpuFailed` after which the next question may well be graded."""
Judged = tuple[Proof, GpuGrade]


@dataclass(frozen=True)
class GpuProofs:
    """What a GPU says of a question.

    Attributes:
        solution: the verdict on it; None where there is none.
        proofs: every submission that was graded.
        faults: what does not hold, of the proofs and of the question.
    """

    solution: GpuGrade | None
    proofs: tuple[Proof, ...]
    faults: tuple[FieldFault, ...]

    @property
    def cheats(self) -> tuple[Proof, ...]:
        """Those of the proofs that are cheats."""
        return tuple(proof for proof in self.proofs if proof.role == "cheat")


def gpu_proofs(
    question: Kernel,
    language: CodeLanguage,
    gpu: Gpu,
    referee: Referee,
    told: Callable[[str], None],
) -> GpuProofs:
    """Grade solution, mistakes of values and cheats.

    `question`: one whose solution the emulator passes. `referee`: runs the question's reference,
    from whose answer one cheat is made. `told`: is given the name of what is graded next.

    Raises GpuFailed: there is no GPU any more.
    """
    found: list[Judged] = []
    broken: list[FieldFault] = []
    put = put_in(question, language)
    try:  # verdicts before an error stay
        found.extend(_judge(question, put, (gpu, referee), told))
    except BadExercise as error:
        broken = [error.fault]
    except (InvalidProblem, ReferenceFailed, RefereeFailed) as error:
        broken = [at_fault(error)]
    except GpuFailed as error:
        if error.kind not in _OF_ONE_QUESTION:
            raise
        what = fact("proof.gpu-no-verdict", reason=error.what)
        broken = [FieldFault(("gpu",), what, error.todo)]
    proofs = tuple(proof for proof, _ in found)
    faults = [proof.fault for proof in proofs if proof.fault is not None]
    return GpuProofs(found[0][1] if found else None, proofs, (*faults, *broken))


def _judge(
    question: Kernel, put: Kernel, by: tuple[Gpu, Referee], told: Callable[[str], None]
) -> Iterator[Judged]:
    """Yield each submission with its proof, the solution first."""
    gpu, referee = by
    asked, source = problem(put), put.solution or ""
    told("solution")
    solution = gpu.grade(asked, source, benchmark(put))
    yield _proof("solution", "solution", put, solution, _solution_fault(put, solution)), solution
    for wrong in put.wrong:
        if wrong.fails == _RESULT and not _is_undefined(referee.grade(asked, wrong.source or "")):
            told(wrong.file)
            found = gpu.grade(asked, wrong.source or "")
            fault = _wrong_fault(question, put, wrong, found)
            yield _proof("wrong", wrong.file, put, found, fault), found
    if solution.right or solution.verdict.fails_at("speedup"):
        for cheat in gpu_cheats(asked, source, referee.reference_outputs(asked)):
            told(cheat.name)
            found = gpu.grade(asked, cheat.source)
            fault = _cheat_fault(cheat.name, found)
            yield _proof("cheat", cheat.name, put, found, fault), found


def _is_undefined(emulated: KernelGrade) -> bool:
    """True if a device may be right by luck; blocks get more shared memory than they ask for."""
    return any(
        finding.kind in UNDEFINED or (finding.kind == "out-of-bounds" and finding.space == "shared")
        for finding in emulated.findings
    )


def _proof(role: Role, name: str, put: Kernel, graded: GpuGrade, fault: FieldFault | None) -> Proof:
    return Proof(role, name, put.language, graded.verdict.failed_at, fault)


def _solution_fault(put: Kernel, solution: GpuGrade) -> FieldFault | None:
    if solution.right:
        return None
    speed, device = solution.speed, _device(solution)
    if speed is None or not solution.verdict.fails_at("speedup"):
        what = fact("proof.gpu-solution", device=device, failure=describe_gate(solution.verdict))
        at = position_in(file_of("solution", put.language), solution.verdict)
        return FieldFault(code_path("solution", put.language), what, at=at)
    what = fact("proof.gpu-slow", device=device, ratio=str(speed.ratio), required=f"{speed.gate:g}")
    part = "cuda" if put.language == "cuda" else "gpu"
    return FieldFault((part, "speedup", device), what)


def _wrong_fault(
    question: Kernel, put: Kernel, wrong: WrongKernel, found: GpuGrade
) -> FieldFault | None:
    if not found.right:
        return None
    file = file_of(f"wrong/{wrong.file}", put.language)
    what = fact("proof.gpu-wrong-passes", device=_device(found), file=file)
    return FieldFault(claim_of(question, wrong, put.language), what)


def _cheat_fault(name: str, found: GpuGrade) -> FieldFault | None:
    if found.verdict.fails_at(_RESULT):
        return None
    device, gate = _device(found), found.verdict.failed_at
    if not gate:
        return FieldFault((), fact("proof.gpu-cheat-passes", device=device, cheat=name))
    return FieldFault((), fact("proof.gpu-cheat-gate", device=device, cheat=name, gate=gate))


def _device(graded: GpuGrade) -> str:
    return graded.facts.name if graded.facts is not None else "GPU"
