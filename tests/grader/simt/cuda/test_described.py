"""A launch of a C++ kernel is described in the terms of its source: files, elements, language."""

from __future__ import annotations

import numpy as np
import pytest

from grader.facts import Fact
from grader.simt import InvalidLaunch, Refused, launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

HEADER = "\n__device__ float half_of(float x) {\n    return x / 2;\n}\n"
SOURCE = """#include "half.h"
namespace ours {
template <int N> __global__ void kernel(float *a) {
    __shared__ float s[2][N];
    s[threadIdx.x & 1][0] = threadIdx.x;
    a[0] = half_of(a[threadIdx.x]) + N;
    a[threadIdx.x + 32] = s[1][1];
}
}
"""


def read(name, including):
    return ("half.h", HEADER) if (name, including) == ("half.h", "k.cu") else None


def facts(what):
    yield what
    for value in what.fields.values():
        if isinstance(value, Fact):
            yield from facts(value)


def test_lines_are_those_of_the_kernels_file_and_of_what_it_includes():
    source = read_cuda(SOURCE, path="k.cu", read=read)
    name = source.parsed.parse_name("ours::kernel<16 + 16>")
    ready, _ = lower_kernel(source, "kernel", name.parts[-1].arguments)
    assert (ready.function.name, ready.function.qualified) == ("kernel<32>", "ours::kernel")
    assert (ready.function.path, ready.function.start) == ("k.cu", (3, 34))
    assert ready.program.sources["half.h"][2] == "    return x / 2;"
    done = launch(ready, 1, 64, [np.zeros(128, np.float32)], tell_harmless=True)
    assert {line for line, _ in done.counts} == {5, 6, 7}
    assert {line for line, _ in done.files["half.h"]} == {3}
    inner = [fact for finding in done.findings for fact in facts(finding.what)]
    elements = {(fact.code, fact.fields["element"]) for fact in inner if "element" in fact.fields}
    assert ("finding.race", "s[0][0]") in elements
    assert ("finding.uninitialised-read.shared", "s[1][1]") in elements
    assert "finding.harmless-race" in {fact.code for fact in inner}
    for finding in done.findings:
        assert {fact.fields["language"] for fact in facts(finding.what)} == {"cuda"}


def test_a_kernel_is_found_with_its_namespace_and_a_near_name_is_suggested():
    source = read_cuda(SOURCE, path="k.cu", read=read)
    assert source.find_kernel("ours::kernel") is source.find_kernel("kernel")
    with pytest.raises(InvalidLaunch) as raised:
        source.find_kernel("kernal")
    assert raised.value.instead == Fact("suggest.name", {"name": "kernel"})
    with pytest.raises(Refused):
        source.parsed.parse_name("ours::kernel<16")
    assert source.parsed.parse_name("ours::kernel<N>").parts[-1].identifier == "kernel"
