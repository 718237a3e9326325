"""Grades a kernel that a person wrote: source, right values, no finding, counted limits.

    problem = Problem("double", (Argument("a", "float32", ("n",)), …), …, reference=source)
    graded = grade(problem, submission, Expected(problem))
    graded.verdict.failure, graded.runs[0].line(7), graded.worst

The kernel is interpreted by `grader.simt`, never executed. The problem's own reference is Python
that runs: `Referee` does all of it in a process of its own, with limits; applications use that.
"""

from grader.kernels.cheats import CHEATS, Cheat, cheats
from grader.kernels.grading import GATES, gate_keys, grade
from grader.kernels.outcome import Graded, Ran, WorstAccess, Writer, WrongElement, fault_name
from grader.kernels.problem import Argument, CountLimit, InvalidProblem, Problem, check, counted
from grader.kernels.referee import Referee, RefereeFailed
from grader.kernels.reference import Expected, ReferenceFailed

__all__ = [
    "CHEATS",
    "GATES",
    "Argument",
    "Cheat",
    "CountLimit",
    "Expected",
    "Graded",
    "InvalidProblem",
    "Problem",
    "Ran",
    "Referee",
    "RefereeFailed",
    "ReferenceFailed",
    "WorstAccess",
    "Writer",
    "WrongElement",
    "cheats",
    "check",
    "counted",
    "fault_name",
    "gate_keys",
    "grade",
]
