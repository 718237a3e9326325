"""A text with a kernel, as Python functions that Numba can compile: the one place that executes it.

Only what cannot do anything is executed: the imports and constants that
`grader.simt.numba.reading.module` reads, and function definitions, of which decorators, annotations
and computed defaults are taken away.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Mapping
from typing import Any

from grader.facts import fact
from grader.mistakes import parse_python
from grader.simt.errors import Refused
from grader.simt.numba.reading.module import read_module

FILE = "<kernel>"
_OPTIONS = ("fastmath", "max_registers", "inline", "lineinfo")
"""Of `cuda.jit`, that are kept; signatures are not: types follow from the arguments."""
Jit = Callable[..., Any]
"""`jit(function, **options)`, with `device=True` for functions that are not kernels."""


def load(source: str, kernel: str, names: Mapping[str, Any], jit: Jit, *, gated: bool) -> Any:
    """Return what `jit` makes of a kernel.

    Args:
        names: globals that are there without an import: `cuda`, `math`, `np`, `numba`.
        jit: applied to each function.
        gated: False executes the text as it stands; whatever it raises is raised.

    Raises:
        Refused: it holds what is not read, or no such function.
    """
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    # of a module that is loaded: numba-cuda compiles recursion only in a function of such a module
    known: dict[str, Any] = {"__name__": __name__, **names}
    if not gated:
        exec(compile(source, FILE, "exec"), known)  # noqa: S102 - asked for, by tests
        found = known.get(kernel)
        if found is None:
            raise Refused(fact("python.no-function", name=kernel), 1, 1)
        return jit(getattr(found, "py_func", found))
    read_module(source)
    tree = parse_python(source, Refused)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    options = {node.name: _options(node) for node in functions}
    if kernel not in options:
        raise Refused(fact("python.no-function", name=kernel), 1, 1)
    tree.body = [_strip_definition(node) for node in tree.body if _is_kept(node)]
    exec(compile(tree, FILE, "exec"), known)  # noqa: S102 - nothing in it does anything
    for name, given in options.items():
        more = {} if name == kernel else {"device": True}
        known[name] = jit(known[name], **given, **more)
    return known[kernel]


def _is_kept(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | ast.FunctionDef)


def _strip_definition(node: ast.stmt) -> ast.stmt:
    """Strip a function of all that would run when it is defined."""
    if not isinstance(node, ast.FunctionDef):
        return node
    arguments = node.args
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None and not isinstance(default, ast.Constant):
            raise Refused(
                fact("gpu.computed-default"), default.lineno, default.col_offset + 1
            )  # fmt: skip
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    for parameter in (*every, arguments.vararg, arguments.kwarg):
        if parameter is not None:
            parameter.annotation = None
    node.decorator_list, node.returns = [], None
    if hasattr(node, "type_params"):  # from Python 3.12 on
        node.type_params = []
    return node


def _options(node: ast.FunctionDef) -> dict[str, Any]:
    """Read the compiler options of its decorator."""
    calls = [decorator for decorator in node.decorator_list if isinstance(decorator, ast.Call)]
    return {
        keyword.arg: keyword.value.value
        for call in calls
        for keyword in call.keywords
        if keyword.arg in _OPTIONS and isinstance(keyword.value, ast.Constant)
    }
