"""What a launch got, and its worst accesses, as plain data for a report.

The keys are those of `grader.profiles`. Decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from grader.simt.launches.arguments import flatten
from grader.simt.launches.reports import Launch
from grader.simt.memory.allocations import HeapPointer

Plain = dict[str, Any]

_MOST_TEXT = 60
"""Characters of an argument's type or value."""

_MOST_ELEMENTS = 8
"""Elements of an array in a struct that are arguments of their own."""

_FURTHER = re.compile(r"@[1-9]")
_INDEX = re.compile(r"\[(\d+)\]")
_INDICES = re.compile(r"(\[\d+\])+$")


def describe_arguments(names: Sequence[str], values: Sequence[Any]) -> list[Plain]:
    """Describe each argument: an array by type and shape, a number by type and value.

    Many numbers of an array in a struct are described as that array.
    """
    parts = (
        part for name, value in zip(names, values, strict=True) for part in flatten(name, value)
    )
    # Of a parameter whose address a kernel takes, the first part stands for all.
    shown = [part for part in parts if not _FURTHER.search(part[0])]
    found = list[Plain]()
    for name, run in groupby(shown, lambda part: _INDICES.sub("", part[0])):
        each = list(run)
        if len(each) <= _MOST_ELEMENTS:
            found += [_describe(own, value) for own, value in each]
            continue
        (_, first), (last, _) = each[0], each[-1]
        kind = _describe(name, first)["type"] + "*" * isinstance(first, HeapPointer)
        shape = [int(index) + 1 for index in _INDEX.findall(last[len(name) :])]
        found.append({"name": name, "type": kind, "shape": shape})
    return found


def _describe(name: str, value: Any) -> Plain:
    if isinstance(value, HeapPointer):
        value = value.array
    if isinstance(value, np.ndarray):
        return {"name": name, "type": _cut(_type_name(value.dtype)), "shape": list(value.shape)}
    return {"name": name, "type": type(value).__name__, "value": str(value)[:_MOST_TEXT]}


def _type_name(dtype: np.dtype[Any]) -> str:
    """Write a type of elements; one with fields as `record(x: float32, at: int32[2])`."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return f"{_type_name(base)}[{', '.join(map(str, shape))}]"
    if dtype.names is None:
        return str(dtype)
    return f"record({', '.join(f'{name}: {_type_name(dtype[name])}' for name in dtype.names)})"


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"


def describe_accesses(done: Launch, called: Container[int] = ()) -> Plain:
    """Return the worst shared access of each place, the scattered global ones, the shared arrays.

    Where no shared access takes more wavefronts than it must, there are neither these nor arrays.

    Args:
        called: lines that call headers of ours, whose accesses to shared memory are not theirs.
    """
    found: Plain = {}
    worst = {place: access for place, access in done.worst.items() if place[0] not in called}
    if any(access.excess > 0 for access in worst.values()):
        found["worst"] = [
            {
                "line": line,
                "column": column,
                "kind": access.kind,
                "width": access.width,
                **_lanes(access.addresses, access.active),
                "wavefronts": access.wavefronts,
                "ideal": access.ideal,
                "from_data": access.from_data,
            }
            for (line, column), access in worst.items()
        ]
        found["arrays"] = [
            {
                "name": array.label,
                "itemsize": array.dtype.itemsize,
                "shape": list(array.shape),
                "base": array.base,
            }
            for array in done.shared
        ]
    if done.scattered:
        found["scattered"] = [
            {
                "line": line,
                "column": column,
                "kind": access.kind,
                "width": access.width,
                "array": access.array,
                **_lanes(access.addresses, access.active),
                "sectors": access.sectors,
                "ideal": access.ideal,
            }
            for (line, column), access in done.scattered.items()
        ]
    return found


def _lanes(addresses: Any, active: Any) -> Plain:
    return {
        "addresses": np.asarray(addresses).tolist(),
        "active": np.asarray(active, np.bool_).tolist(),
    }
