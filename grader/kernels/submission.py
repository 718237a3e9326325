"""What a person handed in, as a function that can be interpreted: one kernel, with its helpers."""

from __future__ import annotations

import ast

from grader.simt import Function, Refused
from grader.simt.module import read_module
from grader.written import Mistake, python_tree

LONGEST = 200_000
"""Characters: no kernel is longer."""


class NotAccepted(Mistake):
    """It is not one kernel, of the signature that is asked for."""


def read_submission(source: str, kernel: str, parameters: tuple[str, ...]) -> Function:
    """The kernel in a submission.

    Functions with `device=True`, or that the kernel calls, may stand beside it. Its parameters may
    have other names than those asked for, not another number.

    Args:
        source: what was handed in.
        kernel: the name that is asked for.
        parameters: names of what it takes.

    Raises:
        NotAccepted: it is no such kernel.
        Refused: it holds what is not emulated.
    """
    source = source.removeprefix("\ufeff")  # as some editors save it, and Python reads it
    if len(source) > LONGEST:
        what = f"{len(source):,} characters; at most {LONGEST:,}"
        raise NotAccepted(what, 1, 1, "hand in the kernel alone")
    if (at := source.find("\0")) >= 0:
        before = source[:at]
        line, column = before.count("\n") + 1, at - before.rfind("\n")
        raise NotAccepted("a NUL byte", line, column, "save it as plain text")
    node = _chosen(python_tree(source, NotAccepted), kernel, parameters)
    takes = f"def {kernel}({', '.join(parameters)}):"
    given = node.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults:
        raise NotAccepted(
            f"{node.name} takes more than plain arguments", node.lineno, 1, f"write {takes}"
        )
    count = len(given.posonlyargs) + len(given.args)
    if count != len(parameters):
        many = f"{count} argument{'' if count == 1 else 's'}"
        what = f"{node.name} takes {many}, not {len(parameters)}"
        raise NotAccepted(what, node.lineno, 1, f"write {takes}")
    return read_module(source)[node.name]


def _chosen(tree: ast.Module, kernel: str, parameters: tuple[str, ...]) -> ast.FunctionDef:
    """The function that is the kernel."""
    takes = f"write def {kernel}({', '.join(parameters)}):"
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise NotAccepted("there is no function", 1, 1, takes)
    kernels = [node for node in functions if _is_kernel(node)]
    named = [node for node in functions if node.name == kernel]
    if len(named) > 1:
        what = f"{kernel} is defined twice, in lines {named[0].lineno} and {named[1].lineno}"
        raise NotAccepted(what, named[1].lineno, 1, "leave one")
    if len(kernels) > 1:
        first, second = kernels[:2]
        what = f"two kernels, {first.name} in line {first.lineno} and {second.name}"
        todo = "leave one; a function that it calls is marked @cuda.jit(device=True)"
        raise NotAccepted(what, second.lineno, 1, todo)
    if named:
        return named[0]
    if kernels or len(functions) == 1:
        return (kernels or functions)[0]
    raise NotAccepted(f"there is no kernel {kernel}", 1, 1, takes)


def _is_kernel(node: ast.FunctionDef) -> bool:
    """Whether it is decorated as one."""
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        name = ast.unparse(call.func if call else decorator)
        device = call and any(
            keyword.arg == "device" and getattr(keyword.value, "value", False)
            for keyword in call.keywords
        )
        if name in ("cuda.jit", "numba.cuda.jit", "jit") and not device:
            return True
    return False


__all__ = ["LONGEST", "NotAccepted", "Refused", "read_submission"]
