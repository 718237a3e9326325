"""Reads recorded accesses from CSV and counts what each costs.

A line holds one access, so an invalid line does not affect the others.
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

from grader.banks import (
    KINDS,
    LANES,
    Costs,
    InvalidAccess,
    Kind,
    cost_many,
    counted_lanes,
    find_refusals,
    width_of,
)
from grader.facts import Fact, fact
from quizapp.domain.errors import UsageError
from quizapp.exercises.accesses import lanes_of
from quizapp.exercises.shapes import read_architecture, read_mask

COLUMNS = ("op", "width", "mask", "offsets")
STANDARD_INPUT = "-"

_SHORT: Mapping[str, Kind] = {"ld": "load", "st": "store"}
_KIND: Mapping[str, Kind] = {**_SHORT, **{kind: kind for kind in KINDS}}


class AccessCounts(NamedTuple):
    """The cost of accesses, as in `grader.banks.AccessCost`."""

    wavefronts: int
    wavefronts_at_most: int | None
    conflicts: int
    ideal: int

    @property
    def conflicts_at_most(self) -> int | None:
        """The upper bound of the conflicts; None if none is known."""
        if self.wavefronts_at_most is None:
            return None
        return self.wavefronts_at_most - self.wavefronts + self.conflicts


class RecordedAccess(NamedTuple):
    """The access in a line of the file."""

    line: int
    op: Kind
    width: int
    counts: AccessCounts


class InvalidLine(NamedTuple):
    """A line that holds no access, and why."""

    line: int
    what: Fact


@dataclass(frozen=True)
class RecordedAccesses:
    """The accesses of a file, in its order."""

    rows: tuple[RecordedAccess | InvalidLine, ...]

    @property
    def total(self) -> AccessCounts:
        """The sum over all valid lines."""
        counts = [row.counts for row in self.rows if isinstance(row, RecordedAccess)]
        most = [each.wavefronts_at_most for each in counts if each.wavefronts_at_most is not None]
        return AccessCounts(
            sum(each.wavefronts for each in counts),
            sum(most) if len(most) == len(counts) else None,
            sum(each.conflicts for each in counts),
            sum(each.ideal for each in counts),
        )

    @property
    def invalid(self) -> list[InvalidLine]:
        """The lines that hold no access."""
        return [row for row in self.rows if isinstance(row, InvalidLine)]


class _WarpAccess(NamedTuple):
    """One access of a warp: 32 offsets, bit i of the mask for lane i."""

    line: int
    op: Kind
    width: int
    mask: int
    offsets: array[int]


class _NotAnAccess(Exception):
    """A line holds no access; `what` says why."""

    def __init__(self, what: Fact) -> None:
        super().__init__(what)
        self.what = what


def analyze_file(file: Path, arch: str) -> RecordedAccesses:
    """Count what the accesses of a file cost; `-` is standard input.

    Raises UsageError: the file is not such a file, or there is no such architecture.
    """
    read_architecture(arch)
    rows: list[RecordedAccess | InvalidLine] = []
    groups: defaultdict[tuple[Kind, int], list[_WarpAccess]] = defaultdict(list)
    for found in _read(_text(file), file):
        if isinstance(found, InvalidLine):
            rows.append(found)
        else:
            groups[found.op, found.width].append(found)
    for (op, width), warps in groups.items():
        rows += _analyze(op, width, warps, arch)
    return RecordedAccesses(tuple(sorted(rows, key=lambda row: row.line)))


def _text(file: Path) -> str:
    """Read the file. Raises UsageError: the file does not exist, or is not text."""
    try:
        data = _standard_input() if str(file) == STANDARD_INPUT else file.read_bytes()
    except FileNotFoundError:
        todo = fact("analysis.name-csv")
        raise UsageError(fact("file.missing", file=str(file)), todo) from None
    except IsADirectoryError:
        todo = fact("analysis.name-csv")
        raise UsageError(fact("file.folder", file=str(file)), todo) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = f"{error.object[error.start]:#04x}"
        raise UsageError(fact("analysis.not-utf-8", file=str(file), line=line, byte=byte)) from None


def _standard_input() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin else b""


def _read(text: str, file: Path) -> Iterator[_WarpAccess | InvalidLine]:
    """Read the accesses line by line, without empty lines.

    Raises UsageError: the first line does not name the columns.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise UsageError(fact("analysis.empty-file", file=str(file)), _name_columns())
    header = _header(*first, file)
    for number, line in numbered:
        try:
            yield _read_access(number, _fields(line), header)
        except _NotAnAccess as error:
            yield InvalidLine(number, error.what)


