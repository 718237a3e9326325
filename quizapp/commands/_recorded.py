"""What `quiz banks --trace` computes: recorded accesses, read from CSV, and what each costs.

One access a line, so that a bad line spoils no other. Prints nothing. Loads NumPy: import it when
it is needed.
"""

from __future__ import annotations

import csv
import sys
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from grader.banks import KINDS, LANES, Costs, InvalidAccess, Kind, cost_many, counted_lanes
from grader.banks.access import ADDRESSES, refusal, width_of
from quizapp.commands._accesses import lanes_of
from quizapp.commands._shapes import architecture_of, mask_of
from quizapp.errors import UsageError

COLUMNS = ("op", "width", "mask", "offsets")
STANDARD_INPUT = "-"

_SHORT: Mapping[str, Kind] = {"ld": "load", "st": "store"}
_KIND: Mapping[str, Kind] = {**_SHORT, **{kind: kind for kind in KINDS}}
_HEADER = f"its first line names the columns {','.join(COLUMNS)}; others may stand among them"


class Counts(NamedTuple):
    """What accesses cost, as in `grader.banks.AccessCost`."""

    wavefronts: int
    wavefronts_at_most: int | None
    conflicts: int
    ideal: int

    @property
    def conflicts_at_most(self) -> int | None:
        """As of wavefronts: None where no upper bound is known."""
        if self.wavefronts_at_most is None:
            return None
        return self.wavefronts_at_most - self.wavefronts + self.conflicts


class Row(NamedTuple):
    """One access; `line` is where it stands."""

    line: int
    op: Kind
    width: int
    counts: Counts


class Problem(NamedTuple):
    """What is wrong with a line."""

    line: int
    what: str


@dataclass(frozen=True)
class Recorded:
    """A file's accesses, in its order."""

    rows: tuple[Row | Problem, ...]

    @property
    def total(self) -> Counts:
        """The sum of all that could be costed."""
        counts = [row.counts for row in self.rows if isinstance(row, Row)]
        most = [each.wavefronts_at_most for each in counts if each.wavefronts_at_most is not None]
        return Counts(
            sum(each.wavefronts for each in counts),
            sum(most) if len(most) == len(counts) else None,
            sum(each.conflicts for each in counts),
            sum(each.ideal for each in counts),
        )

    @property
    def problems(self) -> list[Problem]:
        """Lines that could not be costed."""
        return [row for row in self.rows if isinstance(row, Problem)]


class _Warp(NamedTuple):
    """One access: 32 offsets, bit i of the mask for lane i."""

    line: int
    op: Kind
    width: int
    mask: int
    offsets: array[int]


class _Bad(Exception):
    """The line holds no access; the message says why."""


def recorded(file: Path, arch: str) -> Recorded:
    """What the accesses of a file cost; `-` is standard input.

    Raises:
        UsageError: it is no such file, or there is no such architecture.
    """
    architecture_of(arch)
    rows: list[Row | Problem] = []
    groups: defaultdict[tuple[Kind, int], list[_Warp]] = defaultdict(list)
    for found in _read(_text(file), file):
        if isinstance(found, Problem):
            rows.append(found)
        else:
            groups[found.op, found.width].append(found)
    for (op, width), warps in groups.items():
        rows += _costed(op, width, warps, arch)
    return Recorded(tuple(sorted(rows, key=lambda row: row.line)))


def _text(file: Path) -> str:
    """What the file holds.

    Raises:
        UsageError: it is not there, or it is no text.
    """
    try:
        data = _standard_input() if str(file) == STANDARD_INPUT else file.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"there is no file {file}", "name a CSV file of accesses") from None
    except IsADirectoryError:
        raise UsageError(f"{file} is a folder", "name a CSV file of accesses") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        what = f"{file}:{line}: byte {error.object[error.start]:#04x} is not UTF-8"
        raise UsageError(what, "save the file as UTF-8") from None


def _standard_input() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin else b""


