"""What of Python is not available in a kernel, and what to write instead."""

from __future__ import annotations

import ast
from dataclasses import replace

import numpy as np

from grader.facts import Fact, fact
from grader.simt.errors import Refused
from grader.simt.numba.reading.source import Function
from grader.simt.program.types import Array, Nothing, RecordType, Text, Type

_IMPORTS = fact("python.no-imports")
_LISTS = fact("python.no-lists")

REFUSED: dict[type[ast.AST], Fact] = {
    ast.Import: _IMPORTS,
    ast.ImportFrom: _IMPORTS,
    ast.List: _LISTS,
    ast.ListComp: _LISTS,
    ast.GeneratorExp: fact("python.no-generators"),
    ast.Dict: fact("python.no-dictionaries"),
    ast.Set: fact("python.no-sets"),
    ast.AsyncFunctionDef: fact("python.no-async"),
    ast.ClassDef: fact("python.no-classes"),
    ast.Nonlocal: fact("python.no-nonlocal"),
    ast.NamedExpr: fact("python.no-walrus"),
    ast.JoinedStr: fact("python.no-text"),
    ast.Try: fact("python.no-try"),
    ast.With: fact("python.no-with"),
    ast.Delete: fact("python.no-del"),
    ast.Match: fact("python.no-match"),
    ast.MatMult: fact("python.no-matmul"),
    ast.Yield: fact("python.no-yield"),
    ast.Starred: fact("python.no-star"),
    ast.In: fact("python.no-in"),
    ast.NotIn: fact("python.no-in"),
    ast.Is: fact("python.no-is"),
    ast.IsNot: fact("python.no-is"),
    ast.Slice: fact("python.no-slice"),
}
"""What a kernel cannot use of Python, by the form of the tree."""
NOT_RUN = (
    "python.array-attribute", "python.closure-escapes", "python.constant-array",
    "python.inner-keywords", "python.literal", "python.memory-choice", "python.no-in",
    "python.no-is", "python.no-nonlocal", "python.not-emulated", "python.optional",
    "python.text-choice", "python.unassigned", "python.view-size", "simt.print-count",
)  # fmt: skip
"""What Numba compiles and the emulator refuses, by the code of the refusal; docs/emulator.md says
what to write instead. A refusal with another code is Numba's too: `tests/grader/simt/forms`.
"""
_ELEMENTS = {
    "U": fact("advice.character-codes"),
    "S": fact("advice.bytes"),
    "M": fact("advice.times"),
    "m": fact("advice.times"),
}


def explain_conflict(first: Type, second: Type, otherwise: Fact) -> Fact:
    """Return why two types do not go together; `otherwise` unless the emulator alone refuses it."""
    if Nothing() in (first, second):
        return fact("python.optional")
    if isinstance(first, Text) and isinstance(second, Text):
        return fact("python.text-choice")
    kinds = (Array, RecordType)
    if not isinstance(first, kinds) or not isinstance(second, kinds):
        return otherwise
    moved = replace(first, space=second.space, writable=second.writable)
    return fact("python.memory-choice") if moved == second else otherwise


def refuse_elements(dtype: np.dtype[np.generic]) -> tuple[Fact, Fact | None]:
    """Say that arrays of such elements are not emulated, and what to pass instead, if anything."""
    return fact("python.no-elements", type=str(dtype)), _ELEMENTS.get(dtype.kind)


def refuse_form(function: Function, node: ast.AST) -> Refused:
    """Make the error for a form that is not emulated."""
    unknown = fact("python.no-form", form=type(node).__name__)
    return function.refusal(node, REFUSED.get(type(node), unknown))
