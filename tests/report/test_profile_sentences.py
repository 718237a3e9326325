"""The sentences of a report on launches: its verdict, and how a change of a count is judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.facts import fact
from grader.profiles import ReportVerdict, compare_reports, make_report
from grader.simt import Finding
from quizapp.report.profile import sentences
from quizapp.report.profile.comparison import comparison_lines
from quizapp.report.words import Words
from tests.grader.profiles.records import TRANSPOSE, recorded

RACE = Finding("race", 8, 5, fact("finding.budget"))


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (ReportVerdict(1, 0), "no faults in 1 launch"),
        (ReportVerdict(1, 0, (), 1), "the launch did not finish; no faults until then"),
        (ReportVerdict(1, 1, (), 1), "the launch did not finish and has faults"),
        (
            ReportVerdict(3, 1, (), 1),
            "1 of 3 launches did not finish; 1 of 3 launches has faults",
        ),
        (ReportVerdict(2, 0, (), 0, 1), "no faults in 2 launches, 1 warning"),
        (ReportVerdict(1, 1, (), 0, 3), "the launch has faults, 3 warnings"),
    ],
)
def test_a_verdict_says_what_did_not_finish_and_counts_warnings(verdict, said):
    names = sentences.FileNames(Path("a.py"))
    assert sentences.verdict(verdict, names, Words("en")) == said
    assert sentences.verdict(verdict, names, Words("zh"))


@pytest.mark.parametrize(("findings", "word"), [((RACE,), "more"), ((), "worse")])
def test_more_wavefronts_are_not_worse_if_a_fault_is_gone(findings, word):
    before = replace(recorded(TRANSPOSE.replace("PITCH", "33")), findings=findings)
    text = TRANSPOSE.replace("PITCH", "32").replace(
        "    x, y =", "    cuda.syncthreads()\n    x, y ="
    )
    report = make_report([recorded(text)])
    change = compare_reports(make_report([before]), report)
    lines = [
        "".join(span[0] for span in line).split()
        for line in comparison_lines(report, change, Path("a.py"), Words("en"))
    ]
    [wavefronts] = [line for line in lines if line[1:4] == ["all", "lines", "wavefronts"]]
    [statements] = [line for line in lines if line[1:4] == ["all", "lines", "statements"]]
    assert (wavefronts[0], statements[0]) == (word, "more")