def _read(text: str, file: Path) -> Iterator[_Warp | Problem]:
    """The accesses, line by line; empty lines are none.

    Raises:
        UsageError: the first line does not name the columns.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise UsageError(f"{file} is empty", _HEADER)
    header = _header(*first, file)
    for number, line in numbered:
        try:
            yield _warp(number, _fields(line), header)
        except _Bad as bad:
            yield Problem(number, str(bad))


def _header(number: int, line: str, file: Path) -> list[str]:
    try:
        header = [name.strip() for name in _fields(line)]
    except _Bad as bad:
        raise UsageError(f"{file}:{number}: {bad}", _HEADER) from None
    if missing := [name for name in COLUMNS if name not in header]:
        raise UsageError(f"{file}:{number}: no column {', '.join(missing)}", _HEADER)
    if twice := [name for name in COLUMNS if header.count(name) > 1]:
        raise UsageError(f"{file}:{number}: more than one column {', '.join(twice)}", _HEADER)
    return header


def _fields(line: str) -> list[str]:
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        unclosed = line.count('"') % 2
        why = "a quote is not closed on its line" if unclosed else f"this is no CSV: {error}"
        raise _Bad(why) from None


def _warp(line: int, fields: list[str], header: Sequence[str]) -> _Warp:
    if len(fields) != len(header):
        raise _Bad(f"{len(fields)} columns, where the first line names {len(header)}")
    row = dict(zip(header, fields, strict=True))
    op = _KIND.get(row["op"].strip())
    if op is None:
        raise _Bad(f"there is no op '{row['op']}'; one of: {', '.join(_KIND)}")
    try:
        width, mask = width_of(op, int(row["width"])), mask_of(row["mask"].strip())
    except UsageError as error:
        raise _Bad(f"{error.what}; {error.hint}") from None
    except InvalidAccess as error:
        raise _Bad(str(error)) from None
    except ValueError:
        raise _Bad(f"width '{row['width']}' is no whole number") from None
    return _Warp(line, op, width, mask, _offsets(row["offsets"]))


def _offsets(text: str) -> array[int]:
    try:
        offsets = array("q", map(int, text.split()))
    except ValueError:
        raise _Bad("offsets are 32 whole numbers with spaces between them") from None
    except OverflowError:
        raise _Bad("an offset is beyond any memory") from None
    if len(offsets) != LANES:
        raise _Bad(f"{len(offsets)} offsets, where a warp has {LANES}")
    return offsets


def _costed(op: Kind, width: int, warps: Sequence[_Warp], arch: str) -> Iterator[Row | Problem]:
    """What accesses of one kind and width cost."""
    try:
        architecture_of(arch).rule(op, width)
    except InvalidAccess as error:
        yield from (Problem(warp.line, str(error)) for warp in warps)
        return
    addresses = np.frombuffer(b"".join(warp.offsets for warp in warps), dtype=np.int64)
    addresses = addresses.reshape(-1, LANES)
    active = counted_lanes(op, lanes_of([warp.mask for warp in warps]))
    wrong = ((addresses < 0) | (addresses >= ADDRESSES) | (addresses % width != 0)) & active
    refused = wrong.any(axis=1)
    for number in np.flatnonzero(refused).tolist():
        what = refusal(addresses[number].tolist(), active[number].tolist(), width)
        yield Problem(warps[number].line, str(what))
    accepted = [warps[number] for number in np.flatnonzero(~refused).tolist()]
    yield from _rows(accepted, cost_many(op, width, addresses[~refused], active[~refused], arch))


def _rows(warps: Sequence[_Warp], costs: Costs) -> Iterator[Row]:
    wavefronts: list[int] = costs.wavefronts.tolist()
    at_most = costs.wavefronts_at_most
    most: list[int | None] = [None] * len(warps) if at_most is None else at_most.tolist()
    counted = zip(wavefronts, most, costs.conflicts.tolist(), costs.ideal.tolist(), strict=True)
    for warp, counts in zip(warps, counted, strict=True):
        yield Row(warp.line, warp.op, warp.width, Counts(*counts))
