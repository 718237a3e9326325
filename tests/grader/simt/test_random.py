"""`cuda.random` against what numba-cuda's own functions gave, to the bit: see `record_random`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from grader.simt import Refused, launch
from grader.simt.intrinsics.functions.xoroshiro import STATE, make_states
from tests.grader.simt.record_random import DRAWS, RECORD, SEEDS
from tests.grader.simt.tools import kernel, places, run
from tests.sentences import english

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
SEEDED = "cuda.random.init_xoroshiro128p_state(s, 0, 7)"


@pytest.mark.parametrize("place", range(len(SEEDS)))
def test_generators_are_those_of_numba(place):
    assert [list(state) for state in make_states(*SEEDS[place]).tolist()] == RECORDED["states"][
        place
    ]


def test_what_is_drawn_is_what_numba_draws():
    """One generator goes through all functions, and jumps; only `cos` and `log` may round."""
    outputs = {name: np.zeros(40, dtype_of(name)) for name in DRAWS}
    lines = [SEEDED]
    for name in DRAWS:
        lines += ["for i in range(40):", f"    {name}[i] = cuda.random.{name}(s, 0)"]
    states = np.zeros(1, STATE)
    text = kernel(*lines, "cuda.random.xoroshiro128p_jump(s, 0)", takes=f"s, {', '.join(DRAWS)}")
    launch(text, 1, 1, [states, *outputs.values()])
    for name, drawn in outputs.items():
        wanted = [
            one if isinstance(one, int) else float.fromhex(one) for one in RECORDED["drawn"][name]
        ]
        if "normal" in name:
            np.testing.assert_array_max_ulp(drawn, np.array(wanted, drawn.dtype), 2)
        else:
            assert drawn.tolist() == wanted
    assert list(states[0]) == RECORDED["after"]


def dtype_of(name: str) -> str:
    return "u8" if name.endswith("next") else name.rpartition("_")[2]


def test_a_draw_reads_and_writes_sixteen_bytes():
    text = kernel("i = cuda.grid(1)", "a[i] = cuda.random.xoroshiro128p_next(s, i)", takes="s, a")
    done = launch(text, 1, 32, [make_states(32, 1, 0), np.zeros(32)])
    counts = done.line(3)
    for kind in ("load", "store"):
        ours = 1 if kind == "store" else 0  # that of `a`
        assert counts[f"global_{kind}_requests"] == 2 + ours
        assert counts[f"global_{kind}_sectors"] == 2 * 16 + 8 * ours


def test_threads_that_share_a_generator_race():
    text = kernel("a[cuda.grid(1)] = cuda.random.xoroshiro128p_uniform_float32(s, 0)", takes="s, a")
    done = launch(text, 1, 64, [make_states(1, 1, 0), np.zeros(64, np.float32)])
    assert ("global-race", 2) in places(done)
    assert "s[0].s0" in english(done.findings[0].what)


def test_a_generator_of_the_threads_own():
    text = kernel(
        "s = cuda.local.array(1, STATES.dtype)",
        SEEDED,
        "a[0] = cuda.random.xoroshiro128p_next(s, 0)",
    ).replace("STATES", "t").replace("(a)", "(a, t)")  # fmt: skip
    out = np.zeros(1, np.uint64)
    launch(text, 1, 1, [out, np.zeros(1, STATE)])
    assert out.tolist() == RECORDED["drawn"]["xoroshiro128p_next"][:1]


def test_too_few_generators():
    text = kernel("i = cuda.grid(1)", "a[i] = cuda.random.xoroshiro128p_next(s, i)", takes="s, a")
    done = launch(text, 1, 32, [make_states(31, 1, 0), np.zeros(32)])
    assert places(done) == [("out-of-bounds", 3)]


def test_generators_are_an_array_of_their_own_dtype():
    with pytest.raises(Refused) as caught:
        run(kernel("a[0] = cuda.random.xoroshiro128p_next(a, 0)"), [np.zeros(4)])
    assert "where an array of generators" in english(caught.value)
