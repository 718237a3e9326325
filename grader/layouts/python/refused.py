"""The Python that is not available in a layout, and what to write instead."""

from __future__ import annotations

import ast

from grader.facts import Fact, fact
from grader.layouts.names import unavailable, write

BUILTINS = {"min": (2, 16), "max": (2, 16), "abs": (1, 1), "divmod": (2, 2), "int": (1, 1)}
"""Functions that can be called, with how many arguments they take at least and at most."""

CALLABLE = fact("layout.available-or-defined", names=tuple(BUILTINS))
AVAILABLE = fact("layout.available-python")
DEF_INDEX = fact("layout.write-def-index")
NO_TEXT = fact("layout.no-text")

Refusal = tuple[Fact, Fact | None]
"""What is wrong, and what to write instead where the catalogue's own advice does not fit."""

_IMPORT: Refusal = (fact("layout.no-imports"), None)
_LISTS: Refusal = (fact("layout.no-lists"), None)
_TEXT: Refusal = (NO_TEXT, None)
_PASS_IT = fact("layout.pass-as-argument")
_LEAVE_OUT = fact("layout.leave-out")

REFUSED: dict[type[ast.AST], Refusal] = {
    ast.Import: _IMPORT,
    ast.ImportFrom: _IMPORT,
    ast.Attribute: (fact("layout.no-attributes"), None),
    ast.Subscript: (fact("layout.no-indexing"), None),
    ast.List: _LISTS,
    ast.Dict: _LISTS,
    ast.Set: _LISTS,
    ast.ListComp: _LISTS,
    ast.SetComp: _LISTS,
    ast.DictComp: _LISTS,
    ast.GeneratorExp: _LISTS,
    ast.Lambda: (unavailable("lambda"), DEF_INDEX),
    ast.ClassDef: (unavailable("class"), DEF_INDEX),
    ast.AsyncFunctionDef: (unavailable("async"), DEF_INDEX),
    ast.Global: (unavailable("global"), _PASS_IT),
    ast.Nonlocal: (unavailable("nonlocal"), _PASS_IT),
    ast.NamedExpr: (unavailable(":="), fact("layout.assign-first")),
    ast.JoinedStr: _TEXT,
    ast.Try: (unavailable("try"), fact("layout.test-with-if")),
    ast.With: (unavailable("with"), fact("layout.only-control-flow")),
    ast.Raise: (unavailable("raise"), fact("layout.return-on-every-path")),
    ast.Assert: (unavailable("assert"), fact("layout.leave-out-assert")),
    ast.Delete: (unavailable("del"), _LEAVE_OUT),
    ast.Match: (unavailable("match"), write("if … elif …")),
    ast.MatMult: (unavailable("@"), fact("layout.write-products")),
    ast.Yield: (unavailable("yield"), write("return")),
    ast.Starred: (unavailable("*"), fact("layout.write-values")),
    ast.In: (unavailable("in"), fact("layout.compare-with-or")),
    ast.NotIn: (unavailable("not in"), fact("layout.compare-with-and")),
    ast.Is: (fact("layout.compares-objects", word="is"), write("==")),
    ast.IsNot: (fact("layout.compares-objects", word="is not"), write("!=")),
}
