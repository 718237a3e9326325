"""An array variable that stands for another array in each thread: values, counts and findings.

The counts are those of one array that holds both, where every thread finds the same elements.
"""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import NotTyped, launch
from tests.grader.simt.tools import kernel, kinds, places, run

CHOSEN = {
    "ternary": ["x = a if {} else b"],
    "branches": ["if {}:", "    x = a", "else:", "    x = b"],
    "replaced": ["x = b", "if {}:", "    x = a"],
    "device function": ["x = one_of(a, b, {})"],
    "tuple": ["x, y = (a, b) if {} else (b, a)"],
}
ONE_OF = "def one_of(a, b, first):\n    if first:\n        return a\n    return b\n\n"
TESTS = ("t % 2 == 0", "t < 40", "t >= 0", "t < 0", "n > 3", "n > 4")


def holds(test: str) -> np.ndarray:
    return np.array([bool(eval(test, {"t": t, "n": 4})) for t in range(70)])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("form", CHOSEN)
def test_every_thread_reads_its_own_array(form, test):
    lines = ["t = cuda.grid(1)", "if t >= 70:", "    return"]
    lines += [line.format(test) for line in CHOSEN[form]]
    lines += ["o[t] = x[t] + len(x) + x.shape[0] + x[2:][0] + x[1:3][t % 2]"]
    a, b, o = np.arange(80.0), -np.arange(90.0), np.zeros(70)
    done = run(ONE_OF + kernel(*lines, takes="a, b, o, n"), [a, b, o, 4], grid=1, block=96)
    want = [
        x[t] + 2 * len(x) + x[2] + x[1 + t % 2]
        for t, x in enumerate(a if first else b for first in holds(test))
    ]
    assert o.tolist() == want
    assert done.faults == ()


BOTH = {
    "global": (["x = a if {} else b"], ["x = c"]),
    "shared": (
        [
            "a = cuda.shared.array(64, numba.float32)",
            "b = cuda.shared.array(64, numba.float32)",
            "x = a if {} else b",
        ],
        ["x = cuda.shared.array(128, numba.float32)"],
    ),
    "local": (
        [
            "a = cuda.local.array(64, numba.float32)",
            "b = cuda.local.array(64, numba.float32)",
            "x = a if {} else b",
        ],
        ["x = cuda.local.array(128, numba.float32)"],
    ),
}
ACCESSES = ("x[{}] = t", "t = x[{}]", "x[{}] += 1", "cuda.atomic.add(x, {}, 1)")
INDICES = ("t % 32", "t * 2 % 64", "t * 9 % 64", "5", "63 - t % 32")


@pytest.mark.parametrize(
    ("space", "access"),
    [
        (space, access)
        for space in BOTH
        for access in ACCESSES
        if space != "local" or "atomic" not in access
    ],
)
@pytest.mark.parametrize("test", ["t % 2 == 0", "t % 4 < 1", "t < 20"])
def test_a_warp_makes_one_request_whatever_its_arrays_are(space, access, test):
    for index in INDICES:
        two, one = BOTH[space]
        head = ["t = cuda.grid(1)"]
        chosen = [*head, *(line.format(test) for line in two), access.format(index)]
        place = f"{index} + (0 if {test} else 64)"
        whole = [*head, *one, access.format(place)]
        counts = []
        for lines in (chosen, whole):
            a, b, c = (np.zeros(size, np.float32) for size in (64, 64, 128))
            done = run(kernel(*lines, takes="a, b, c"), [a, b, c], block=64)
            counts.append({k: v for k, v in done.line(len(lines) + 1).items() if "_" in k})
        assert counts[0] == counts[1], index


def test_swapped_shared_buffers_count_like_two_arrays():
    """Each thread's own pair of buffers, swapped in each round of a loop."""
    lines = [
        "s = cuda.shared.array(64, numba.float32)",
        "u = cuda.shared.array(64, numba.float32)",
        "t = cuda.threadIdx.x",
        "s[t] = t",
        "u[t] = -t",
        "now, then = s, u",
        "if t % 2:",
        "    now, then = u, s",
        "for r in range(3):",
        "    v = now[t]",
        "    now, then = then, now",
        "    then[t] = v + 1",
        "o[t] = now[t] * 100 + then[t]",
    ]
    o = np.zeros(64, np.float32)
    done = run(kernel(*lines, takes="o"), [o], block=64)
    want = []
    for t in range(64):
        now, then = (-t, t) if t % 2 else (t, -t)
        for _ in range(3):
            now, then = then, now + 1
        want.append(now * 100 + then)
    assert o.tolist() == want
    assert done.faults == ()
    assert done.line(11)["shared_load_requests"] == 6


def test_atomics_on_different_arrays_add_up():
    lines = ["t = cuda.grid(1)", "x = a if t % 3 else b", "o[t] = cuda.atomic.add(x, 0, 1)"]
    a, b, o = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(96, np.int32)
    run(kernel(*lines, takes="a, b, o"), [a, b, o], block=96)
    assert (a[0], b[0]) == (64, 32)
    assert sorted(o[::3]) == list(range(32))


def test_a_race_names_the_array_it_is_on():
    lines = ["t = cuda.grid(1)", "x = a if t % 2 else b", "x[0] = t"]
    done = run(kernel(*lines, takes="a, b"), [np.zeros(4), np.zeros(4)], block=64)
    assert set(places(done)) == {("global-race", 4)}
    assert {one.array for one in done.faults} <= {"a", "b"}


def test_an_index_beyond_one_of_the_arrays_is_found():
    lines = ["t = cuda.grid(1)", "x = a if t % 2 else b", "o[t] = x[t]"]
    done = run(
        kernel(*lines, takes="a, b, o"), [np.zeros(64), np.zeros(20), np.zeros(64)], block=64
    )
    assert places(done) == [("out-of-bounds", 4)]
    assert (done.findings[0].array, done.findings[0].index) == ("b", (20,))


def test_arrays_of_two_memories_are_refused_with_their_place():
    lines = ["t = cuda.grid(1)", "s = cuda.shared.array(64, numba.float64)"]
    lines += ["x = s if t % 2 else a", "a[t] = x[t]"]
    with pytest.raises(NotTyped, match=r"python\.memory-choice") as found:
        launch(kernel(*lines), 1, 64, [np.zeros(64)])
    assert (found.value.line, found.value.column) == (4, 9)


def test_an_array_that_was_never_assigned_has_no_elements():
    lines = ["t = cuda.grid(1)", "if t > 99:", "    x = a[t:]", "a[t] = x[0]"]
    done = run(kernel(*lines), [np.zeros(64)], block=64)
    assert kinds(done) == ["out-of-bounds"]
    assert done.findings[0].line == 5
    lines[2] = "    x = a"
    assert kinds(run(kernel(*lines), [np.zeros(64)], block=64)) == ["out-of-bounds"]
