"""Reads what Nsight Compute measured: `ncu --csv`, with a row per kernel or a row per metric.

Lines before the header, such as what the program printed, are skipped. Values that are no numbers
are, too.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.facts import Fact, FactError, fact
from grader.profiles.values import Three

_KERNEL, _METRIC = "Kernel Name", "Metric Name"
_BINARY = b"NVR\0"
"""How an .ncu-rep file begins."""
_HEAD = re.compile(r'^"?ID"?([,;\t])', re.MULTILINE)
_NEEDED = ("ID", _KERNEL, "Grid Size", "Block Size")
_TIME = "gpu__time_duration.sum"
_SECONDS = {
    "ns": 1e-9, "nsecond": 1e-9, "us": 1e-6, "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3,
    "s": 1.0, "second": 1.0,
}  # fmt: skip
_PEAK, _ACTIVE = ".avg.pct_of_peak_sustained_elapsed", ".avg.pct_of_peak_sustained_active"
_OF_DETAILS = {
    "Duration": _TIME,
    "DRAM Throughput": f"gpu__dram_throughput{_PEAK}",
    "L2 Cache Throughput": f"lts__throughput{_PEAK}",
    "L1/TEX Cache Throughput": f"l1tex__throughput{_PEAK}",
    "Compute (SM) Throughput": f"sm__throughput{_PEAK}",
    "Achieved Occupancy": f"sm__warps_active{_ACTIVE}",
}
"""Metrics of the details page, which has no counters, by their names there."""
_COMMA_DECIMAL = re.compile(r"\d+,(\d{1,2}|\d{4,})|\d{1,3}(\.\d{3})+,\d+")
_POINT_DECIMAL = re.compile(r"\d+\.(\d{1,2}|\d{4,})|\d{1,3}(,\d{3})+\.\d+")
"""Numbers that only one of the two ways to write them allows."""
_MOST = 2.0**63
"""Beyond what any counter holds; a NaN is not below it either."""


class NotNsight(FactError, ValueError):
    """A file that is not what `ncu --csv` writes. `what`, `hint`: why, and what to do."""

    def __init__(self, what: Fact, hint: Fact) -> None:
        super().__init__(what)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class MeasuredKernel:
    """A launch that Nsight Compute measured.

    Attributes:
        number: its ID there.
        name: of the kernel, without its parameters, templates and namespaces.
        capability: of the device, such as "9.0".
        seconds: it took; None if that was not measured.
    """

    number: str
    name: str
    grid: Three
    block: Three
    capability: str
    seconds: float | None
    metrics: Mapping[str, float]


def read_nsight(data: bytes, file: str = "") -> tuple[MeasuredKernel, ...]:
    """Read a report. `file`: its name, for errors.

    Raises:
        NotNsight: it is none, is cut off, or has no metrics by their names.
    """
    if data.startswith(_BINARY):
        raise NotNsight(fact("nsight.binary", file=file), fact("nsight.export"))
    text = _decode(data)
    head = _HEAD.search(text)
    rows = [] if head is None else list(_rows(text[head.start() :], head[1]))
    if not rows or _KERNEL not in rows[0]:
        said = next((each for each in text.splitlines() if each.startswith("==ERROR==")), "")
        what = fact("nsight.no-header", file=file)
        if said:
            what = fact("nsight.error", file=file, said=said)
        raise NotNsight(what, fact("nsight.record"))
    columns, rest = rows[0], rows[1:]
    missing = next((name for name in _NEEDED if name not in columns), "")
    if missing:
        raise NotNsight(fact("nsight.no-column", file=file, column=missing), fact("nsight.record"))
    least = columns.index(_METRIC) + 3 if _METRIC in columns else len(columns)
    if any(not least <= len(row) <= len(columns) for row in rest):  # few have cells of a rule
        raise NotNsight(fact("nsight.cut", file=file), fact("nsight.record"))
    values = list(_with_points(columns, rest))
    found = _read_long(columns, values) if _METRIC in columns else _read_wide(columns, values)
    kernels = tuple(found)
    if not kernels:
        raise NotNsight(fact("nsight.no-kernels", file=file), fact("nsight.record"))
    if not any("__" in name for kernel in kernels for name in kernel.metrics):
        raise NotNsight(fact("nsight.no-metrics", file=file), fact("nsight.raw-page"))
    return kernels


def _decode(data: bytes) -> str:
    """Decode text; Windows writes UTF-16, most often with a mark."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-8-sig", "replace")


