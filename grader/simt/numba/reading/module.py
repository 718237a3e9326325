"""A text with kernels: its functions, and what its imports and assignments give them.

Nothing is executed. Imports of Numba, NumPy and math become paths, assignments at the top are
worked out if they are arithmetic on numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from grader.facts import fact
from grader.mistakes import parse_python
from grader.simt.errors import Refused
from grader.simt.numba.reading.constant_values import constant_value, refusal
from grader.simt.numba.reading.matching import replace_matches
from grader.simt.numba.reading.paths import MLIR, canonical
from grader.simt.numba.reading.source import Function, keep_defaults
from grader.simt.program.types import NamePath

_ROOTS = {
    "numba": "numba",
    "numba.cuda": "cuda",
    MLIR: MLIR,
    f"{MLIR}.cuda": "cuda",
    f"{MLIR}.types": f"{MLIR}.types",
    "numpy": "np",
    "math": "math",
    "cmath": "cmath",
}
_PRESENT = {
    "cuda": NamePath("cuda"),
    "math": NamePath("math"),
    "np": NamePath("np"),
    "numba": NamePath("numba"),
}
_AS_SCRIPT = "__name__ == '__main__'"


def read_module(
    source: str, names: Mapping[str, Any] | None = None, tree: ast.Module | None = None
) -> dict[str, Function]:
    """Return the functions of a text, by name.

    Args:
        names: further globals. `cuda`, `math`, `np` and `numba` are always there.
        tree: the tree of the text, if the caller has parsed it.

    Raises:
        Refused: it is not Python, or something at the top cannot be worked out.
    """
    lines = tuple(source.split("\n"))
    known: dict[str, Any] = {**_PRESENT, **(names or {})}
    functions: dict[str, Function] = {}
    body = (tree or parse_python(source, Refused)).body
    for_mlir = any(_is_of_mlir(each) for node in body for each in _imports_of(node))
    for node in body:
        match node:
            case ast.FunctionDef():
                read = keep_defaults(replace_matches(node))
                debug, fastmath = (_is_set(read, option) for option in ("debug", "fastmath"))
                function = Function(
                    read, known, lines, debug=debug, fastmath=fastmath, for_mlir=for_mlir
                )
                functions[node.name] = known[node.name] = function
            case ast.Import() | ast.ImportFrom() | ast.Try() if imports := _imports_of(node):
                for each in imports:
                    _import(known, each)
            case ast.Assign(targets=targets):
                value = constant_value(node.value, known)
                for target in targets:
                    _assign(known, target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                _assign(known, target, constant_value(value, known))
            case ast.If(test=test) if ast.unparse(test) == _AS_SCRIPT:
                pass  # what it would launch is not asked for here
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise refusal(node, fact("simt.top-level"))
    return functions


def _is_set(node: ast.FunctionDef, option: str) -> bool:
    """Return True if `@cuda.jit(…)` sets an option to a constant that is true."""
    calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    return any(
        keyword.arg == option and isinstance(keyword.value, ast.Constant) and keyword.value.value
        for call in calls
        for keyword in call.keywords
    )


def _imports_of(node: ast.stmt) -> list[ast.Import | ast.ImportFrom]:
    """Return an import, or those of a text that tries one package of Numba's, or else the other."""
    parts = node.body if isinstance(node, ast.Try) else [node]
    imports = [part for part in parts if isinstance(part, (ast.Import, ast.ImportFrom))]
    return imports if len(imports) == len(parts) else []


def _is_of_mlir(node: ast.Import | ast.ImportFrom) -> bool:
    """Return True if an import is of numba-cuda-mlir."""
    modules = [name.name for name in node.names] if isinstance(node, ast.Import) else [node.module]
    return any((module or "").partition(".")[0] == MLIR for module in modules)


def _import(known: dict[str, Any], node: ast.Import | ast.ImportFrom) -> None:
    """Define the imported names."""
    if isinstance(node, ast.Import):
        for name in node.names:
            _import_module(known, node, name.name, name.asname or name.name.split(".")[0])
        return
    for name in node.names:
        module = _ROOTS.get(node.module or "")
        if module is None and node.module != "__future__":
            raise refusal(node, fact("simt.no-module", module=node.module or "."))
        known[name.asname or name.name] = NamePath(canonical(f"{module}.{name.name}"))


def _import_module(known: dict[str, Any], node: ast.AST, module: str, name: str) -> None:
    if module not in _ROOTS:
        raise refusal(node, fact("simt.no-module", module=module))
    known[name] = NamePath(
        _ROOTS[module] if name != module.split(".", maxsplit=1)[0] else _ROOTS[name]
    )


def _assign(known: dict[str, Any], target: ast.expr, value: Any) -> None:
    """Assign to one name, or to as many as there are values."""
    match target:
        case ast.Name(id=name):
            known[name] = value
        case ast.Tuple(elts=parts) if isinstance(value, tuple) and len(parts) == len(value):
            for part, item in zip(parts, value, strict=True):
                _assign(known, part, item)
        case _:
            instead = fact("advice.write", code="N = 32")
            raise refusal(target, fact("simt.top-level-assignment"), instead)
