"""Memory of programs in CUDA C++: what a call, a kernel, or the host does wrong with it is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT

pytestmark = [
    pytest.mark.skipif(
        not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="no C++ compiler"
    ),
    pytest.mark.skipif(not shutil.which("addr2line"), reason="no addr2line, which tells a line"),
]
_KERNEL = """\
#include <cstdio>
#include <cstdlib>
const int N = 64, BYTES = N * sizeof(float);
__global__ void add(float *a, float by) { a[threadIdx.x] += by; }
int main() {
    float *h = (float *)calloc(N, 4), *d, *p;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&p, BYTES);
"""
CALLS = """\
    cudaMemcpy(h, h, BYTES, cudaMemcpyHostToDevice); // failure.target-of-host
    cudaMemcpy(d, h, BYTES, cudaMemcpyDeviceToDevice); // failure.source-of-host
    cudaMemcpy(d, h, 2 * BYTES, cudaMemcpyHostToDevice); // failure.beyond
    cudaMemset(d + 1, 0, BYTES); // failure.beyond
    cudaMemset(h, 0, BYTES); // failure.no-allocation
    cudaFree(h); // failure.no-allocation
    cudaFree(d + 1); // failure.inside
    cudaFree(p); // failure.freed-otherwise
    cudaMemset(d, 0, BYTES);
    add<<<1, N>>>(d, 1);
    cudaFree(d);
    cudaFree(d); // failure.freed
    cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost); // failure.freed
}
"""
FREED = """\
    cudaFree(d); // freed
    add<<<1, N>>>(d, 1);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
"""


def _line(text, mark):
    lines = (_KERNEL + text).splitlines()
    return next(at for at, line in enumerate(lines, 1) if line.endswith(f"// {mark}"))


def _run(quiz, text):
    (quiz.folder / "program.cu").write_text(_KERNEL + text)
    done = quiz("profile", "program.cu", "--json")
    launches = json.loads(done.stdout)["launches"] if done.stdout else []
    return done, [each for launch in launches for each in launch["findings"]]


def test_a_call_that_fails_unnoticed_says_why(quiz):
    done, found = _run(quiz, CALLS)
    assert done.returncode == OK, done.stderr
    lines = enumerate((_KERNEL + CALLS).splitlines(), 1)
    marked = [(at, line.split("// ")[1]) for at, line in lines if "// failure" in line]
    assert sorted((each["line"], each["hint"]["code"]) for each in found) == marked
    hints = [each["hint"] for each in found if each["hint"]["code"] == "failure.beyond"]
    assert [{**hint["fields"]} for hint in sorted(hints, key=str)] == [
        {"asked": 256, "left": 252}, {"asked": 512, "left": 256}
    ]  # fmt: skip


def test_a_kernel_that_uses_freed_memory_is_told_who_freed_it(quiz):
    done, (found,) = _run(quiz, FREED)
    assert done.returncode == FINDINGS, done.stderr
    assert found["what"]["code"] == "finding.freed-pointer"
    assert found["what"]["fields"]["line"] == _line(FREED, "freed")


ENDS = {
    "a checked call": (
        "if (cudaMemcpy(d, h, 2 * BYTES, cudaMemcpyDefault)) // here\n exit(1);\n}\n",
        "the call asks for 512 bytes, and the allocation has 256 from there on",
    ),
    "device memory": ('printf("%g", d[3]); // here\n}\n', "a pointer to device memory"),
    "a null pointer": ("h = nullptr;\n *(volatile float *)h = 1; // here\n}\n", "a null pointer"),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_ends_a_program_has_its_line(quiz, name):
    text, said = ENDS[name]
    done, _ = _run(quiz, text)
    assert done.returncode == SCRIPT
    place = f"program.cu:{_line(text, 'here')}: "
    assert any(place in line and said in line for line in done.stderr.splitlines()), done.stderr


REGISTERED = """\
    float *q = (float *)malloc(100 * BYTES) + 3, *of_device;
    for (int i = 0; i < N; ++i) q[i] = i;
    cudaHostRegister(q, BYTES, cudaHostRegisterMapped);
    printf("%d\\n", cudaHostRegister(q, BYTES, cudaHostRegisterMapped) != cudaSuccess);
    cudaHostGetDevicePointer(&of_device, q, 0);
    add<<<1, N>>>(of_device, 1);
    add<<<1, N - 1>>>(q + 1, 1);
    cudaDeviceSynchronize();
    printf("%g %g\\n", q[0], q[N - 1]);
    cudaHostUnregister(q);
    q[5] += 2;
    printf("%g\\n", q[5]);
    free(q - 3);
}
"""


def test_kernels_use_registered_memory_of_the_host(quiz):
    done, found = _run(quiz, REGISTERED)
    assert (done.returncode, found) == (OK, []), done.stderr
    assert done.stderr == "1\n1 65\n9\n"


def test_directions_of_copies_are_as_strict_as_on_an_h200(quiz):
    root = Path(__file__).parents[2]
    done = quiz("profile", str(root / "bench/gpu/copy_directions.cu"))
    measured = (root / "tests/data/copy_directions.csv").read_text(encoding="utf-8").split()
    assert len(measured) == 51
    assert set(measured) - set(done.stdout.split()) == set()
