"""Our own corpus: right kernels in `tests/data/kernels/own`, and the faulty ones made of them.

A file has a `kernel`, `case(random)` with its launch and what must come out, and `FAULTS`:

    (edit, kinds, marks)     the edit of `mutations`; any of these kinds is right; so is any of
                             the lines with these marks, and `def` is the kernel's own
    (edit, "wrong-result", "")            nothing is to be found, and the result is wrong
    (edit, "equivalent", reason)          neither
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from grader.simt import Launch, SimtError, launch
from grader.simt.host.library import cuda_module, numba_module
from grader.simt.host.session import ScriptSession
from tests.grader.simt.budget import LAUNCH_BUDGET
from tests.grader.simt.mutations import Edit, marked, mutated

OWN = Path(__file__).parents[2] / "data" / "kernels" / "own"
BUDGET = LAUNCH_BUDGET // 4  # what right ones need is not near it
VALUES, NOTHING = "wrong-result", "equivalent"
"""Kinds of those edits of which no finding is expected."""


@dataclass(frozen=True)
class Fault:
    """A faulty kernel, and what is to be found in it."""

    name: str
    edit: Edit
    kinds: tuple[str, ...]
    lines: frozenset[int]
    text: str = field(repr=False)

    @property
    def hazard(self) -> bool:
        """Whether a finding is expected."""
        return not {VALUES, NOTHING} & set(self.kinds)


@dataclass(frozen=True)
class Outcome:
    """What a launch of a text came to.

    Attributes:
        found: kind, line and other line of each finding but warnings.
        right: whether all results are.
        refused: why it could not run.
    """

    found: tuple[tuple[str, int, int], ...] = ()
    right: bool = False
    refused: str = ""

    def finds(self, fault: Fault) -> bool:
        """Whether a finding of an expected kind is there."""
        return any(kind in fault.kinds for kind, *_ in self.found)

    def at_line(self, fault: Fault) -> bool:
        """Whether such a finding names a line that is right."""
        return any(kind in fault.kinds and fault.lines & {*at} for kind, *at in self.found)


def names() -> list[str]:
    """Of all kernels."""
    return sorted(path.stem for path in OWN.glob("*.py"))


def text_of(name: str) -> str:
    """The file of a kernel."""
    return (OWN / f"{name}.py").read_text("utf-8")


def faults(name: str) -> list[Fault]:
    """All edits of a kernel, in their order."""
    text = text_of(name)
    marks = marked(text) | {"def": _def_line(text)}
    return [
        Fault(
            f"{name}: {' '.join(map(str, edit))}",
            edit,
            tuple(kinds.split()),
            frozenset(marks[mark] for mark in places.split()) if kinds != NOTHING else frozenset(),
            mutated(text, edit),
        )
        for edit, kinds, places in executed(text, name)["FAULTS"]
    ]


def outcome(name: str, text: str) -> Outcome:
    """Launch a text of a kernel in the emulator."""
    try:
        done, case = launched(name, text)
    except SimtError as error:
        return Outcome(refused=str(error))
    return Outcome(_findings(done, _def_line(text)), is_right(case))


def launched(name: str, text: str) -> tuple[Launch, Mapping[str, Any]]:
    """The launch of a text of a kernel, and the case that it is about."""
    space = executed(text, name)
    case = space["case"](np.random.default_rng(4))
    outputs = case.get("outputs", list(case["right"]))
    return launch(space["kernel"], *sizes(case), **options(case), outputs=outputs), case


def sizes(case: Mapping[str, Any]) -> tuple[Any, Any, list[Any]]:
    """Grid, block and arguments of a case."""
    return case["grid"], case["block"], list(case["arguments"].values())


def options(case: Mapping[str, Any]) -> dict[str, Any]:
    """What else a launch of a case is given."""
    return {"shared_bytes": case.get("shared_bytes", 0), "budget": BUDGET}


def is_right(case: Mapping[str, Any]) -> bool:
    """Whether arguments became what a case says."""
    return all(_same(case, name, right) for name, right in case["right"].items())


def _same(case: Mapping[str, Any], name: str, right: Any) -> bool:
    given = case["arguments"][name]
    if name in case.get("sorted", ()):
        given = np.sort(given)
    tolerance = case.get("tolerance", 0)
    return given.shape == right.shape and np.allclose(given, right, rtol=tolerance, atol=tolerance)


def executed(text: str, name: str, numba: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The names of a kernel's file.

    Args:
        text: of the file.
        name: of the kernel.
        numba: the modules that are imported as Numba's; the emulator's stand-in if not given, and
            so nothing is compiled.
    """
    file = f"<{name} {hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": name}
    with patch.dict(sys.modules, _stand_in() if numba is None else numba):
        exec(compile(text, file, "exec"), space)
    return space


@cache
def _stand_in() -> dict[str, Any]:
    numba, cuda = numba_module(), cuda_module(ScriptSession())
    numba.cuda = cuda
    return {"numba": numba, "numba.cuda": cuda}


def _def_line(text: str) -> int:
    return text[: re.search(r"^def kernel", text, re.MULTILINE).start()].count("\n") + 1


def _findings(done: Launch, def_line: int) -> tuple[tuple[str, int, int], ...]:
    """A finding about the launch is shown at the kernel's `def`."""
    return tuple((one.kind, one.line or def_line, one.other_line) for one in done.faults)
