"""Rows of what the witnesses say of each solution: emulator, compiler, ncu, and clock.

Recording needs the extra `compile`. All counts but the clock's are of the question's first shape.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.gpu.nsight import MIX, Profiled, ProfilerFailed, read
from bench.gpu.questions import emulate
from bench.witnesses.rows import PREDICATED, Row, questions
from grader.compiled.numba_compiler import ArgumentType, NumbaCompiler, disassemble
from grader.compiled.outcome import Category
from grader.compiled.sass import SassInstruction, category, instructions
from grader.gpu.devices.loading import FILE
from grader.kernels import argument_types, evaluate_number
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import problem

ROOT = Path(__file__).parents[2]
CAPABILITY = "9.0"
_WHATS = {"shared": ("requests", "wavefronts"), "global": ("requests", "sectors")}
_ACCESSES: tuple[tuple[str, str, Category], ...] = (
    ("shared", "load", "shared-load"), ("shared", "store", "shared-store"),
    ("global", "load", "global-load"), ("global", "store", "global-store"),
)  # fmt: skip
SOURCE: Mapping[str, tuple[Category, ...]] = {
    f"{space}_{kind}_{what}": (name,) for space, kind, name in _ACCESSES for what in _WHATS[space]
}
"""By the emulator's counter, the instructions that make them."""
KINDS: Mapping[str, tuple[Category, ...]] = {
    "integer": ("integer",), "fp32": ("fp32",), "fp64": ("fp64",),
    "conversion": ("conversion",), "control": ("control",),
}  # fmt: skip
"""By ncu's kind of instructions, those of the machine code."""
_WIDE = re.compile(r"(LDS|STS|LDG|STG)\.(?:E\.)?(?:\w+\.)*?(64|128)\b")
_CLOCK = re.compile(r"\| (?P<id>kernel-[\w-]+) \|(?P<cells>.*)\|")


def record(raw: str = "") -> Iterator[Row]:
    """Yield the rows of all questions; `raw` is what `count` wrote, if there is that.

    Raises:
        ProfilerFailed: ncu's launches are not those of the questions.
    """
    compiler = NumbaCompiler()
    known = questions()
    launches: Sequence[Profiled | None] = read(raw)[2] if raw else [None] * len(known)
    if len(launches) != len(known):
        raise ProfilerFailed(f"{len(launches)} launches of {len(known)} questions")
    clocks = _clocks()
    for question, profiled in zip(known, launches, strict=True):
        yield from _rows(question, compiler, profiled, clocks.get(question.id, {}))


def _rows(
    question: Kernel, compiler: NumbaCompiler, profiled: Profiled | None, clock: Mapping[str, str]
) -> Iterator[Row]:
    made, source = problem(question), question.solution or ""
    types = [ArgumentType(*one) for one in argument_types(made)]
    report = compiler.compile(source, made.kernel, types, CAPABILITY).report
    linked = compiler.compile(source, made.kernel, types, CAPABILITY, lines=True)
    found = instructions(disassemble(linked.cubin), FILE)
    kinds = Counter(category(one.name) for one in found)
    totals = emulate(made, source)
    counted = profiled.counts() if profiled else {}
    for counter, categories in SOURCE.items():
        here, there = totals.get(counter, 0), counted.get(counter)
        if here or there or any(kinds[kind] for kind in categories):
            yield Row(
                question.id, counter, str(here),
                str(sum(kinds[kind] for kind in categories)) if "requests" in counter else "",
                "" if there is None else str(there),
                note=_note(found, categories),
            )  # fmt: skip
    mixed = profiled.metrics if profiled else {}
    for kind, categories in KINDS.items():
        metric = next(name for name in MIX if f"_op_{kind}_" in name)
        sass = str(sum(kinds[one] for one in categories))
        yield Row(question.id, f"{kind} instructions", "", sass, str(mixed.get(metric, "")))
    shape = made.shapes[0]
    dynamic = int(evaluate_number(made.shared, shape, ("launch", "shared")))
    taken = {"registers": report.registers, "shared bytes": report.shared + dynamic}
    for what, amount in taken.items():
        yield Row(question.id, what, "", str(amount), "", clock.get(what, ""))
    if report.spill_stores or report.local:
        yield Row(question.id, "local bytes", "", str(report.local))
    for what in ("µs", "speedup"):
        if clock:
            yield Row(question.id, what, clock=clock[what])


def _note(found: Sequence[SassInstruction], categories: Sequence[Category]) -> str:
    """List the instructions that access 8 or 16 bytes per lane, and those that are predicated."""
    here = [one for one in found if category(one.name) in categories]
    wide = Counter(one.name for one in here if _WIDE.match(one.name))
    parts = [f"{count} {name}" for name, count in sorted(wide.items())]
    predicated = sum(one.predicated for one in here)
    return ", ".join([*parts, *([f"{predicated} {PREDICATED}"] if predicated else [])])


def _clocks() -> dict[str, dict[str, str]]:
    """Read the table of docs/gpu.md."""
    found = {}
    for line in (ROOT / "docs" / "gpu.md").read_text("utf-8").splitlines():
        match = _CLOCK.match(line)
        cells = [cell.strip() for cell in match["cells"].split("|")] if match else []
        if match and len(cells) == 8:
            found[match["id"]] = {
                "speedup": cells[1], "µs": cells[3], "registers": cells[5],
                "shared bytes": cells[6].replace(",", ""),
            }  # fmt: skip
    return found
