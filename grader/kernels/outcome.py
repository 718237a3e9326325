"""What grading a kernel comes to: values that are shown, and sent from process to process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from grader.simt.findings import Finding, Three
from grader.verdict import Gate, Verdict

UNDEFINED = {"absent lanes": "absent-lanes"}
"""Topics of warnings that leave a result undefined on a device, as a gate calls them."""


def fault_name(finding: Finding) -> str:
    """What a gate calls a finding that a kernel fails for; empty for a mere warning."""
    return UNDEFINED.get(finding.topic, "") if finding.kind == "warning" else finding.kind


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote an element last."""

    block: Three
    thread: Three
    line: int


@dataclass(frozen=True, slots=True)
class WrongElement:
    """An element that is not right; `writer` is None where nobody wrote it."""

    array: str
    index: tuple[int, ...]
    expected: str
    got: str
    writer: Writer | None


@dataclass(frozen=True, slots=True)
class WorstAccess:
    """The shared access of one warp that takes the most wavefronts beyond its ideal.

    Attributes:
        width: bytes a lane.
        addresses: byte address of each lane; `active` says which count.
    """

    line: int
    column: int
    kind: str
    width: int
    addresses: tuple[int, ...]
    active: tuple[bool, ...]
    wavefronts: int
    ideal: int


@dataclass(frozen=True)
class Ran:
    """One run of the kernel.

    Attributes:
        shape: what its names were.
        counts: by line of the submission, counters by name.
        shared_bytes: that a block declares, dynamic ones included.
        findings: as the emulator reports them.
        wrong: the first wrong elements, `wrong_count` of `elements` in all.
        error, allowed: the largest difference of an output, and the largest that is right.
    """

    shape: Mapping[str, int]
    grid: Three
    block: Three
    counts: Mapping[int, Mapping[str, int]] = field(repr=False)
    shared_bytes: int
    findings: tuple[Finding, ...]
    wrong: tuple[WrongElement, ...] = ()
    wrong_count: int = 0
    elements: int = 0
    error: float = 0.0
    allowed: float = 0.0

    @property
    def totals(self) -> Mapping[str, int]:
        """The counters of all lines."""
        total: Counter[str] = Counter()
        for counts in self.counts.values():
            total.update(counts)
        return total

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that a kernel fails for."""
        return tuple(one for one in self.findings if fault_name(one))


@dataclass(frozen=True)
class Graded:
    """A submission with its verdict.

    `runs` are those that were come to; `worst` is of the first of them.
    """

    source: str = field(repr=False)
    verdict: Verdict
    runs: tuple[Ran, ...] = ()
    worst: WorstAccess | None = None

    @property
    def passed(self) -> bool:
        """Whether every gate was."""
        return self.verdict.passed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all runs, each once: faults before warnings, by line."""
        found = {(f.kind, f.topic, f.line, f.column, f.other_line): f for f in self._newest_first()}
        return tuple(sorted(found.values(), key=lambda f: (f.kind == "warning", f.line, f.column)))

    def _newest_first(self) -> list[Finding]:
        return [one for run in reversed(self.runs) for one in run.findings]

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


def graded_from(plain: Mapping[str, Any]) -> Graded:
    """What `Graded.plain` was made of, come back from JSON."""
    gates = tuple(Gate(**gate) for gate in plain["verdict"]["gates"])
    runs = tuple(_run_from(run) for run in plain["runs"])
    worst = plain["worst"]
    if worst is not None:
        lanes = {name: tuple(worst[name]) for name in ("addresses", "active")}
        worst = WorstAccess(**{**worst, **lanes})
    return Graded(plain["source"], Verdict(gates), runs, worst)


def _run_from(plain: Mapping[str, Any]) -> Ran:
    counts = {int(line): dict(counts) for line, counts in plain["counts"].items()}
    wrong = tuple(_wrong_from(one) for one in plain["wrong"])
    findings = tuple(_finding_from(one) for one in plain["findings"])
    threes = {name: _three(plain[name]) for name in ("grid", "block")}
    return Ran(**{**plain, **threes, "counts": counts, "wrong": wrong, "findings": findings})


def _wrong_from(plain: Mapping[str, Any]) -> WrongElement:
    writer = plain["writer"]
    if writer is not None:
        writer = Writer(_three(writer["block"]), _three(writer["thread"]), writer["line"])
    return WrongElement(**{**plain, "index": tuple(plain["index"]), "writer": writer})


def _finding_from(plain: Mapping[str, Any]) -> Finding:
    block = None if plain["block"] is None else _three(plain["block"])
    many = {name: tuple(_three(one) for one in plain[name]) for name in ("threads", "blocks")}
    return Finding(**{**plain, **many, "index": tuple(plain["index"]), "block": block})


def _three(plain: Any) -> Three:
    return cast("Three", tuple(plain))
