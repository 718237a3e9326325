"""Other projects' own CUDA tests: none is wrong, and Numba's have the outcome that is recorded.

    QUIZ_STUMPY=… QUIZ_NUMBA_CUDA_SOURCE=… QUIZ_NUMBA_CUDA_MLIR_SOURCE=… QUIZ_GPU_PUZZLES=… \
        make test-long

Each names a checkout of github.com: stumpy-dev/stumpy (which needs SciPy, and pandas below 3),
NVIDIA/numba-cuda, NVIDIA/numba-cuda-mlir, srush/GPU-Puzzles. Nothing is downloaded.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.grader.simt.peers import numba_record, table
from tests.grader.simt.peers.judging import RULES, Verdict, judge
from tests.grader.simt.peers.suites import PEERS, run
from tests.sampling import every

NUMBA = "0.68"
"""The version whose tests are recorded."""
SMOKE = ("array_args", "enums", "exception", "warp_ops", "lang", "sync")


@pytest.fixture(scope="module")
def recorded():
    return {one.id: one for one in numba_record.rows()}


@pytest.fixture
def numbas_tests():
    numba = pytest.importorskip("numba")
    if not numba.__version__.startswith(NUMBA):
        pytest.skip(f"the tests of Numba {NUMBA} are recorded, this is {numba.__version__}")


def test_nothing_that_was_recorded_is_wrong(recorded):
    assert [one.id for one in recorded.values() if one.ours == "wrong"] == []
    assert {name: row.wrong for name, row in table.recorded().items() if row.wrong} == {}


def test_what_passes_under_numba_s_simulator_passes_here_or_is_refused_with_a_reason(recorded):
    theirs = [one for one in recorded.values() if one.simulator == "passed"]
    passed = [one for one in theirs if one.ours == "passed"]
    assert all(one.reason for one in theirs if one.ours in ("refused", "outside"))
    assert len(passed) >= 0.75 * len(theirs)


def failed(message, error=AssertionError):
    return judge(error(message))


def test_a_refusal_counts_as_one_only_if_the_table_lists_it():
    assert failed("python.no-in (x=1)", TypeError).outcome == "refused"
    assert failed("python.no-name (name=x)", TypeError).outcome == "wrong"
    assert failed("6 != 7") == Verdict("wrong", "", "AssertionError: 6 != 7")
    assert failed("python.not-emulated (name=cuda.compile_ptx)").reason == RULES[0][0]


def by_warning():
    """A test that looks at warnings: catch_warnings(record=True)."""


def test_values_that_numpy_compares_are_wrong_whatever_the_test_is_about():
    np = pytest.importorskip("numpy")
    with pytest.raises(AssertionError) as caught:
        np.testing.assert_equal(1, 2)
    assert judge(caught.value, (), by_warning).outcome == "wrong"
    assert judge(AssertionError("0 != 1"), (), by_warning).reason == "warnings"


@pytest.mark.parametrize("name", every(3, SMOKE, str))
def test_some_of_numba_s_tests(numbas_tests, recorded, name):
    files = [file for file in PEERS["numba"].files() if file.stem == f"test_{name}"]
    check_numba(recorded, run(PEERS["numba"], files))


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", PEERS)
def test_all_of_a_peer_s_tests(name, recorded, capsys):
    peer = PEERS[name]
    missing = [package for package in peer.needs if find_spec(package) is None]
    if missing or not peer.folder():
        pytest.skip(f"needs {', '.join(missing) or peer.variable}")
    found = run(peer, peer.files())
    row = table.row_of(peer, found)
    with capsys.disabled():
        print("", table.lines_of([row]), table.details_of(found), sep="\n")
    assert [test for test, one in found.items() if one["outcome"] == "wrong"] == []
    known = table.recorded().get(name, row)
    assert row.commit != known.commit or row.passed >= known.passed
    if name == "numba" and row.commit.startswith(NUMBA):
        check_numba(recorded, found)


def check_numba(recorded, found):
    """Compare, but for tests that Numba itself skips where an optional package is missing."""
    differing = {
        name: (recorded[name].ours if name in recorded else "new", one["outcome"], one["message"])
        for name, one in found.items()
        if (name not in recorded or recorded[name].ours != one["outcome"])
        and not one["message"].startswith("requires ")
    }
    assert differing == {}
