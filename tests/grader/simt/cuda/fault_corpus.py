"""Clean kernels of CUDA C++, and the faulty ones made of them by an edit in one line.

`tests/data/kernels/cuda/clean.cu` has the kernels with their launches, `mutations.txt` the edits:

    # class: kinds                 any of these kinds is right in the rows that follow
    kernel @mark: old => new       in the line of this mark; it is a line that is right
    kernel @mark !other: …         `other` is the mark of the line that is right
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from grader.changes import Change, apply_changes
from grader.simt import CompiledKernel, Launch, SimtError, launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.host.files.fitting import fit_argument
from grader.simt.host.files.written_arguments import read_arguments
from grader.simt.repairs.proving import Rerun
from grader.simt.repairs.relaunching import Advised, advise_launch, compare

FOLDER = Path(__file__).parents[3] / "data" / "kernels" / "cuda"
_BUDGET = 10**9
_HEAD = re.compile(r"^//= (\w+) ([\d,]+) ([\d,]+) (\d+) \| (.*)$", re.MULTILINE)
_ROW = re.compile(
    r"(?P<name>\w+) @(?P<mark>\w+)(?: !(?P<right>[\w ]+))?: (?P<old>.+?) => ?(?P<new>.*)"
)


@dataclass(frozen=True)
class Kernel:
    """A kernel with its launch: text, grid, block, dynamic shared bytes, arguments."""

    name: str
    text: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    arguments: str

    def line_of(self, mark: str) -> int:
        """Return the line of a mark, from 1."""
        (place,) = re.finditer(rf"// @{mark}$", self.text, re.MULTILINE)
        return self.text.count("\n", 0, place.start()) + 1

    def run(self, text: str) -> Launch:
        """Launch a text of it."""
        return self._launch(*self._prepare(text), _BUDGET)

    def advise(self, text: str) -> Advised:
        """Launch a text of it; return what is advised."""
        ready, arguments = self._prepare(text)
        done = self._launch(ready, arguments, _BUDGET)

        def relaunch(changes: Sequence[Change], budget: int) -> Rerun:
            changed, given = self._prepare(apply_changes(text, changes))
            return compare(self._launch(changed, given, budget), given, arguments)

        return advise_launch(ready, done.findings, done, arguments, relaunch)

    def _prepare(self, text: str) -> tuple[CompiledKernel, list[Any]]:
        ready, types = lower_kernel(read_cuda(text), "k")
        names = ready.function.parameters
        written = read_arguments(self.arguments, "k", names, {})
        fitted = [
            fit_argument(name, kind, each.value)[0]
            for name, kind, each in zip(names, types, written, strict=True)
        ]
        return ready, fitted

    def _launch(self, ready: CompiledKernel, arguments: Sequence[Any], budget: int) -> Launch:
        return launch(
            ready, self.grid, self.block, arguments, shared_bytes=self.shared, budget=budget
        )


@dataclass(frozen=True)
class Mutation:
    """A faulty kernel: of which class, what is right to be found, and in which lines."""

    kind: str
    found_as: tuple[str, ...]
    kernel: Kernel
    edit: str
    lines: frozenset[int]
    text: str

    def found(self) -> str:
        """Return "" if a right finding names a right line, else what came out."""
        try:
            faults = self.kernel.run(self.text).faults
        except SimtError as error:
            return f"refused: {error}"
        for each in faults:
            if each.kind in self.found_as and {each.line, each.other_line} & self.lines:
                return ""
        return str([(each.kind, each.line, each.other_line) for each in faults])


@cache
def kernels() -> dict[str, Kernel]:
    """All kernels, by name."""
    text = (FOLDER / "clean.cu").read_text("utf-8")
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return {
        head[1]: Kernel(
            head[1], text[head.end() + 1 : end], _sizes(head[2]), _sizes(head[3]), int(head[4]),
            head[5],
        )
        for head, end in zip(heads, ends, strict=True)
    }  # fmt: skip


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def mutations() -> Iterator[Mutation]:
    """Yield all mutations, in their order.

    Raises:
        ValueError: a row's old text is not in its line once.
    """
    kind, found_as = "", ("",)
    for row in (FOLDER / "mutations.txt").read_text("utf-8").splitlines():
        if row.startswith("#"):
            kind, _, kinds = row.removeprefix("# ").partition(": ")
            found_as = tuple(kinds.split())
        elif row:
            yield _mutation(kind, found_as, row)


def _mutation(kind: str, found_as: tuple[str, ...], row: str) -> Mutation:
    match = _ROW.fullmatch(row)
    if match is None:
        raise ValueError(row)
    kernel = kernels()[match["name"]]
    number = kernel.line_of(match["mark"])
    lines = kernel.text.split("\n")
    if lines[number - 1].count(match["old"]) != 1:
        raise ValueError(f"{row}: {lines[number - 1]}")
    lines[number - 1] = lines[number - 1].replace(match["old"], match["new"])
    right = (match["right"] or match["mark"]).split()
    places = frozenset(kernel.line_of(mark) for mark in right)
    return Mutation(kind, found_as, kernel, row, places, "\n".join(lines))
