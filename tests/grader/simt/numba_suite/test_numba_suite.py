"""Numba's own CUDA tests through the stand-in: each has the outcome that the table says."""

from __future__ import annotations

import pytest

from tests.grader.simt.numba_suite import suite

RECORDED = "0.68"
"""The version of Numba whose tests the table lists."""
SMOKE = [
    f"cudapy.test_{name}"
    for name in ("array_args", "atomics", "enums", "exception", "lang", "sync", "warp_ops")
]


@pytest.fixture(scope="module")
def table():
    return suite.table()


@pytest.fixture
def numbas_tests():
    numba = pytest.importorskip("numba")
    if not numba.__version__.startswith(RECORDED):
        pytest.skip(f"the table lists the tests of Numba {RECORDED}, this is {numba.__version__}")


def test_what_passes_under_numba_s_simulator_is_never_wrong_here(table):
    theirs = [one for one in table if one.simulator == "passed"]
    passed = [one for one in theirs if one.ours == "passed"]
    assert {one.ours for one in theirs} <= {"passed", "refused", "skipped"}
    assert len(passed) >= 0.75 * len(theirs)


def test_what_is_refused_says_why(table):
    assert all(one.message for one in table if one.ours == "refused")


@pytest.mark.parametrize("module", SMOKE)
def test_some_modules(numbas_tests, table, module):
    check(table, suite.outcomes("ours", module), [module])


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_all_modules(numbas_tests, table):
    modules = suite.modules()
    assert {suite.module_of(one.id) for one in table} <= {*modules}
    check(table, suite.all_outcomes("ours", modules), modules)


def check(table, found, modules):
    """Compare, but for tests that Numba itself skips where an optional package is missing."""
    known = {one.id: one for one in table if suite.module_of(one.id) in modules}
    now = suite.rows({name: (one.simulator, "") for name, one in known.items()}, found)
    differing = {
        one.id: (known[one.id].ours, one.ours, one.message)
        for one in now
        if one.ours != known[one.id].ours and not one.message.startswith("requires ")
    }
    assert differing == {}
