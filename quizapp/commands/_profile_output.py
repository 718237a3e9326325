"""How `quiz profile` shows launches: a table of source lines and the findings, or plain data.

The keys are promised in docs/cli.md. Computes nothing that the emulator has not counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.simt.counters import COUNTERS
from quizapp.commands._output import clean, counted, print_json, print_lines, room
from quizapp.commands._profile_groups import Group, grouped
from quizapp.counted_lines import Row, rows, sizes, table

Plain = dict[str, Any]


def print_as_json(launches: Sequence[Plain]) -> None:
    """All launches, with every counter."""
    print_json({"launches": [_whole(launch) for launch in launches]})


def print_launches(launches: Sequence[Plain], script: Path) -> None:
    """Each launch, those that are told together once; files are named but for the script."""
    for place, group in enumerate(grouped(launches)):
        if place:
            print()
        _print_launch(group, script)


def _whole(launch: Plain) -> Plain:
    none = dict.fromkeys(COUNTERS, 0)
    lines = [{"line": 0, "column": 0, "source": "", **none, **one} for one in launch["lines"]]
    return {**launch, "totals": {**none, **launch["totals"]}, "lines": lines}


def _print_launch(group: Group, script: Path) -> None:
    launch, times = group.launch, group.times
    grid, block = (sizes(launch[key]) for key in ("grid", "block"))
    heading = f"{launch['kernel']}  grid {grid}, block {block}, emulated in {_time(group.seconds)}"
    heading += "" if launch["finished"] else ", not finished"
    how = "added up" if group.added else "alike"
    print(clean(heading + (f", {times:,} launches {how}" if times > 1 else "")))
    files = {"": _named(launch["file"], script)}
    for one in (*launch["lines"], *launch["findings"]):
        path = one.get("file", "")
        files.setdefault(path, _named(path, script))
    _print_rows(rows(launch["lines"], COUNTERS), files)
    for finding in launch["findings"]:
        _print_finding(finding, files[finding.get("file", "")])


def _named(path: str, script: Path) -> str:
    """A file as it is called from here; "" for the script."""
    if Path(path) == script.absolute():
        return ""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def _print_rows(found: Sequence[Row], files: Mapping[str, str]) -> None:
    """A table; the lines of another file than the script stand below its name."""
    if not found:
        return
    head, *lines = table(found, room())
    print_lines([head])
    before = None
    for row, line in zip(found, lines, strict=True):
        if row.file != before and (files[row.file] or before is not None):
            print(clean(f"   {files[row.file] or Path(row.file).name}"))
        before = row.file
        print_lines([line])


def _print_finding(finding: Plain, file: str) -> None:
    fault = finding["kind"] != "warning"
    sign, kind, line = "✗" if fault else "!", finding["kind"], finding["line"]
    of = f" of {file}" if file else ""
    count = finding.get("count", 1)
    often = f" · {counted(count, 'case')}" if count > 1 and kind != "never-written" else ""
    where = f" · block {_tuple(finding['block'])}" if finding.get("block") else ""
    text = f" {sign} {kind} · line {line}{of}: {finding['message']}{where}{_byte(finding)}{often}"
    print_lines([((text, "conflict" if fault else "text"),)])
    if finding.get("hint"):
        print_lines([((f"   {finding['hint']}", "dim"),)])


def _byte(finding: Plain) -> str:
    """Where in memory, if the finding is about an element."""
    if finding.get("address") is None:
        return ""
    of = "shared memory" if finding["space"] == "shared" else finding["array"]
    return f" · byte {finding['address']} of {of}"


def _tuple(place: Sequence[int]) -> str:
    return f"({', '.join(map(str, place))})"
