"""Streams of programs in CUDA C++: what nothing orders is found, and no right use is blamed."""

from __future__ import annotations

import json
import platform
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


@pytest.mark.parametrize("name", ["ordered.cu", "host_ordered.cu", "graph_ordered.cu"])
def test_what_events_the_host_and_the_default_stream_order_is_not_blamed(quiz, name):
    assert _findings(quiz, name, OK) == []


def _marked(name, pattern):
    lines = enumerate((DATA / name).read_text().splitlines(), 1)
    found = ((at, re.search(rf"// {pattern}$", line)) for at, line in lines)
    return {(at, *mark.groups()) for at, mark in found if mark}


needs_lines = pytest.mark.skipif(
    not shutil.which("addr2line"), reason="no addr2line, which tells a copy's line"
)


@needs_lines
def test_what_nothing_orders_is_found_between_kernels_copies_sets_and_graphs(quiz):
    found = {
        (each["line"], *(str(each["what"]["fields"][name]) for name in ("stream", "other")))
        for each in _findings(quiz, "unordered.cu", FINDINGS)
        if each["kind"] == "stream-race"
    }
    assert found == _marked("unordered.cu", r"(\d) (\d)")


@needs_lines
def test_what_the_host_touches_beside_copies_sets_and_kernels_is_found(quiz):
    found = [
        (each["line"], each["what"]["fields"]["operation"]["code"].removeprefix("operation."))
        for each in _findings(quiz, "host_unordered.cu", FINDINGS)
    ]
    assert len(found) == 10
    assert set(found) == _marked("host_unordered.cu", "(copy|set|kernel)")


@needs_lines
def test_branches_of_a_graph_that_no_edge_orders_race(quiz):
    found = {
        (each["line"], each["what"]["fields"]["earlier"]["code"].removeprefix("operation."))
        for each in _findings(quiz, "graph_unordered.cu", FINDINGS)
    }
    assert found == _marked("graph_unordered.cu", "(copy|set|kernel)")


ONE_PAGE = """\
#include <cstdio>
const int N = 64;
__global__ void odd(float *a, int n) { a[2 * threadIdx.x + 1] += n; }
int main() {
    float *p, *d, sum = 0;
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMallocHost(&p, 2 * N * sizeof(float));
    cudaMalloc(&d, N * sizeof(float));
    cudaMemset(d, 0, N * sizeof(float));
    for (int i = 0; i < N; ++i) p[N + i] = 1;
    odd<<<1, N / 2, 0, s>>>(p + N, 1);
    cudaMemcpyAsync(p, d, N * sizeof(float), cudaMemcpyDeviceToHost, t);
    for (int i = 0; i < N; i += 2) sum += p[N + i];
    p[N + 8] = 4;
    cudaStreamSynchronize(t);
    for (int i = 0; i < N; ++i) sum += p[i];
    sum += p[N + 9]; // here
    printf("%g\\n", sum);
}
"""


@needs_lines
@pytest.mark.skipif(
    platform.system() != "Linux" or platform.machine() != "x86_64",
    reason="a page is not opened for single instructions",
)
def test_what_the_host_may_touch_of_a_page_opens_nothing_else_of_it(quiz):
    (quiz.folder / "program.cu").write_text(ONE_PAGE)
    done = quiz("profile", "program.cu", "--json")
    assert (done.returncode, done.stderr) == (FINDINGS, "34\n")
    (found,) = json.loads(done.stdout)["launches"][0]["findings"]
    lines = ONE_PAGE.splitlines()
    assert lines[found["line"] - 1].endswith("// here")
    assert found["what"]["fields"]["array"] == "a"
