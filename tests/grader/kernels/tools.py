"""What these tests are made with: a small problem to be changed field by field, and kernels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grader.kernels import Argument, KernelGrade, Problem, ReferenceOutputs, check, grade
from grader.verdict import Gate

ARRAY = Argument("a", "float32", ("n",))
OUT = Argument("out", "float32", ("n",), role="output")
DOUBLE = Problem(
    kernel="double",
    arguments=(ARRAY, OUT),
    shapes=({"n": 64}, {"n": 100}),
    grid=("ceil(n / 32)",),
    block=(32,),
    reference="def reference(a):\n    return 2 * a\n",
)
HEAD = "from numba import cuda, float32\n\n@cuda.jit\ndef double(a, out):\n    i = cuda.grid(1)\n"
FIRST = HEAD.count("\n") + 1
"""The line of what is put behind `HEAD`."""
GOOD = HEAD + "    if i < out.size:\n        out[i] = 2 * a[i]\n"


def problem(**fields: Any) -> Problem:
    """The problem with other fields; one that cannot be is an error."""
    changed = replace(DOUBLE, **fields)
    check(changed)
    return changed


def graded(source: str, **fields: Any) -> KernelGrade:
    """The verdict, in this process."""
    asked = problem(**fields)
    return grade(asked, source, ReferenceOutputs(asked) if asked.reference else None)


def kernel(*lines: str) -> str:
    """A kernel of these statements, behind `HEAD`."""
    return HEAD + "".join(f"    {line}\n" for line in lines)


def failure(source: str, **fields: Any) -> Gate:
    """The gate it fails at; those before it are passed, those behind not reached."""
    verdict = graded(source, **fields).verdict
    assert verdict.failure is not None, "it passes"
    states = [gate.state for gate in verdict.gates]
    at = states.index("failed")
    assert states == ["passed"] * at + ["failed"] + ["not reached"] * (len(states) - at - 1)
    return verdict.failure