def _header(number: int, line: str, file: Path) -> list[str]:
    try:
        header = [name.strip() for name in _fields(line)]
    except _NotAnAccess as error:
        raise _bad_header(file, number, error.what) from None
    if missing := [name for name in COLUMNS if name not in header]:
        raise _bad_header(file, number, fact("analysis.no-column", columns=tuple(missing)))
    if twice := [name for name in COLUMNS if header.count(name) > 1]:
        raise _bad_header(file, number, fact("analysis.column-twice", columns=tuple(twice)))
    return header


def _bad_header(file: Path, line: int, what: Fact) -> UsageError:
    place = fact("analysis.in-file", file=str(file), line=line, what=what)
    return UsageError(place, _name_columns())


def _name_columns() -> Fact:
    return fact("analysis.name-columns", columns=",".join(COLUMNS))


def _fields(line: str) -> list[str]:
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        if line.count('"') % 2:
            raise _NotAnAccess(fact("analysis.open-quote")) from None
        raise _NotAnAccess(fact("analysis.not-csv", reason=str(error))) from None


def _read_access(line: int, fields: list[str], header: Sequence[str]) -> _WarpAccess:
    if len(fields) != len(header):
        counts = fact("analysis.column-count", columns=len(fields), named=len(header))
        raise _NotAnAccess(counts)
    row = dict(zip(header, fields, strict=True))
    op = _KIND.get(row["op"].strip())
    if op is None:
        raise _NotAnAccess(fact("analysis.no-op", op=row["op"], ops=tuple(_KIND)))
    try:
        width, mask = width_of(op, int(row["width"])), read_mask(row["mask"].strip())
    except UsageError as error:
        raise _NotAnAccess(error.what) from None
    except InvalidAccess as error:
        raise _NotAnAccess(error.what) from None
    except ValueError:
        raise _NotAnAccess(fact("analysis.no-width", width=row["width"])) from None
    return _WarpAccess(line, op, width, mask, _offsets(row["offsets"]))


def _offsets(text: str) -> array[int]:
    try:
        offsets = array("q", map(int, text.split()))
    except ValueError:
        raise _NotAnAccess(fact("analysis.no-offsets", lanes=LANES)) from None
    except OverflowError:
        raise _NotAnAccess(fact("analysis.offset-too-large")) from None
    if len(offsets) != LANES:
        raise _NotAnAccess(fact("analysis.offset-count", n=len(offsets), lanes=LANES))
    return offsets


def _analyze(
    op: Kind, width: int, warps: Sequence[_WarpAccess], arch: str
) -> Iterator[RecordedAccess | InvalidLine]:
    """Count what accesses of one kind and width cost."""
    try:
        read_architecture(arch).rule(op, width)
    except InvalidAccess as error:
        yield from (InvalidLine(warp.line, error.what) for warp in warps)
        return
    addresses = np.frombuffer(b"".join(warp.offsets for warp in warps), dtype=np.int64)
    addresses = addresses.reshape(-1, LANES)
    active = counted_lanes(op, lanes_of([warp.mask for warp in warps]))
    refused = dict(find_refusals(addresses, active, width))
    yield from (InvalidLine(warps[number].line, what) for number, what in refused.items())
    accepted = [number for number in range(len(warps)) if number not in refused]
    costs = cost_many(op, width, addresses[accepted], active[accepted], arch)
    yield from _rows([warps[number] for number in accepted], costs)


def _rows(warps: Sequence[_WarpAccess], costs: Costs) -> Iterator[RecordedAccess]:
    wavefronts: list[int] = costs.wavefronts.tolist()
    at_most = costs.wavefronts_at_most
    most: list[int | None] = [None] * len(warps) if at_most is None else at_most.tolist()
    counted = zip(wavefronts, most, costs.conflicts.tolist(), costs.ideal.tolist(), strict=True)
    for warp, counts in zip(warps, counted, strict=True):
        yield RecordedAccess(warp.line, warp.op, warp.width, AccessCounts(*counts))
