"""Whole scripts by somebody who had not seen the emulator: 31 right ones, 29 with one fault each.

A faulty script marks where the fault should be told: `# EXPECT: kind` at the end of a line. In one
of them stale values make the result wrong, which nothing finds; the uninitialized ones beside them
are discarded, and a warning says so. Each is run as a person runs it.
`tests/data/kernels/unseen/simulator.csv` says what Numba's own simulator makes of them.
"""

from __future__ import annotations

from operator import attrgetter

import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT
from tests.commands.unseen_scripts import find_marks, list_scripts, profile
from tests.sampling import every

stem = attrgetter("stem")


def test_the_corpus_is_whole():
    assert [len(list_scripts(folder)) for folder in ("correct", "faulty")] == [31, 29]


@pytest.mark.parametrize("script", every(3, list_scripts("correct"), stem))
def test_a_right_script_runs_and_nothing_is_found(script, quiz):
    done = profile(script, quiz)
    assert done.status == OK, done.error
    assert done.places == frozenset()


@pytest.mark.parametrize("script", every(3, list_scripts("faulty"), stem))
def test_a_fault_is_found_at_its_line(script, quiz):
    done = profile(script, quiz)
    assert done.status in (FINDINGS, SCRIPT), done.error  # its own check may fail too
    told = done.places | done.warned
    assert told & find_marks(script), (sorted(told), sorted(find_marks(script)))
