"""Recorded warp instructions, counted once more; and others, which are drawn."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.gpu.claims.figures import Figure
from bench.gpu.claims.programs import build, metrics, profile, short
from bench.gpu.claims.tools import ToolFailed
from bench.gpu.nsight import Profiled

DATA = Path(__file__).parents[3] / "tests" / "data"
RECORDINGS = ("h200_wavefronts", "h200_probes")
_SEED, _DRAWN = 1300, 1300
_OPERATION = {"ld": "load", "st": "store", "ldmatrix": "load", "stmatrix": "store"}
_WIDTHS = {"ld": (1, 2, 4, 8, 16), "st": (1, 2, 4, 8, 16)}
_LANES = 32
_EVERYONE = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Row:
    """One warp instruction, and what was counted of it; -1 before it was."""

    op: str
    width: int
    mask: int
    offsets: tuple[int, ...]
    wavefronts: int = -1
    conflicts: int = -1


def again(name: str, folder: Path) -> Iterator[Figure]:
    """A recording counted again, beside what it says."""
    rows = list(recording(DATA / f"{name}.csv"))
    now = _count(build("replay", folder), rows)
    same = sum(a == b for a, b in zip(rows, now, strict=True))
    yield Figure("replay", name, "rows", str(len(rows)))
    yield Figure("replay", name, "rows that are the same again", str(same))
    for before, row in zip(rows, now, strict=True):
        if before != row:
            counts = f"{row.wavefronts} and {row.conflicts}"
            print(f"{name}: {counts} instead of what is recorded: {before}")


def draw_rows(folder: Path, path: Path) -> Iterator[Figure]:
    """What is counted of the rows that are drawn, written into a file."""
    now = _count(build("replay", folder), list(random_rows()))
    _save(path, now)
    yield Figure("replay", "drawn", "rows", str(len(now)))


def recording(path: Path) -> Iterator[Row]:
    """The rows of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            offsets = tuple(int(one) for one in row["offsets"].split())
            counts = int(row["wavefronts"]), int(row["conflicts"])
            yield Row(row["op"], int(row["width"]), int(row["mask"], 16), offsets, *counts)


def random_rows() -> Iterator[Row]:
    """Accesses of every kind at random; the same each time."""
    draw = random.Random(_SEED)
    for _ in range(_DRAWN):
        op = draw.choice(
            ("ld", "ld", "ld", "st", "st", "st", "atom", "atom_inc", "ldmatrix", "stmatrix")
        )
        width = draw.choice(_WIDTHS.get(op, (16,) if op.endswith("matrix") else (4,)))
        everyone = op.endswith("matrix") or draw.random() < 0.5
        mask = _EVERYONE if everyone else draw.getrandbits(_LANES) | 1 << draw.randrange(_LANES)
        yield Row(op, width, mask, tuple(width * one for one in _pattern(draw, 2048 // width)))


def _pattern(draw: random.Random, elements: int) -> Sequence[int]:
    """Elements of the lanes: a stride, a permutation, few addresses, or anything."""
    lanes = range(_LANES)
    kind = draw.randrange(5)
    if kind == 0:
        stride, first = draw.randrange(1, 65), draw.randrange(32)
        return [(first + stride * lane) % elements for lane in lanes]
    if kind == 1:
        key, pitch = draw.randrange(32), draw.choice((32, 33, 34, 36, 40))
        return [((lane ^ key) * pitch + draw.randrange(2)) % elements for lane in lanes]
    if kind == 2:
        few = [draw.randrange(elements) for _ in range(draw.randrange(1, 9))]
        return [draw.choice(few) for _ in lanes]
    if kind == 3:
        pairs, apart = [draw.randrange(elements) for _ in lanes], draw.choice((1, 2, 4, 16))
        return [pairs[lane & ~apart] for lane in lanes]
    return [draw.randrange(elements) for _ in lanes]


def _count(program: Path, rows: Sequence[Row]) -> list[Row]:
    """The same rows with what the profiler counts now."""
    asked = program.with_suffix(".txt")
    lines = (f"{r.op} {r.width} {r.mask:x} {' '.join(map(str, r.offsets))}" for r in rows)
    asked.write_text("\n".join(lines) + "\n", encoding="utf-8")
    hardware = [metric for metric in metrics() if "_inst_" not in metric]
    _out, launches = profile(program, [str(asked)], hardware)
    if len(launches) != len(rows):
        raise ToolFailed(f"{len(launches)} of {len(rows)} instructions were counted")
    return [_with(row, launch) for row, (_, launch) in zip(rows, launches, strict=True)]


def _with(row: Row, launch: Profiled) -> Row:
    counts = {short(metric): count for metric, count in launch.metrics.items()}
    operation = _OPERATION.get(row.op, "atomic")
    now = counts[f"{operation} wavefronts"], counts[f"{operation} conflicts"]
    return Row(row.op, row.width, row.mask, row.offsets, *now)


def _save(path: Path, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("op", "width", "mask", "wavefronts", "conflicts", "offsets"))
        for r in rows:
            offsets = " ".join(map(str, r.offsets))
            writer.writerow((r.op, r.width, f"{r.mask:#010x}", r.wavefronts, r.conflicts, offsets))
