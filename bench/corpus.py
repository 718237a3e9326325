"""What is found in faulty kernels: by us, and by Numba's own simulator, as was recorded.

Two corpora: our own, of single kernels and edits of them, and `unseen`, whole scripts by somebody
who had not seen the emulator, as `quiz profile` runs them.
"""

from __future__ import annotations

import csv
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.corpus_simulator import RIGHT, read_record
from bench.data import Data
from bench.figures import Figure, note
from quizapp.domain.errors import OK
from tests.commands.program import Program
from tests.commands.unseen_scripts import CORPUS, find_marks, list_scripts, profile
from tests.grader.simt.corpus import Outcome, faults, names, outcome, text_of

MISSED, ASTRAY = 1.0, 5.0
"""Percent of faults that may not be found, and not at a right line."""


@dataclass(frozen=True)
class Found:
    """What became of one fault.

    Attributes:
        ours: `found`, and else `wrong result` or `silent`.
        placed: whether at a right line.
        theirs: the simulator's verdict.
        theirs_placed: whether it named a right line; None where no line was recorded.
    """

    ours: str
    placed: bool
    theirs: str
    theirs_placed: bool | None


def measure(_data: Data, **_options: Any) -> list[Figure]:
    """False alarms, faults that are not found, and that are not found at a right line."""
    return [
        *_figures("own", _own_alarms(), _own_faults()),
        *_figures("unseen", *_count_unseen()),
    ]


def _own_alarms() -> list[bool]:
    return [outcome(name, text_of(name)) != Outcome(right=True) for name in names()]


def _own_faults() -> list[Found]:
    simulator, found = read_record(), []
    for name in names():
        note(f"  {name}")
        for fault in faults(name):
            if not fault.hazard:
                continue
            done = outcome(name, fault.text)
            missed = "silent" if done.right else "wrong result"
            ours = "found" if done.finds(fault) else missed
            theirs = simulator[fault.name]
            placed = theirs.simulator == "found" and theirs.line in fault.lines
            found.append(Found(ours, done.at_line(fault), theirs.simulator, placed))
    return found


def _count_unseen() -> tuple[list[bool], list[Found]]:
    with (CORPUS / "simulator.csv").open(encoding="utf-8", newline="") as file:
        simulator = {row["file"]: row["simulator"] for row in csv.DictReader(file)}
    alarms, found = [], []
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        quiz = Program(Path(folder), {})
        for script in list_scripts("correct"):
            note(f"  {script.stem}")
            done = profile(script, quiz)
            alarms.append(done.status != OK or bool(done.places))
        for script in list_scripts("faulty"):
            note(f"  {script.stem}")
            done, right = profile(script, quiz), find_marks(script)
            places = done.places | done.warned
            kinds = {kind for _, kind in places} & {kind for _, kind in right}
            theirs = simulator[f"faulty/{script.name}"]
            ours = "found" if kinds else "silent"
            found.append(Found(ours, bool(places & right), theirs, None))
    return alarms, found


def _figures(corpus: str, alarms: Sequence[bool], found: Sequence[Found]) -> list[Figure]:
    missed = [one.ours != "found" for one in found]
    ours = _describe_counts(Counter(one.ours for one in found))
    theirs = _describe_counts(Counter(one.theirs for one in found))
    rows = [
        ("right kernels with a finding, or wrong", alarms, 0.0, _describe_simulator(corpus)),
        ("faults that are not found", missed, MISSED, f"{ours}; Numba's simulator: {theirs}"),
        (
            "faults without a right line",
            [not one.placed for one in found],
            ASTRAY,
            _describe_places(found),
        ),
    ]
    return [
        Figure("corpus", f"{corpus}: {what}", _percent(which), limit, "%", detail)
        for what, which, limit, detail in rows
    ]


def _describe_simulator(corpus: str) -> str:
    """What the simulator makes of right kernels."""
    if corpus == "own":
        verdicts = [one.simulator for one in read_record().values() if one.kinds == RIGHT]
    else:
        with (CORPUS / "simulator.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        verdicts = [row["simulator"] for row in rows if not row["expected"]]
    return f"of {len(verdicts)}; Numba's simulator: {_describe_counts(Counter(verdicts))}"


def _describe_places(found: Sequence[Found]) -> str:
    ours = f"{sum(one.placed for one in found)} of {len(found)} at a right line"
    if any(one.theirs_placed is None for one in found):
        return ours
    return f"{ours}; Numba's simulator: {sum(bool(one.theirs_placed) for one in found)}"


def _describe_counts(verdicts: Counter[str]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())


def _percent(which: Sequence[bool]) -> float:
    return 100 * sum(which) / len(which)
