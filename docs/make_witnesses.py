"""Writes docs/witnesses.md: what source, machine code, profiler, and clock say of each kernel.

python docs/make_witnesses.py           write it
python docs/make_witnesses.py --check   exit 1 when it is not current
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from generated_page import write_or_check  # noqa: E402 - found by the path above

from bench.witnesses.rows import PREDICATED, Row, load  # noqa: E402

TARGET = ROOT / "docs" / "witnesses.md"
_HEAD = """\
# Four witnesses of each kernel question

<!-- written by docs/make_witnesses.py from tests/data/witnesses.csv -->

What four witnesses say of the solution of each kernel question:

- **source**: the emulator's counts at source level, at the question's first shape.
- **SASS**: the machine code for 9.0 ([compiled.md](compiled.md)). Each instruction is counted once,
  however often it is executed. Registers are of a thread, shared bytes of a block.
- **ncu**: Nsight Compute's counters on the H200, for the same launch and inputs. Instructions are
  those that all threads execute.
- **clock**: the H200 at the timed shape ([gpu.md](gpu.md)): time, speedup over the baseline, and
  the driver's registers and bytes.

A dash is what is not recorded, or what the witness does not say.

    python -m bench.witnesses count FILE      on a GPU, with Nsight Compute
    python -m bench.witnesses record [FILE]   with the extra `compile`, and what `count` wrote
    python docs/make_witnesses.py             this page
"""
_UNKNOWN = "not explained"
_MERGED = "{wide}: one instruction for several accesses"
_OFF = "{predicated} instructions: ncu counts warps without an active thread, too"


def document(rows: Sequence[Row]) -> str:
    """Return the page."""
    return "\n".join([_HEAD, *_differences(rows), *_tables(rows)])


def _differences(rows: Sequence[Row]) -> Iterator[str]:
    """List where two witnesses speak of the same thing and differ."""
    yield "## Differences\n"
    registers = [row for row in rows if row.what == "registers" and row.clock]
    equal = sum(row.sass == row.clock for row in registers)
    yield (
        f"**Registers.** {equal} of {len(registers)} solutions have exactly the registers that the "
        "H200's driver reported, with CUDA 13.0; SASS is from CUDA 13.5. The others:\n"
    )
    yield "| question | SASS | H200 | reason |\n| --- | --- | --- | --- |"
    for row in registers:
        if row.sass != row.clock:
            yield f"| {row.question} | {row.sass} | {row.clock} | {row.why or _UNKNOWN} |"
    yield ""
    counted = [row for row in rows if row.source and row.ncu]
    if not counted:
        yield "**Counts.** Nsight Compute's counters of these launches are not recorded yet.\n"
        return
    differ = [row for row in counted if row.source != row.ncu]
    same = len(counted) - len(differ)
    yield (
        f"**Counts.** {same} of {len(counted)} counts of the source are Nsight Compute's. "
        "The others:\n"
    )
    yield "| question | counter | source | ncu | reason |\n| --- | --- | --- | --- | --- |"
    for row in differ:
        reason = row.why or _reason(row) or _UNKNOWN
        cells = (row.question, row.what, _number(row.source), _number(row.ncu), reason)
        yield f"| {' | '.join(cells)} |"
    yield ""


def _reason(row: Row) -> str:
    """Explain a difference: fewer if accesses are merged, more if they are predicated."""
    parts = row.note.split(", ") if row.note else []
    wide = ", ".join(part for part in parts if PREDICATED not in part)
    predicated = next((part for part in parts if PREDICATED in part), "")
    if int(row.ncu) < int(row.source):
        return _MERGED.format(wide=wide) if wide else ""
    return _OFF.format(predicated=predicated) if predicated and "requests" in row.what else ""


def _tables(rows: Sequence[Row]) -> Iterator[str]:
    for question, group in groupby(rows, key=lambda row: row.question):
        yield f"## {question}\n\n| | source | SASS | ncu | clock |\n| --- | --- | --- | --- | --- |"
        for row in group:
            name = row.what.replace("_", " ")
            sass = (
                f"{_number(row.sass)} ({row.note})" if row.note and row.sass else _number(row.sass)
            )
            cells = (name, _number(row.source), sass, _number(row.ncu), _number(row.clock))
            yield f"| {' | '.join(cells)} |"
        yield ""


def _number(text: str) -> str:
    return f"{int(text):,}" if text.isdigit() else text or "–"


def main(arguments: list[str] | None = None) -> int:
    """Write the document, or with `--check` return 1 when it differs from what would be written."""
    return write_or_check(TARGET, document(load()), "make_witnesses.py", arguments)


if __name__ == "__main__":
    sys.exit(main())
