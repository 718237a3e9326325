"""Keeps the typed programs of a script's kernels as texts, with the launches that ran them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.printing import print_program

Plain = dict[str, Any]


class KernelPrograms:
    """The typed programs of a script, each once for the same kernel and argument types.

    Attributes:
        plain: as plain data: `kernel`, `qualname`, `file`, `line`, `text`, and `launches`, their
            numbers from 1.
    """

    def __init__(self) -> None:
        self.plain: list[Plain] = []
        self._known: dict[CompiledKernel, Plain] = {}

    def add(self, ready: CompiledKernel, launch: int) -> None:
        """Keep the program of a launch."""
        if ready not in self._known:
            self._known[ready] = _find(self.plain, _describe(ready))
        self._known[ready]["launches"].append(launch)


def unite(programs: Sequence[Plain], others: Sequence[Plain], launches: int) -> list[Plain]:
    """Return the programs of two processes, each once.

    Args:
        programs: of the first one.
        others: of the second one.
        launches: how many launches come before those of the second one.
    """
    united = [{**program, "launches": [*program["launches"]]} for program in programs]
    for other in others:
        numbers = [launches + number for number in other["launches"]]
        _find(united, {**other, "launches": []})["launches"].extend(numbers)
    return united


def _find(programs: list[Plain], program: Plain) -> Plain:
    """Return the entry that is the same program; add it if there is none."""
    found = next((known for known in programs if _same(known, program)), None)
    if found is None:
        programs.append(program)
    return found or program


def _same(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    return all(first[key] == second[key] for key in ("file", "line", "qualname", "text"))


def _describe(ready: CompiledKernel) -> Plain:
    function = ready.function
    return {
        "kernel": function.name,
        "qualname": function.qualified or function.name,
        "file": function.path,
        "line": function.start[0],
        "text": print_program(ready.compiled.lowered),
        "launches": [],
    }
