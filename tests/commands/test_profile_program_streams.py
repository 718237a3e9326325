"""Streams of programs in CUDA C++: what nothing orders is found, and no right use is blamed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from quizapp.domain.errors import FINDINGS, OK

DATA = Path(__file__).parents[1] / "data/streams"
pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
)


def _findings(quiz, name, status):
    shutil.copy(DATA / name, quiz.folder)
    done = quiz("profile", name, "--json")
    assert done.returncode == status, done.stderr
    launches = json.loads(done.stdout)["launches"]
    return [finding for launch in launches for finding in launch["findings"]]


@pytest.mark.parametrize("name", ["ordered.cu", "host_ordered.cu"])
def test_what_events_the_host_and_the_default_stream_order_is_not_blamed(quiz, name):
    assert _findings(quiz, name, OK) == []


@pytest.mark.skipif(not shutil.which("addr2line"), reason="no addr2line, which tells a copy's line")
def test_what_nothing_orders_is_found_between_kernels_copies_sets_and_graphs(quiz):
    found = {
        (each["line"], each["what"]["fields"]["stream"], each["what"]["fields"]["other"])
        for each in _findings(quiz, "unordered.cu", FINDINGS)
        if each["kind"] == "stream-race"
    }
    lines = (DATA / "unordered.cu").read_text().splitlines()
    marks = ((at, re.search(r"// (\d) (\d)$", line)) for at, line in enumerate(lines, 1))
    assert found == {(at, int(mark[1]), int(mark[2])) for at, mark in marks if mark}
