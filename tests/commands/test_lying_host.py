"""Commands that ask a GPU host, and a host that lies: each says so, and ends with its status."""

from __future__ import annotations

import json

import pytest

from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK
from tests.grader.gpu.tools import shipped
from tests.lying_hosts import install_lying_gpu


@pytest.fixture
def lying(tmp_path, monkeypatch):
    """Call it: a host that lies is then in the place of ssh; its name."""
    return lambda lie, at: install_lying_gpu(tmp_path, monkeypatch, lie, at)


@pytest.mark.parametrize(
    ("lie", "at"),
    [("flood", "start"), ("stderr", "start"), ("facts-types", "describe"), ("deep", "grade"),
     ("empty-problem", "grade"), ("escapes", "grade"), ('set:graded.speed.ratio.low=9', "grade")],
)  # fmt: skip
def test_grade_gives_the_emulator_s_verdict_and_says_why_no_more(inside, tmp_path, lying, lie, at):
    one = shipped()[0]
    (tmp_path / "mine.py").write_text(one.question.solution or "", "utf-8")
    host = lying(lie, at)
    said = inside("grade", one.id, "mine.py", "--gpu-host", host, "--json")
    assert said.status == ENVIRONMENT
    plain = json.loads(said.out)
    assert plain["passed"]
    assert plain["gpu"]["standing"] == "not measured"
    assert plain["gpu"]["why"]["code"].startswith("gpu.")


@pytest.mark.parametrize(
    ("lie", "at", "name"),
    [("wrong-ids", "start", "device"), ("facts-none", "describe", "device"),
     ("selftest-empty", "selftest", "test-kernel"), ("nan", "selftest", "test-kernel")],
)  # fmt: skip
def test_doctor_finds_it(inside, lying, lie, at, name):
    assert inside("config", "gpu.host", lying(lie, at)).status == OK
    said = inside("doctor", "--json")
    found = {(one["section"], one["name"]): one for one in json.loads(said.out)["findings"]}
    assert said.status == FINDINGS
    assert found["gpu", name]["health"] == "problem"
    assert "code" in found["gpu", name]["what"]
    assert "answered" in inside("doctor").out


@pytest.mark.parametrize(("lie", "at"), [("long", "calibrate"), ("close", "calibrate")])
def test_calibrate_says_what_happened(inside, lying, lie, at):
    said = inside("calibrate", "--gpu-host", lying(lie, at))
    assert said.status == ENVIRONMENT
    assert "person@far" in said.err
