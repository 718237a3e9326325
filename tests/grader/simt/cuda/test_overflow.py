"""Signed overflow: found where it happens, and only looked for where bounds do not exclude it."""

from __future__ import annotations

from random import Random
from unittest.mock import Mock, patch

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.program import unproven
from grader.simt.program.nodes import Operate
from grader.simt.program.walking import walk_block
from tests.grader.simt.cuda.unsigned_wraps import HEAD, MISTAKES, ON_PURPOSE, TAIL

SOURCE = """
__device__ int twice(int x) {{ return x + x; }}
__device__ int factorial(int x) {{ return x ? x * factorial(x - 1) : 1; }}
__global__ void k(int *o, const int *in, int n, long long far) {{
    int t = threadIdx.x;
    {}
}}
"""
BLOCKS, THREADS = 4, 64
FAULTY = {
    "o[t] = t * 70000 * 70000;": ("*", 63),
    "o[t] = in[t] + 2147483600;": ("+", 16),
    "o[t] = -2147483600 - in[t];": ("-", 15),
    "int x = -2147483647 - 1 + (t >> 6); o[t] = -x;": ("neg", 64),
    "int x = -2147483647 - 1 + t; o[t] = x / (in[0] - 1);": ("/", 1),
    "int x = -2147483647 - 1 + t; o[t] = x % (in[0] - 1);": ("%", 1),
    "o[t] = 3 << (t & 31);": ("<<", 2),
    "int i = t * 100000; o[i * i / 1000000000000LL] = 1;": ("*", 63),
    "o[(t * 100000) * 100000 - (t * 100000) * 100000] = 1;": ("*", 63),
    "long long x = far * 1000; o[t] = x;": ("*", 64),
    "int s = 0; for (int i = 0; i < n; i++) s += 40000000 + in[i]; o[t] = s;": ("+", 64),
    "o[t] = twice(t << 25);": ("+", 32),
    "int x = 2147483647; if (t == 5) x++; o[t] = x;": ("+", 1),
    "o[t] = factorial(t % 16 / 15 * 14);": ("*", 2 * 4),
    # Its unsigned sum gets into an index, and wraps.
    "o[(t << 25) * 64 + threadIdx.x] = 1;": ("*", 63),
    "unsigned at = (t << 25) * 64 + threadIdx.x; o[at] = 1;": ("*", 63),
}
PROVEN = {
    "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = i * i;",
    "for (int i = t; i < n; i += blockDim.x) o[i] = i * 33 + 7;",
    "for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (t < s) o[t] = o[t + s]; __syncthreads(); }",
    "for (int s = 1; s < blockDim.x; s *= 2) { if (t >= s) o[t - s] = s; __syncthreads(); }",
    "int l = 0, h = n; while (l < h) { int m = (l + h) / 2; if (m < t) l = m + 1; else h = m; }",
    "int row = t / 8, col = t % 8; if (row + 1 < 8 && col + 1 < 8) o[(row + 1) * 8 + col + 1] = 1;",
    "o[t] = (in[t] & 255) * (in[t] & 255); o[t] = (unsigned char)in[t] << 8;",
    "o[t] = twice(min(max(in[t], 0), 1000)); o[t] = in[t] * 1u; o[t] = far + t;",
    "if (t + n < 100) o[t + n - n] = t ? n - t : t - n; o[t] = 1 << 31; o[t] = ~in[t] >> 1;",
}
CHECKED = "int s = 0; for (int i = 0; i < n; i++) s += in[i]; o[t] = s;"


def run(body):
    """Launch a kernel; return its findings, and how many operations were looked at."""
    kernel, _ = lower_kernel(read_cuda(SOURCE.format(body)), "k")
    given = [np.zeros(256, np.int32), np.arange(256, dtype=np.int32), np.int32(64)]
    done = launch(kernel, BLOCKS, THREADS, [*given, np.int64(2**62)], budget=10**10)
    (checked,) = kernel.program.unproven.known.values() if kernel.program.unproven else ((),)
    found = [each for each in done.findings if each.kind == "overflow"]
    return found, len(checked)


@pytest.mark.parametrize("body", FAULTY)
def test_an_overflow_is_found_at_its_line(body):
    operator, count = FAULTY[body]
    first, *_ = run(body)[0]
    fields = first.what.fields
    shown = fields.get("operator", "neg")
    if shown in "+-*":
        exact = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[shown]
        bits = 64 if fields["dtype"] == "int64" else 32
        assert (exact(fields["left"], fields["right"]) - fields["wrapped"]) % (1 << bits) == 0
    line = 2 if "twice" in body else 3 if "factorial" in body else 6
    assert (first.line, shown) == (line, operator)
    assert first.count == BLOCKS * count


@pytest.mark.parametrize("body", sorted(PROVEN))
def test_bounds_exclude_an_overflow_before_the_launch(body):
    assert run(body) == ([], 0)


def test_a_sum_of_data_is_looked_at():
    assert run(CHECKED) == ([], 1)


@pytest.mark.parametrize(("count", "found"), [(31, 0), (32, 1), (-1, 1)])
def test_a_shift_by_the_width_of_the_type_is_found(count, found):
    body = f"int by = {count}; o[t] = in[t] >> by; o[t] = 1u << (n - 64 + by);"
    assert [each.what.code for each in run(body)[0]] == ["finding.shift-count"] * 2 * found