def _with_points(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield rows whose values have a decimal point, where those of the file have a comma."""
    places = [at for at, name in enumerate(columns) if "__" in name or name == "Metric Value"]
    values = [row[at] for row in rows for at in places]
    points, commas = (
        any(map(pattern.fullmatch, values)) for pattern in (_POINT_DECIMAL, _COMMA_DECIMAL)
    )
    swapped = str.maketrans(",.", ".,") if commas and not points else {}
    for row in rows:
        yield [cell.translate(swapped) if at in places else cell for at, cell in enumerate(row)]


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    """Yield the rows; those of `==PROF==` and blank ones are none."""
    for row in csv.reader(text.splitlines(), delimiter=separator):
        if row and not row[0].startswith("=="):
            yield row


def _read_wide(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[MeasuredKernel]:
    """Read `--page raw`: units are the first row."""
    units = dict(zip(columns, rows[0], strict=True)) if rows and not rows[0][0] else {}
    for row in rows:
        if row[0]:
            cells = dict(zip(columns, row, strict=True))
            metrics = {name: (cells[name], units.get(name, "")) for name in columns}
            yield _make(cells, metrics)


def _read_long(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[MeasuredKernel]:
    """Read `--page details` or `--metrics`: a row for each metric."""
    kernels: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        cells = dict(zip(columns, row, strict=False))
        kernels.setdefault(cells["ID"], []).append(cells)
    for own in kernels.values():
        metrics = {
            _OF_DETAILS.get(each[_METRIC], each[_METRIC]): (
                each.get("Metric Value", ""),
                each.get("Metric Unit", ""),
            )
            for each in own
        }
        yield _make(own[0], metrics)


def _make(cells: Mapping[str, str], given: Mapping[str, tuple[str, str]]) -> MeasuredKernel:
    metrics = {
        name: value for name, (text, _) in given.items() if (value := _number(text)) is not None
    }
    unit = given.get(_TIME, ("", ""))[1]
    seconds = metrics[_TIME] * _SECONDS[unit] if _TIME in metrics and unit in _SECONDS else None
    return MeasuredKernel(
        cells["ID"], base_name(cells[_KERNEL]), _three(cells["Grid Size"]),
        _three(cells["Block Size"]), cells.get("CC", ""), seconds, metrics,
    )  # fmt: skip


def base_name(name: str) -> str:
    """Return a kernel's name as its source has it: `reduce` of `void a::reduce<int>(int *)`."""
    mangled = re.match(r"_ZN?", name)
    if mangled is not None:
        return _last_part(name[mangled.end() :]) or name
    head = re.split(r"[(<\[$]", name, maxsplit=1)[0].strip()
    return head.rpartition(" ")[2].rpartition("::")[2]


def _last_part(text: str) -> str:
    """Return the last of the names, each behind its length, that a mangled one begins with."""
    found = ""
    while (length := re.match(r"\d+", text)) is not None:
        end = length.end() + int(length[0])
        found, text = text[length.end() : end], text[end:]
    return found


def _three(text: str) -> Three:
    sizes = [int(each) for each in re.findall(r"\d+", text)][:3]
    x, y, z = [*sizes, 1, 1, 1][:3]
    return x, y, z


def _number(text: str) -> float | None:
    """Read a number; None for what is none, or is beyond any count."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if abs(value) < _MOST else None
