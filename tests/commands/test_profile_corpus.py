"""Whole scripts by somebody who had not seen the emulator: 30 right ones, 30 with one fault each.

A faulty script marks where the fault should be told: `# EXPECT: kind` at the end of a line. Each is
run as a person runs it. `tests/data/kernels/unseen/simulator.csv` says what Numba's own simulator
makes of them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader.simt import GRADING_BUDGET
from quizapp.errors import FINDINGS, OK, SCRIPT
from tests.commands.program import ROOT

CORPUS = ROOT / "tests" / "data" / "kernels" / "unseen"
BUDGET = str(GRADING_BUDGET // 2)  # what real kernels need is not near it
MARK = re.compile(r"# EXPECT: ([a-z-]+)$", re.MULTILINE)


def named(folder: str) -> list[Path]:
    return sorted((CORPUS / folder).glob("*.py"))


def findings(done) -> list[dict]:
    return [f for launch in json.loads(done.stdout)["launches"] for f in launch["findings"]]


def test_the_corpus_is_whole():
    assert [len(named(folder)) for folder in ("correct", "faulty")] == [30, 30]


@pytest.mark.parametrize("script", named("correct"), ids=lambda path: path.stem)
def test_a_right_script_runs_and_nothing_is_found(script, quiz):
    done = quiz("profile", script, "--json", "--budget", BUDGET)
    assert done.returncode == OK, done.stderr
    assert [f for f in findings(done) if f["kind"] != "warning"] == []


@pytest.mark.parametrize("script", named("faulty"), ids=lambda path: path.stem)
def test_a_fault_is_found_at_its_line(script, quiz):
    lines = script.read_text("utf-8").splitlines()
    expected = {(n, m[1]) for n, line in enumerate(lines, 1) if (m := MARK.search(line))}
    done = quiz("profile", script, "--json", "--budget", BUDGET)
    assert done.returncode in (FINDINGS, SCRIPT), done.stderr  # its own check may fail too
    found = findings(done)
    places = {(f["line"], f["kind"]) for f in found}
    places |= {(f["other_line"], f["kind"]) for f in found if f.get("other_line")}
    assert places & expected, (sorted(places), sorted(expected))
