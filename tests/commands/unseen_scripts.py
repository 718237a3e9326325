"""The scripts of `tests/data/kernels/unseen`, what is expected of each, and what is found."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tests.commands.program import ROOT, Program
from tests.grader.simt.budget import LAUNCH_BUDGET

CORPUS = ROOT / "tests" / "data" / "kernels" / "unseen"
BUDGET = str(LAUNCH_BUDGET // 2)  # what real kernels need is not near it
MARK = re.compile(r"# EXPECT: ([a-z-]+)$", re.MULTILINE)
Place = tuple[int, str]
"""A line, and a kind of finding."""


def list_scripts(folder: str) -> list[Path]:
    """The scripts that are `correct`, or `faulty`."""
    return sorted((CORPUS / folder).glob("*.py"))


def find_marks(script: Path) -> set[Place]:
    """Where the fault should be told: any of these."""
    lines = script.read_text("utf-8").splitlines()
    return {(n, m[1]) for n, line in enumerate(lines, 1) if (m := MARK.search(line))}


@dataclass(frozen=True)
class Profiled:
    """What `quiz profile` said of a script: exit status, faults, and warnings."""

    status: int
    error: str
    places: frozenset[Place]
    warned: frozenset[Place]


def profile(script: Path, quiz: Program) -> Profiled:
    """Run it as a person does; both lines of a finding count."""
    done = quiz("profile", script, "--json", "--budget", BUDGET)
    found = [f for launch in json.loads(done.stdout)["launches"] for f in launch["findings"]]
    faults = [f for f in found if f["kind"] != "warning"]
    places = {(f["line"], f["kind"]) for f in faults}
    places |= {(f["other_line"], f["kind"]) for f in faults if f.get("other_line")}
    warned = frozenset((f["line"], f["kind"]) for f in found if f["kind"] == "warning")
    return Profiled(done.returncode, done.stderr, frozenset(places), warned)
