"""Mutants of a solution: what each rule changes in both languages, and what a survivor shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.changes import apply_changes
from grader.kernels import Argument, Problem, ReferenceOutputs, find_failure, write_mutants

PYTHON = """\
import numpy as np
from numba import cuda, float32

LOWEST = -3.0e38

@cuda.jit
def sums(x, scale, arrived, out):
    part = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s = float32(0.0)
    for i in range(t, x.size, 32):
        s += x[i] * scale
    part[t] = s
    cuda.syncthreads()
    if cuda.atomic.add(arrived, 0, 1) >= 0 and t < 32:
        out[t] = part[t] if s > LOWEST else 0.0
"""
CUDA = """\
__global__ void sums(const float* x, float scale, int* arrived, float* out, int n)
{
    __shared__ float part[32];
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = t; i < n; i += 32)
        s += x[i] * scale;
    part[t] = s;
    __syncthreads();
    if (atomicAdd(arrived, 1) >= 0 && t < 32)
        out[t] = s > -3.0e38f ? part[t] : 0.0f;
}
"""
ASKED = Problem(
    kernel="sums",
    arguments=(
        Argument("x", "float32", ("n",)),
        Argument("scale", "float32", value=2.5),
        Argument("arrived", "int32", (1,), role="inout", filling="zeros"),
        Argument("out", "float32", (32,), role="output"),
    ),
    shapes=({"n": 64}, {"n": 50}),
    grid=(1,),
    block=(32,),
    terms="n",
    reference=(
        "def reference(x, scale, arrived):\n"
        "    padded = np.pad(x, (0, -len(x) % 32)).reshape(-1, 32)\n"
        "    return arrived + 32, scale * padded.sum(axis=0)\n"
    ),
)
EXPECTED = {
    "python": {
        "argument": "        s += x[i] * 2.5",
        "extent": "    for i in range(t, min(x.size, 64), 32):",
        "narrow": "        s += x[np.int16(i)] * scale",
        "half": "        s = np.float32(np.float16(s + (x[i] * scale)))",
        "constant": "    for i in range(t, x.size, 33):",
        "compare": "    if cuda.atomic.add(arrived, 0, 1) >= 0 and t <= 32:",
        "drop": "    pass",
        "ticket": "    if (cuda.atomic.add(arrived, 0, 1) * 0 + cuda.blockIdx.x) >= 0 and t < 32:",
        "padding": "LOWEST = -0",
    },
    "cuda": {
        "argument": "{ scale = 2.5;",
        "extent": "{ n = n < 64 ? n : 64;",
        "narrow": "        s += x[(short)(i)] * scale;",
        "half": "        s = __half2float(__float2half(s + (x[i] * scale)));",
        "constant": "    for (int i = t; i < n; i += 33)",
        "compare": "    for (int i = t; i <= n; i += 32)",
        "drop": "    ;",
        "ticket": "    if ((atomicAdd(arrived, 1) * 0 + blockIdx.x) >= 0 && t < 32)",
        "padding": "        out[t] = s > -0.0f ? part[t] : 0.0f;",
    },
}
SOURCES = {"python": PYTHON, "cuda": CUDA}
OUTSIDE = "findings: out-of-bounds"


def asked(language: str) -> Problem:
    return replace(ASKED, language=language)


@pytest.mark.parametrize("language", EXPECTED)
def test_every_rule_makes_its_change(language):
    made = list(write_mutants(asked(language), SOURCES[language]))
    added = {(mutant.rule, line[1:]) for mutant in made for line in mutant.diff if line[0] == "+"}
    assert set(EXPECTED[language].items()) <= added
    assert len({mutant.source for mutant in made}) == len(made)
    for mutant in made:
        assert apply_changes(SOURCES[language], mutant.changes) == mutant.source


def test_what_a_header_of_ours_has_is_not_the_solutions():
    made = list(write_mutants(asked("cuda"), CUDA))
    below = list(write_mutants(asked("cuda"), f"#include <mma.h>\n{CUDA}"))
    assert [mutant.rule for mutant in below] == [mutant.rule for mutant in made]


def test_an_argument_that_is_not_used_makes_no_mutant():
    unused = CUDA.replace(" * scale", "")
    changed = {line for m in write_mutants(asked("cuda"), unused) for line in m.diff}
    assert "+{ n = 64;" in changed
    assert "+{ scale = 2.5;" not in changed


@pytest.mark.parametrize("language", EXPECTED)
def test_a_survivor_shows_which_input_is_missing(language):
    """A wider `confirm` and another value kill what the listed shapes do not."""
    few, more = asked(language), replace(asked(language), confirm=({"n": (66_000, 67_000)},))
    more = replace(
        more,
        arguments=(
            few.arguments[0],
            replace(few.arguments[1], value="1 + n % 7"),
            *few.arguments[2:],
        ),
    )
    mutants = [
        m
        for m in write_mutants(few, SOURCES[language])
        if m.rule in ("argument", "extent", "narrow")
    ]
    expected, wider = ReferenceOutputs(few), ReferenceOutputs(more)
    alive = [m for m in mutants if not find_failure(few, m.source, expected)]
    assert {"argument", "extent", "narrow"} <= {m.rule for m in alive}
    assert {find_failure(more, m.source, wider) for m in alive} <= {"result", OUTSIDE}


@pytest.mark.parametrize("language", EXPECTED)
def test_a_size_beyond_a_stated_bound_makes_no_mutant(language):
    bounded = replace(asked(language), bounded={"n": 64})
    made = write_mutants(bounded, SOURCES[language])
    assert not [m for m in made if m.rule in ("extent", "narrow")]


SAME = {
    "python": """\
    for step in (16, 8):
        if s > top:
            top = s
    d = 1
    while d < 16:
        d *= 2
    if t % 32 == 0:
        part[t // 32] = top
""",
    "cuda": """\
    for (int step = 16; step > 0; step /= 2)
        if (s > top)
            top = s;
    for (int d = 1; d < 16; d *= 2)
        s += d;
    if (t % 32 == 0)
        part[t / 32] = top;
""",
}
DIFFERENT = {
    "python": {
        "    for step in (15, 8):", "    for step in (16, 7):", "        if True:", "    d = 2",
        "    while d < 8:", "        d *= 3", "    if True:", "        part[t // 33] = top",
    },
    "cuda": {
        "    for (int step = 8; step > 0; step /= 2)", "        if (true)",
        "    for (int step = 16; step > 0; step /= 3)", "    for (int d = 2; d < 16; d *= 2)",
        "    for (int d = 1; d < 8; d *= 2)", "    for (int d = 1; d < 16; d *= 3)",
        "    if (true)", "        part[t / 33] = top;",
    },
}  # fmt: skip


@pytest.mark.parametrize("language", SAME)
def test_what_could_not_be_told_is_not_mutated(language):
    """Steps of 17, 8, … reach all lanes, any lane may be elected, 31 is as 32 for first lanes."""
    source = SOURCES[language]
    at = source.index("    part[t] = s")
    longer = source[:at] + SAME[language] + source[at:]
    made = [
        m
        for m in write_mutants(asked(language), longer)
        if m.rule in ("constant", "compare", "drop")
    ]
    lines = range(source[:at].count("\n") + 1, longer[: at + len(SAME[language])].count("\n") + 1)
    added = [line[1:] for m in made if m.line in lines for line in m.diff if line[0] == "+"]
    assert sorted(added) == sorted(DIFFERENT[language])
