"""Reads launches from plain data: what a script's process left, or a saved JSON report.

Nothing is used before it is decoded with types and limits. Counters stand beside a line's place
there, as docs/cli.md has them; here they are a mapping of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grader.profiles.values import KernelProgram, LaunchRecord, RefusedFeature
from grader.simt import COUNTERS
from grader.wire import truncate

_LINE = ("line", "column", "source", "file", "library")
_COUNTERS = frozenset(COUNTERS)


class _Launches(msgspec.Struct):
    launches: list[dict[str, Any]]


class NotAReport(ValueError):
    """Plain data that is not a report of launches; `why` is what msgspec says."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read_launches(plain: Any) -> tuple[LaunchRecord, ...]:
    """Read the launches of a report.

    Raises:
        NotAReport: it has none, or they are not what they must be.
    """
    launches = _convert(plain, _Launches).launches
    return tuple(_convert(_nested(launch), LaunchRecord) for launch in launches)


def read_refused(plain: Mapping[str, Any]) -> RefusedFeature | None:
    """Read why the emulator ended the script.

    Raises:
        NotAReport: it is not what it must be.
    """
    found: RefusedFeature | None = _convert(plain.get("refused"), RefusedFeature | None)
    return found


def read_programs(plain: Mapping[str, Any]) -> tuple[KernelProgram, ...]:
    """Read the typed programs of a script's kernels; none if they were not kept.

    Raises:
        NotAReport: they are not what they must be.
    """
    found: tuple[KernelProgram, ...]
    found = _convert(plain.get("programs", ()), tuple[KernelProgram, ...])
    return found


def _convert(plain: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise NotAReport(str(error)) from None


def _nested(launch: Mapping[str, Any]) -> dict[str, Any]:
    """Put a line's counters into a mapping of their own."""
    lines = _convert(launch.get("lines", []), list[dict[str, Any]])
    return {**launch, "lines": [_line(line) for line in lines]}


def _line(line: Mapping[str, Any]) -> dict[str, Any]:
    counts = {name: count for name, count in line.items() if name in _COUNTERS and count}
    place = {name: line[name] for name in _LINE if name in line}
    if isinstance(place.get("source"), str):
        place["source"] = truncate(place["source"])
    return {**place, "counts": counts}
