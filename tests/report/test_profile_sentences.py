"""The sentences of a report on launches: its verdict, and how a change of a count is judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.facts import fact
from grader.profiles import FaultPlace, ReportVerdict, compare_reports, make_report
from grader.simt import Finding
from quizapp.report.profile import sentences
from quizapp.report.profile.comparison import comparison_lines
from quizapp.report.verdicts.counted_lines import rows
from quizapp.report.words import Words
from tests.grader.profiles.records import NAIVE, TRANSPOSE, recorded

PLACE = FaultPlace("budget", "", "/work/a.py", 9)
SAID = "operation budget exceeded (line 9)"
RACE = Finding("race", 8, 5, fact("finding.budget"))


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (ReportVerdict(1, 0), "no faults in 1 launch"),
        (
            ReportVerdict(1, 0, unfinished=1),
            "the launch did not finish; no faults up to that point",
        ),
        (
            ReportVerdict(1, 1, (PLACE,), unfinished=1),
            f"the launch did not finish and has faults: {SAID}",
        ),
        (
            ReportVerdict(3, 1, (PLACE,), unfinished=1),
            f"1 of 3 launches did not finish; 1 of 3 launches has faults: {SAID}",
        ),
        (ReportVerdict(2, 0, warnings=1), "no faults in 2 launches, 1 warning"),
        (ReportVerdict(1, 1, (PLACE,), warnings=3), f"the launch has faults: {SAID}, 3 warnings"),
    ],
)
def test_a_verdict_says_what_did_not_finish_and_counts_warnings(verdict, said):
    names = sentences.FileNames(Path("/work/a.py"))
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


def test_a_stride_has_its_remedy_once_for_each_line():
    [group] = make_report([recorded(NAIVE)]).groups
    twice = replace(group, strides=group.strides * 2)
    [said] = sentences.strides(twice, Words("en"))
    assert said.startswith("line 6: in accesses to out, neighboring lanes are a row apart, 32 ")
    assert "neighboring lanes are a row apart" in said
    assert [*sentences.strides(twice, Words("en"), 5)] == []
    apart = replace(group, strides=(replace(group.strides[0], is_row=False),))
    [said] = sentences.strides(apart, Words("en"))
    assert "256 bytes apart for 4 bytes each" in said


def test_each_line_of_twice_the_ideal_is_marked_and_the_worst_in_any_case():
    def line(number, sectors, wavefronts=0):
        counts = {"global_load_sectors": sectors, "global_load_ideal_sectors": 8}
        counts |= {"shared_load_wavefronts": wavefronts, "shared_load_ideal": 4}
        counts["shared_load_conflicts"] = max(0, wavefronts - 4)
        return {"line": number, "source": "", **counts}

    def marked(*lines):
        found = rows(lines, [*lines[0]][2:], Words("en"))
        return {row.line: row.mark for row in found if row.mark}

    assert [*marked(line(1, 64), line(2, 16), line(3, 15), line(4, 8))] == [1, 2]
    assert marked(line(1, 11)) == {1: "1.4× sectors"}
    assert marked(line(1, 10)) == {}
    assert marked(line(1, 8, 16), line(2, 8, 8), line(3, 8, 6)) == {1: "4-way", 2: "2-way"}
    assert marked(line(1, 8, 6)) == {1: "1.5-way"}
