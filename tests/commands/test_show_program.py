"""`quiz profile --show-program`: what each kernel becomes, below the report or as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizapp.domain.errors import OK

SCRIPT = """\
import numpy as np
from numba import cuda


@cuda.jit(device=True)
def twice(x):
    return x * 2


@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    out[i] = twice(a[i])


@cuda.jit
def clear(out):
    out[cuda.grid(1)] = 0


out = np.zeros(64, np.float64)
double[1, 64](np.ones(64, np.float64), out)
double[1, 64](np.ones(64, np.int32), out)
double[1, 64](np.ones(64, np.float64), out)
clear[1, 64](out)
"""
DOUBLE = """\
typed program: double, line 11
  kernel double(a: global float64[:], out: global float64[:])
    12:5       i: int64 = grid.x
    13:5       out[i] = twice(a[i])

  function twice(x: float64) -> float64
     7:5       return x * 2.0
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, "utf-8")
    return path


def test_each_kernel_is_shown_once_for_the_same_types(inside, script):
    said = inside("profile", script, "--show-program")
    assert said.status == OK
    report, _, programs = said.out.partition("typed program: ")
    assert "4 launches" in report
    assert f"typed program: {programs}".startswith(DOUBLE)
    assert "kernel double(a: global int32[:], out: global float64[:])" in programs
    assert said.out.count("typed program: double, line 11") == 2
    assert said.out.count("typed program: clear, line 17") == 1


@pytest.mark.long
def test_a_line_of_it_is_not_folded(inside, script):
    said = inside("profile", script, "--show-program", "--width", "40")
    assert DOUBLE in said.out


def test_the_selection_of_launches_is_that_of_programs(inside, script):
    said = inside("profile", script, "--show-program", "--kernel", "clear")
    assert said.out.count("typed program: ") == said.out.count("typed program: clear") == 1
    said = inside("profile", script, "--show-program", "--launch", "2")
    assert said.out.count("typed program: ") == 1
    assert "a: global int32[:]" in said.out


def test_it_is_data_too(inside, script):
    found = json.loads(inside("profile", script, "--show-program", "--json").out)["programs"]
    assert [(each["kernel"], each["line"], each["launches"]) for each in found] == [
        ("double", 11, [1, 3]),
        ("double", 11, [2]),
        ("clear", 17, [4]),
    ]
    shown = "\n".join(line and line[2:] for line in DOUBLE.splitlines()[1:])
    assert found[0]["text"].rstrip() == shown


def test_it_is_in_the_last_of_the_lines_of_json(inside, script):
    *launches, rest = inside(
        "profile", script, "--show-program", "--kernel", "clear", "--json-lines"
    ).out.splitlines()
    assert len(launches) == 1
    assert [each["kernel"] for each in json.loads(rest)["programs"]] == ["clear"]


@pytest.mark.long
def test_it_is_in_the_page(inside, script, tmp_path):
    page = tmp_path / "page.html"
    inside("profile", script, "--show-program", "--html", page)
    assert "function twice(x: float64) -&gt; float64" in page.read_text("utf-8")


def test_without_it_nothing_is_kept(inside, script):
    assert "typed program" not in inside("profile", script).out
    assert "programs" not in json.loads(inside("profile", script, "--json").out)


def test_a_process_that_the_script_starts_has_its_launches_behind(inside, script):
    more = "import os\nif os.fork() == 0:\n    clear[1, 64](out)\nelse:\n    os.wait()\n"
    script.write_text(SCRIPT + more, "utf-8")
    found = json.loads(inside("profile", script, "--show-program", "--json").out)["programs"]
    assert [(each["kernel"], each["launches"]) for each in found][-1] == ("clear", [4, 5])
