"""Makes the kernel that a changed source would give: nothing of the rest of the source runs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import CodeType
from typing import Any

from grader.changes import Change, apply_changes
from grader.facts import fact
from grader.mistakes import parse_python
from grader.simt.errors import Refused
from grader.simt.launches.arguments import type_of
from grader.simt.launches.launching import compile_for_types
from grader.simt.numba.reading.matching import replace_matches
from grader.simt.numba.reading.source import Function, of_function
from grader.simt.program.kernel import CompiledKernel


def source_of(ready: CompiledKernel) -> str:
    """Return the text of a kernel's own file."""
    return "\n".join(ready.program.sources.get("", ()))


def edit_kernel(
    ready: CompiledKernel, changes: Sequence[Change], arguments: Sequence[Any], *, keeps: bool
) -> CompiledKernel:
    """Return a kernel with changes in its own file, for arguments of the same types.

    Args:
        keeps: variables of a CUDA C++ source in global memory keep their data.

    Raises:
        ChangeRefused: a change does not fit.
        Refused: the changed kernel is not emulated.
    """
    text = apply_changes(source_of(ready), changes)
    if not isinstance(ready.function, Function):
        changed: CompiledKernel = ready.function.edit(text, _shift(changes), keeps=keeps)
        return changed
    function = _Editor(ready.function.path, text, _shift(changes)).edit(ready.function)
    return compile_for_types(function, list(map(type_of, arguments)))


def _shift(changes: Sequence[Change]) -> Callable[[int], int]:
    """Return what tells where a line is after the changes."""

    def moved(line: int) -> int:
        return line + sum(
            each.new.count("\n") - each.old.count("\n") for each in changes if each.place < line
        )

    return moved


class _Editor:
    """Reads functions of a file again from another text of it."""

    def __init__(self, path: str, text: str, shift: Callable[[int], int]) -> None:
        self._path = path
        self._lines = tuple(text.split("\n"))
        self._shift = shift
        tree = parse_python(text, Refused)
        self._found = {
            (node.name, node.lineno): node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
        }
        self._known: dict[int, Function] = {}

    def edit(self, function: Function) -> Function:
        """Return a function of the file as the text has it, and with it what it can call there.

        Raises:
            Refused: the text does not have it.
        """
        line = self._shift(function.start[0])
        node = self._found.get((function.name, line))
        if node is None:
            raise Refused(fact("simt.no-source", name=function.name))
        names = dict(function.names)
        edited = replace(
            function, node=replace_matches(node), names=names, lines=self._lines, first=0, indent=0
        )
        for name, value in function.names.items():
            names[name] = self._edit_called(value)
        return edited

    def _edit_called(self, value: Any) -> Any:
        """Return a function that kernels call as the text has it; anything else as it is."""
        if isinstance(value, Function):
            called = value
        elif (code := _find_code(value)) is not None and code.co_filename == self._path:
            called = of_function(value)
        else:
            return value
        if id(value) not in self._known:
            self._known[id(value)] = called  # it may call itself
            if called.path == self._path and (called.name, self._shift(called.start[0])) in (
                self._found
            ):
                self._known[id(value)] = self.edit(called)
        return self._known[id(value)]


def _find_code(value: Any) -> CodeType | None:
    """Return the code of a function that a decorator has wrapped.

    A stand-in of a module has any attribute that is asked for, but no code.
    """
    code = getattr(getattr(value, "py_func", None), "__code__", None)
    return code if isinstance(code, CodeType) else None
