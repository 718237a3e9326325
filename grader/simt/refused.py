"""What of Python is not available in a kernel, and what to write instead."""

from __future__ import annotations

import ast
import re

import numpy as np

_LISTS = ("lists are not available in a kernel", "use cuda.local.array, or a tuple")
_INSIDE = ("functions inside of a kernel are not available", "define it beside, with device=True")

REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Import: ("imports are not possible in a kernel", "import at the top of the file"),
    ast.ImportFrom: ("imports are not possible in a kernel", "import at the top of the file"),
    ast.List: _LISTS,
    ast.ListComp: _LISTS,
    ast.GeneratorExp: ("generators are not available in a kernel", "write a loop"),
    ast.Dict: ("dictionaries are not available in a kernel", "use an array"),
    ast.Set: ("sets are not available in a kernel", "use an array"),
    ast.Lambda: _INSIDE,
    ast.FunctionDef: _INSIDE,
    ast.AsyncFunctionDef: _INSIDE,
    ast.ClassDef: ("classes are not available in a kernel", "use arrays and functions"),
    ast.Global: ("global is not available in a kernel", "pass an array to write to"),
    ast.Nonlocal: ("nonlocal is not available in a kernel", "pass an array to write to"),
    ast.NamedExpr: (":= is not available in a kernel", "assign on a line of its own"),
    ast.JoinedStr: ("text is not available in a kernel", "write numbers to an array"),
    ast.Try: ("try is not available in a kernel", "test for the case with if"),
    ast.With: ("with is not available in a kernel", "write it out"),
    ast.Delete: ("del is not available in a kernel", "leave it out"),
    ast.Match: ("match is not available in a kernel", "write if and elif"),
    ast.MatMult: ("@ is not available in a kernel", "write the sum of products out"),
    ast.Yield: ("yield is not available in a kernel", "write to an array"),
    ast.Starred: ("* is not available here", "write each value out"),
    ast.In: ("in looks into tuples only, in a kernel", "compare with == and or"),
    ast.NotIn: ("not in looks into tuples only, in a kernel", "compare with != and and"),
    ast.Is: ("is compares objects", "write =="),
    ast.IsNot: ("is not compares objects", "write !="),
    ast.Slice: ("a slice stands between brackets only", ""),
}
_ELEMENTS = {
    "U": "codes of characters",
    "S": "bytes, as uint8",
    "M": "int64",
    "m": "int64",
}
_VECTOR = re.compile(
    r"cuda\.u?(char|short|int|long|longlong|float|double|u?int\d+x|float\d+x)[1-4]"
)


def elements_refused(dtype: np.dtype[np.generic]) -> str:
    """What to say of an array of elements that no kernel has here, and what to give instead."""
    if dtype.names:
        return "arrays of records are not emulated; give an array for each field"
    what = f"arrays of {dtype} are not emulated"
    return f"{what}; give {_ELEMENTS[dtype.kind]}" if dtype.kind in _ELEMENTS else what


def instead_of(path: str) -> str:
    """What to write instead of a name of Numba's, if that can be told."""
    return "use an array, or a tuple" if _VECTOR.fullmatch(path) else ""
