"""What of Python is not available in a layout, and what to write instead."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Collection

BUILTINS = {"min": (2, 16), "max": (2, 16), "abs": (1, 1), "divmod": (2, 2), "int": (1, 1)}
"""Functions that can be called, with how many arguments they take at least and at most."""

CALLABLE = f"available: {', '.join(BUILTINS)}, and functions defined beside"
AVAILABLE = "available: assignments, if, for … in range(…), while, return and whole numbers"

_IMPORT = ("imports are not possible", "write the arithmetic out; min, max, abs, divmod are there")
_LISTS = ("lists are not available", "compute the value with arithmetic, or choose with if")
_INDEXING = "give the place of the element: return row * pitch + col, or return row, col"

REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Import: _IMPORT,
    ast.ImportFrom: _IMPORT,
    ast.Attribute: ("attributes are not available", "use row, col and names you assigned"),
    ast.Subscript: ("indexing is not available", _INDEXING),
    ast.List: _LISTS,
    ast.Dict: _LISTS,
    ast.Set: _LISTS,
    ast.ListComp: _LISTS,
    ast.SetComp: _LISTS,
    ast.DictComp: _LISTS,
    ast.GeneratorExp: _LISTS,
    ast.Lambda: ("lambda is not available", "write def index(row, col): return …"),
    ast.ClassDef: ("classes are not available", "write def index(row, col): …"),
    ast.AsyncFunctionDef: ("async is not available", "write def index(row, col): …"),
    ast.Global: ("global is not available", "pass the value as an argument"),
    ast.Nonlocal: ("nonlocal is not available", "pass the value as an argument"),
    ast.NamedExpr: (":= is not available", "assign on a line of its own"),
    ast.JoinedStr: ("text is not available", "only numbers can be computed with"),
    ast.Try: ("try is not available", "test for the case with if"),
    ast.With: ("with is not available", "only arithmetic, if, for and while are"),
    ast.Raise: ("raise is not available", "return a value on every path"),
    ast.Assert: ("assert is not available", "leave it out: the checks are made anyway"),
    ast.Delete: ("del is not available", "leave it out"),
    ast.Match: ("match is not available", "write if and elif"),
    ast.MatMult: ("@ is not available", "write the sum of products out"),
    ast.Yield: ("yield is not available", "write return"),
    ast.Starred: ("* is not available here", "write each value out"),
    ast.In: ("in is not available", "compare with == and or"),
    ast.NotIn: ("not in is not available", "compare with != and and"),
    ast.Is: ("is compares objects", "write =="),
    ast.IsNot: ("is not compares objects", "write !="),
}

_LONGEST_SHOWN = 40


def shortened(text: str) -> str:
    """A name as a message shows it."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def suggestion(name: str, known: Collection[str]) -> str:
    """What to write instead of an unknown name."""
    close = difflib.get_close_matches(name[:_LONGEST_SHOWN], known, 1)
    return f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
