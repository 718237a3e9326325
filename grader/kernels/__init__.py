"""Grades a kernel that a person wrote: source, right values, no finding, counted limits.

    problem = Problem("double", (Argument("a", "float32", ("n",)), …), …, reference=source)
    graded = grade(problem, submission, ReferenceOutputs(problem))
    graded.verdict.failure, graded.runs[0].line(7), graded.worst

The kernel is interpreted by `grader.simt`, never executed. The problem's own reference is Python
that runs: `Referee` does all of it in a process of its own, with limits; applications use that.
"""

from grader.kernels.cheating.serial import pose_serial, predict_serial
from grader.kernels.cheating.writing import CHEATS, Cheat, write_cheats
from grader.kernels.costs import Cost, find_costs
from grader.kernels.grading import GATES, find_failure, gate_keys, grade, observe
from grader.kernels.inputs import argument_types
from grader.kernels.mutation import Mutant, write_mutants
from grader.kernels.outcome import KernelGrade, RunReport, SharedArray, WorstAccess, fault_name
from grader.kernels.problem import (
    OPERATIONS,
    Argument,
    Bounds,
    CountLimit,
    InvalidProblem,
    Problem,
    check,
    counters_of,
    evaluate_number,
    evaluate_sizes,
)
from grader.kernels.recording import ArrayTile, Snapshot, Variable
from grader.kernels.referee import Referee, RefereeFailed
from grader.kernels.reference import ReferenceFailed, ReferenceOutputs
from grader.kernels.signature import Signature, signature_of
from grader.kernels.submission import entry_of

__all__ = [
    "CHEATS", "GATES", "OPERATIONS", "Argument", "ArrayTile", "Bounds", "Cheat", "Cost",
    "CountLimit", "InvalidProblem", "KernelGrade", "Mutant", "Problem", "Referee", "RefereeFailed",
    "ReferenceFailed", "ReferenceOutputs", "RunReport", "SharedArray", "Signature", "Snapshot",
    "Variable", "WorstAccess", "argument_types", "check", "counters_of", "entry_of",
    "evaluate_number", "evaluate_sizes", "fault_name", "find_costs", "find_failure", "gate_keys",
    "grade", "observe", "pose_serial", "predict_serial", "signature_of", "write_cheats",
    "write_mutants",
]  # fmt: skip
