"""Races that cannot be seen, and races that a person allows, under `quiz profile`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from grader.simt import launch
from quizapp.domain.errors import FINDINGS, OK, USAGE

TEXT = """
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a, out):
    i = cuda.grid(1)
    a[0] = {value}
    out[i] = a[0]{mark}


there = cuda.to_device(np.zeros(64))
kernel[2, 32](cuda.to_device(np.zeros(1)), there)
"""
STORES, READS = (
    next(number for number, line in enumerate(TEXT.splitlines(), 1) if part in line)
    for part in ("a[0] = {", "out[i]")
)


@pytest.fixture
def profiled(quiz, tmp_path):
    def call(value, mark="", *options):
        (tmp_path / "script.py").write_text(TEXT.format(value=value, mark=mark), "utf-8")
        done = quiz("profile", "script.py", "--json", *options)
        if done.returncode == USAGE:
            return done.returncode, done.stderr
        [launch] = json.loads(done.stdout)["launches"]
        return done.returncode, [(one["kind"], one["topic"]) for one in launch["findings"]]

    return call


def test_a_race_that_cannot_be_seen_is_a_warning(profiled):
    assert profiled("7") == (OK, [("warning", "harmless race")])


def test_one_that_can_is_a_fault(profiled):
    status, found = profiled("i")
    assert status == FINDINGS
    assert {kind for kind, _ in found} == {"global-race"}


def test_a_comment_allows_the_races_of_its_line_and_no_others(profiled):
    status, found = profiled("i", "  # as drawn. quiz: allow race")
    assert status == FINDINGS  # the writes still race with each other
    assert sorted(found) == [("global-race", "write-write"), ("warning", "allowed race")]
    status, found = profiled("i  # quiz: allow race")
    assert (status, set(found)) == (OK, {("warning", "allowed race")})


@pytest.mark.parametrize("line", [f"{STORES}", f"script.py:{STORES}"])
def test_an_option_allows_them(line, profiled):
    assert profiled("i", "", "--allow-race", line)[0] == OK
    assert profiled("i", "", "--allow-race", f"other.py:{STORES}")[0] == FINDINGS


def test_what_names_no_line_is_said(profiled):
    status, said = profiled("i", "", "--allow-race", "kernel")
    assert status == USAGE
    assert said.splitlines() == [
        "quiz: kernel does not name a line",
        "  name one, such as --allow-race 12 or --allow-race helpers.py:12",
    ]


def test_a_grader_knows_no_comment():
    source = "def k(a):\n    a[0] = cuda.grid(1)  # quiz: allow race\n"
    assert launch(source, 1, 32, [np.zeros(1)]).faults
