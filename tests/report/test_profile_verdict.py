"""The first line of a report: which fault, in which lines, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.profiles import FaultPlace, ReportVerdict
from quizapp.report.profile.sentences import FileNames, verdict
from quizapp.report.words import Words

HERE, THERE = "/work/script.py", "/else/kernels.py"
RACE = FaultPlace("race", "tile", HERE, 15, HERE, 12)
AWAY = FaultPlace("race", "tile", THERE, 15, THERE, 12)
APART = FaultPlace("global-race", "out", HERE, 15, THERE, 20)
ONE = FaultPlace("race", "tile", HERE, 15, HERE, 15)
ENDLESS = FaultPlace("budget", "", HERE, 9)
EN = {
    (RACE,): "1 of 3 launches has faults: race in shared memory (tile, lines 12 and 15)",
    (AWAY,): f"race in shared memory (tile, lines 12 and 15 of {THERE})",
    (APART,): f"race in global memory (out, line 20 of {THERE} and line 15)",
    (ONE,): "race in shared memory (tile, line 15)",
    (ENDLESS, RACE): "operation budget exceeded (line 9) and 1 more",
}
ZH = {
    (RACE,): "3 次启动中有 1 次存在错误：共享内存数据竞争（tile，第 12、15 行）",
    (APART,): f"全局内存数据竞争（out，{THERE} 第 20 行与第 15 行）",
    (ENDLESS, RACE, ONE): "超出运算次数上限（第 9 行），另有 2 处",
}


@pytest.mark.parametrize(
    ("language", "faults", "said"),
    [("en", *case) for case in EN.items()] + [("zh", *case) for case in ZH.items()],
)
def test_the_verdict_names_the_first_fault_and_its_lines(language, faults, said):
    found = verdict(ReportVerdict(3, 1, faults), FileNames(Path(HERE)), Words(language))
    assert found.endswith(said)
