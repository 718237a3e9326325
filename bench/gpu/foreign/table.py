"""Prints what became of the kernels, by repository."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.gpu.foreign import jobs
from bench.gpu.foreign.jobs import Row, name_of

_OUTCOMES = ("runs", "faults", "idle", "budget", "arguments", "refused", "not C++", "broken")
_COMPARED = ("same", "close", "order", "rounding", "wrong")
_DEVICE = (*_COMPARED, "not compiled", "registers", "failed", "rejected", "accepted")


def show(rows: Path, found: Path) -> bool:
    """Print the tables; return True if no kernel is wrong or broken."""
    all_rows = jobs.read_rows(rows)
    if found.exists():
        by_name = {name_of(row): row for row in all_rows}
        for line in found.read_text("utf-8").splitlines():
            name, kind, text = json.loads(line)
            by_name[name].device, by_name[name].found = kind, text
    repositories: dict[str, list[Row]] = defaultdict(list)
    for row in all_rows:
        repositories[row.repository].append(row)
    print(f"{'':24}{'kernels':>8}", *(f"{name:>9}" for name in _OUTCOMES),
          f"{'compared':>9}", *(f"{name:>9}" for name in _COMPARED),
          *(f"{name:>9}" for name in ("no image", *_DEVICE[len(_COMPARED) + 1 :])))  # fmt: skip
    for name, each in [*sorted(repositories.items()), ("all", all_rows)]:
        _print_line(name, each)
    for title, outcome in (
        ("refused", "refused"),
        ("not C++", "not C++"),
        ("faults", "faults"),
        ("broken", "broken"),
    ):
        reasons = Counter(row.why for row in all_rows if row.outcome == outcome)
        for why, count in reasons.most_common():
            print(f"{count:6} {title}: {why}")
    for kind in ("wrong", "accepted", "failed", "registers", "not compiled", "order", "rounding"):
        for row in all_rows:
            if row.device == kind:
                print(f"{kind}: {row.repository}/{row.file}:{row.line} {row.kernel}: {row.found}")
    return not any(
        row.device in ("wrong", "accepted") or row.outcome == "broken" for row in all_rows
    )


def _print_line(name: str, rows: Sequence[Row]) -> None:
    outcomes = Counter(row.outcome for row in rows)
    device = Counter(row.device for row in rows)
    compared = sum(device[kind] for kind in _COMPARED)
    print(f"{name[:23]:24}{len(rows):8}", *(f"{outcomes[each]:9}" for each in _OUTCOMES),
          f"{compared:9}", *(f"{device[each]:9}" for each in _DEVICE))  # fmt: skip
