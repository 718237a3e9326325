"""Reads a submission in Python as a function that can be interpreted: a kernel and its helpers."""

from __future__ import annotations

import ast

from grader.facts import Fact, fact
from grader.kernels.accepting import ANY_NAME, NotAccepted, missing_kernel
from grader.mistakes import parse_python
from grader.simt import Function
from grader.simt.numba.reading.module import read_module


def read_python(source: str, kernel: str, parameters: tuple[str, ...]) -> Function:
    """Find the kernel in a submission.

    Functions with `device=True`, or that the kernel calls, may stand beside it. Its parameters may
    have other names than those asked for, not another number.

    Args:
        source: what was handed in, as `accepting.check_text` returns it.
        kernel: the name that is asked for; empty for any.

    Raises:
        NotAccepted: it is not such a kernel.
        Refused: it holds what is not emulated.
    """
    tree = parse_python(source, NotAccepted)
    node = _choose_kernel(tree, kernel, parameters)
    check_parameters(node, len(parameters), _signature(kernel, parameters))
    return read_module(source, tree=tree)[node.name]


def _choose_kernel(tree: ast.Module, kernel: str, parameters: tuple[str, ...]) -> ast.FunctionDef:
    """Choose the function that is the kernel."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise NotAccepted(fact("submission.no-function"), 1, 1, _signature(kernel, parameters))
    kernels = [node for node in functions if _is_kernel(node)]
    there = kernels or functions
    named = [node for node in functions if node.name == kernel]
    if len(named) > 1:
        what = fact("submission.twice", name=kernel, line=named[0].lineno, other=named[1].lineno)
        raise NotAccepted(what, named[1].lineno, 1)
    if kernel and not named and (len(there) > 1 or len(_parameters(there[0])) != len(parameters)):
        what = missing_kernel(kernel, [node.name for node in there])
        raise NotAccepted(what, there[0].lineno, 1, _signature(kernel, parameters))
    if len(kernels) > 1:
        first, second = kernels[:2]
        what = fact("submission.two-kernels", name=first.name, line=first.lineno, other=second.name)
        raise NotAccepted(what, second.lineno, 1)
    return (named or there)[0]


def check_parameters(node: ast.FunctionDef, asked: int, advice: Fact) -> list[ast.arg]:
    """Return the parameters of a kernel.

    Raises:
        NotAccepted: some are not plain, or there is another number of them.
    """
    given, found = node.args, _parameters(node)
    what = None
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults:
        what = fact("submission.plain-arguments", name=node.name)
    elif len(found) != asked:
        what = fact("submission.arguments", name=node.name, n=len(found), asked=asked)
    if what is not None:
        raise NotAccepted(what, node.lineno, 1, advice)
    return found


def _parameters(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args]


def _signature(kernel: str, parameters: tuple[str, ...]) -> Fact:
    """Make the advice that names the signature."""
    code = f"def {kernel or ANY_NAME}({', '.join(parameters)}):"
    return fact("submission.write-signature", code=code)


def _is_kernel(node: ast.FunctionDef) -> bool:
    """Return True if it is decorated as a kernel."""
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
