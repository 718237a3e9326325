"""A text with kernels: its functions, and what its imports and assignments give them.

Nothing is executed. Imports of Numba, NumPy and math become paths, assignments at the top are
worked out if they are arithmetic on numbers.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.simt.errors import Refused
from grader.simt.names import dtype_of, number_of
from grader.simt.source import Function
from grader.simt.types import DType, Path
from grader.written import python_tree

_ROOTS = {"numba": "numba", "numba.cuda": "cuda", "numpy": "np", "math": "math"}
_PRESENT = {"cuda": Path("cuda"), "math": Path("math"), "np": Path("np"), "numba": Path("numba")}
_LARGEST = 1 << 63
_FUNCTIONS = {"int": int, "float": float, "min": min, "max": max, "abs": abs, "round": round}
_MATH = {
    name: getattr(math, name)
    for name in ("sqrt", "log", "log2", "log10", "exp", "floor", "ceil", "sin", "cos", "gcd")
}
_AS_SCRIPT = "__name__ == '__main__'"


def read_module(source: str, names: Mapping[str, Any] | None = None) -> dict[str, Function]:
    """The functions of a text, by name.

    Args:
        source: Python.
        names: further globals. `cuda`, `math`, `np` and `numba` are always there.

    Raises:
        Refused: it is not Python, or something at the top cannot be worked out.
    """
    lines = tuple(source.split("\n"))
    known: dict[str, Any] = {**_PRESENT, **(names or {})}
    functions: dict[str, Function] = {}
    for node in python_tree(source, Refused).body:
        match node:
            case ast.FunctionDef():
                functions[node.name] = known[node.name] = Function(node, known, lines)
            case ast.Import() | ast.ImportFrom():
                _import(known, node)
            case ast.Assign(targets=[target]):
                _assign(known, target, _worked_out(node.value, known))
            case ast.If(test=test) if ast.unparse(test) == _AS_SCRIPT:
                pass  # what it would launch is not asked for here
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                what = "at the top, only functions, imports and constants are read"
                raise _refused(node, what, "leave it out")
    return functions


def _import(known: dict[str, Any], node: ast.Import | ast.ImportFrom) -> None:
    """Give names what they stand for."""
    if isinstance(node, ast.Import):
        for one in node.names:
            _import_module(known, node, one.name, one.asname or one.name.split(".")[0])
        return
    for one in node.names:
        module = _ROOTS.get(node.module or "")
        if module is None and node.module != "__future__":
            raise _refused(node, f"{node.module} cannot be imported here")
        path = "cuda" if (module, one.name) == ("numba", "cuda") else None
        known[one.asname or one.name] = Path(path or f"{module}.{one.name}")


def _import_module(known: dict[str, Any], node: ast.AST, module: str, name: str) -> None:
    if module not in _ROOTS:
        raise _refused(node, f"{module} cannot be imported here", "numba, numpy and math can")
    known[name] = Path(_ROOTS[module] if name != module.split(".", maxsplit=1)[0] else _ROOTS[name])


def _assign(known: dict[str, Any], target: ast.expr, value: Any) -> None:
    """One name, or as many as there are values."""
    match target:
        case ast.Name(id=name):
            known[name] = value
        case ast.Tuple(elts=parts) if isinstance(value, tuple) and len(parts) == len(value):
            for part, one in zip(parts, value, strict=True):
                _assign(known, part, one)
        case _:
            raise _refused(target, "at the top, names are assigned to", "write N = 32")


def _refused(node: ast.AST, what: str, instead: str = "") -> Refused:
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    return Refused(what, line, column, instead)


def _worked_out(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Attribute(value=base, attr=attr):
            path = _worked_out(base, known)
            if isinstance(path, Path):
                return _member(path, attr)
            if isinstance(path, (np.iinfo, np.finfo)) and attr in ("min", "max", "eps", "tiny"):
                return getattr(path, attr)
        case ast.Call(keywords=[]):
            return _called(node, known)
        case ast.Tuple(elts=parts):
            return tuple(_worked_out(part, known) for part in parts)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, known)
        case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
            return _computed(node, known)
    raise _refused(node, "this is no constant", "write numbers, and arithmetic on them")


def _member(path: Path, name: str) -> Any:
    """What stands in a module: another one, a type, a number."""
    longer = Path("cuda" if (path.name, name) == ("numba", "cuda") else f"{path.name}.{name}")
    number = number_of(longer)
    return (dtype_of(longer) or longer) if number is None else number


def _called(node: ast.Call, known: Mapping[str, Any]) -> Any:
    """A type of a number, a function of numbers, or the limits of a type."""
    name = ast.unparse(node.func)
    if isinstance(node.func, ast.Name) and name in _FUNCTIONS and name not in known:
        found: Any = _FUNCTIONS[name]
    else:
        found = _worked_out(node.func, known)
    if isinstance(found, Path) and found.name in ("np.iinfo", "np.finfo") and len(node.args) == 1:
        return _limits(node, found.name, _type(_worked_out(node.args[0], known)))
    given = [_number(argument, known) for argument in node.args]
    kind = _type(found)
    if kind is not None and len(given) == 1:
        return _cast(node, kind, given[0])
    module, _, member = found.name.rpartition(".") if isinstance(found, Path) else ("", "", "")
    function = found if callable(found) else _MATH.get(member) if module == "math" else None
    if function is None:
        raise _refused(node, "this is no constant", "write numbers, and arithmetic on them")
    try:
        return function(*given)
    except (ArithmeticError, TypeError, ValueError):
        raise _refused(node, "this has no value") from None


def _limits(node: ast.Call, name: str, kind: DType | None) -> Any:
    """`np.iinfo(…)` or `np.finfo(…)`, of which a member is wanted."""
    try:
        if kind is not None:
            return (np.iinfo if name == "np.iinfo" else np.finfo)(kind.dtype)
    except ValueError:
        pass
    raise _refused(node, f"{name} knows no such type")


def _type(value: Any) -> DType | None:
    """A type, also one that was imported by its name."""
    return (
        dtype_of(value) if isinstance(value, Path) else value if isinstance(value, DType) else None
    )


def _cast(node: ast.Call, kind: DType, value: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return kind.dtype.type(value)
    except (OverflowError, ValueError):
        raise _refused(node, f"{value} is no {kind.dtype}") from None


def _computed(node: ast.BinOp, known: Mapping[str, Any]) -> Any:
    left, right = _number(node.left, known), _number(node.right, known)
    try:
        value = _ARITHMETIC[type(node.op)](left, right)
    except (ArithmeticError, TypeError, ValueError):
        raise _refused(node, "this has no value") from None
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise _refused(node, "the number is beyond 64 bits")
    return value


def _number(node: ast.expr, known: Mapping[str, Any]) -> Any:
    value = _worked_out(node, known)
    if not isinstance(value, (int, float, np.generic)):
        raise _refused(node, "this is no number")
    return value


_ARITHMETIC: dict[type[ast.AST], Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.LShift: lambda a, b: a << min(b, 64),
    ast.RShift: lambda a, b: a >> b,
    ast.Pow: lambda a, b: a ** min(b, 64),
}
