"""What of Python is not available in a kernel, and what to write instead."""

from __future__ import annotations

import ast

import numpy as np

from grader.facts import Fact, fact
from grader.simt.errors import Refused
from grader.simt.reading.source import Function

_IMPORTS = fact("python.no-imports")
_LISTS = fact("python.no-lists")
_INSIDE = fact("python.no-inner-functions")

REFUSED: dict[type[ast.AST], Fact] = {
    ast.Import: _IMPORTS,
    ast.ImportFrom: _IMPORTS,
    ast.List: _LISTS,
    ast.ListComp: _LISTS,
    ast.GeneratorExp: fact("python.no-generators"),
    ast.Dict: fact("python.no-dictionaries"),
    ast.Set: fact("python.no-sets"),
    ast.Lambda: _INSIDE,
    ast.FunctionDef: _INSIDE,
    ast.AsyncFunctionDef: _INSIDE,
    ast.ClassDef: fact("python.no-classes"),
    ast.Global: fact("python.no-global"),
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
    ast.NotIn: fact("python.no-not-in"),
    ast.Is: fact("python.no-is"),
    ast.IsNot: fact("python.no-is-not"),
    ast.Slice: fact("python.no-slice"),
}
"""What a kernel cannot use of Python, by the form of the tree."""
_ELEMENTS = {
    "U": fact("advice.character-codes"),
    "S": fact("advice.bytes"),
    "M": fact("advice.times"),
    "m": fact("advice.times"),
}


def refuse_elements(dtype: np.dtype[np.generic]) -> tuple[Fact, Fact | None]:
    """Say that arrays of such elements are not emulated, and what to pass instead, if anything."""
    return fact("python.no-elements", type=str(dtype)), _ELEMENTS.get(dtype.kind)


def refuse_form(function: Function, node: ast.AST) -> Refused:
    """Make the error for a form that is not emulated."""
    unknown = fact("python.no-form", form=type(node).__name__)
    return function.refusal(node, REFUSED.get(type(node), unknown))