class Drawn:
    """Draws a kernel on integers, in which some operations overflow."""

    def __init__(self, seed):
        self.random = Random(seed)

    def value(self, depth):
        pick = self.random.choice
        if not depth or self.random.random() < 0.2:
            numbers = ("1", "7", "255", "65536", "2147483647", "(-2147483647 - 1)")
            return pick(("t", "a", "b", "n", "(int)blockIdx.x", pick(numbers)))
        left, right = self.value(depth - 1), self.value(depth - 1)
        match pick("ooooomtdscxu"):
            case "o":
                return f"({left} {pick(('+', '-', '*'))} {right})"
            case "m":
                return f"{pick(('min', 'max'))}({left}, {right})"
            case "t":
                return f"({left} < {right} ? {left} : {right})"
            case "d":
                return f"({left} {pick('/%')} (({right}) | 1))"
            case "s":
                return f"({left} {pick(('<<', '>>'))} ({right} & {pick((3, 31, 63))}))"
            case "c":
                return f"(int)({pick(('short', 'unsigned char', 'long long'))}){left}"
            case "x":
                return f"({left} {pick('&|^')} {right})"
        return f"(-{left})"

    def statement(self, depth):
        pick = self.random.choice
        kind = pick("aaifw") if depth else "a"
        name = pick("ab")
        if kind == "a":
            return f"{name} {pick(('=', '=', '+=', '-='))} {self.value(2)};"
        body = " ".join(self.statement(depth - 1) for _ in range(2))
        if kind == "i":
            return (
                f"if ({self.value(1)} {pick(('<', '>=', '==', '!='))} {self.value(1)}) {{ {body} }}"
            )
        i = f"i{depth}"
        if kind == "f":
            return f"for (int {i} = 0; {i} < {pick((2, 5))}; {i}++) {{ {body} b += {i}; }}"
        return f"{{ int {i} = 9; while ({i} > 0) {{ {body} {i} -= 4; if (a > t) break; }} }}"

    def source(self):
        return (
            "int a = t, b = 3; " + " ".join(self.statement(2) for _ in range(3)) + " o[t] = a + b;"
        )


def test_what_bounds_exclude_does_not_happen():
    """With every operation looked at, a kernel has an overflow if and only if it has without."""
    seen = {True: 0, False: 0}
    saved = 0
    for seed in range(70):
        body = Drawn(seed).source()
        found, checked = run(body)
        kernel, _ = lower_kernel(read_cuda(SOURCE.format(body)), "k")
        nodes = walk_block(kernel.compiled.lowered.body)
        every = frozenset(id(node) for node in nodes if isinstance(node, Operate) and node.site)
        with patch.object(unproven, "find_unproven", lambda *_, every=every: every):
            given = [np.zeros(256, np.int32), np.arange(256, dtype=np.int32), np.int32(64)]
            done = launch(kernel, BLOCKS, THREADS, [*given, np.int64(2**62)], budget=10**10)
        wanted = any(each.kind == "overflow" for each in done.findings)
        assert wanted == bool(found), body
        seen[wanted] += 1
        saved += len(every) - checked
    assert min(seen.values()) > 10
    assert saved > 200


GROWING = "int i = blockIdx.x * blockDim.x + t; if (i < n) o[i] = i * {};"


@pytest.mark.parametrize(("factor", "analyses"), [(3, 2), (1 << 22, 5)])
def test_launches_within_wider_bounds_need_no_analysis(factor, analyses):
    """If as much is proven there: a product that only the first launches keep small is not."""
    kernel, _ = lower_kernel(read_cuda(SOURCE.format(GROWING.format(factor))), "k")
    given = [np.zeros(256, np.int32), np.zeros(256, np.int32)]
    counted = Mock(wraps=unproven.find_unproven)
    with patch.object(unproven, "find_unproven", counted):
        for blocks, n in ((4, 1000), (2, 2000), (1, 1500), (3, 700)):
            done = launch(kernel, blocks, THREADS, [*given, np.int32(n), np.int64(0)])
            assert not done.findings
    assert counted.call_count == analyses


def test_a_launch_beyond_wider_bounds_is_analyzed():
    """Of four launches the last one overflows; the bounds of those before it do not say so."""
    kernel, _ = lower_kernel(read_cuda(SOURCE.format("o[t] = (n + t) * 100000;")), "k")
    given = [np.zeros(256, np.int32), np.zeros(256, np.int32)]
    counts = [
        sum(each.count for each in launch(kernel, 1, THREADS, [*given, n, np.int64(0)]).findings)
        for n in map(np.int32, (1000, 500, 2000, 21450))
    ]
    assert counts == [0, 0, 0, 64 - (2**31 - 1) // 100000 + 21450 - 1]


def find_wraps(body):
    """Launch a kernel; return where an index is said to wrap, and where one should be."""
    source = HEAD + body + TAIL
    kernel, _ = lower_kernel(read_cuda(source), "k")
    given = [np.zeros(256, np.int32), np.arange(256, dtype=np.int32)]
    done = launch(kernel, 1, 64, [*given, *map(np.uint32, (256, 1 << 16, 1 << 31))])
    marked = [at for at, line in enumerate(source.splitlines(), 1) if "/*here*/" in line]
    return [each.line for each in done.findings if each.topic == "unsigned wrap"], marked


@pytest.mark.parametrize("body", MISTAKES)
def test_an_index_that_wraps_before_it_is_widened_is_found_at_its_line(body):
    found, marked = find_wraps(body)
    assert found == marked


@pytest.mark.parametrize("body", ON_PURPOSE)
def test_what_wraps_on_purpose_is_not_blamed(body):
    assert find_wraps(body)[0] == []
