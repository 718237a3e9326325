"""`quiz profile --ptx` of scripts with kernels for Numba, which numba-cuda compiles."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

from quizapp.domain.errors import FINDINGS, OK, SCRIPT

pytestmark = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs the extra `compile`")

HEAD = "import math\nimport numpy as np\nfrom numba import cuda\nSIZE = 32\n"
ROWS = f"""{HEAD}
@cuda.jit(device=True)
def half(x):
    return x / 2

@cuda.jit
def rows(a, out, n, s):
    i = cuda.grid(1)
    tile = cuda.shared.array(SIZE, "float32")
    tile[cuda.threadIdx.x] = a[i, 0]
    cuda.syncthreads()
    if i < n:
        out[i] = half(tile[31 - cuda.threadIdx.x]) * s + math.sqrt(a[i, 1])

a = np.arange(128, dtype=np.float32).reshape(64, 2)
out = cuda.device_array(64, np.float32)
rows[2, SIZE](cuda.to_device(a), out, 64, 2.0)
right = a[:, 0].reshape(2, 32)[:, ::-1].ravel() + np.sqrt(a[:, 1])
print(np.allclose(out.copy_to_host(), right))
"""
FAULTY = f"""{HEAD}
@cuda.jit("void(float32[:], float32[:])")
def faulty(a, out):
    tile = cuda.shared.array(64, "float32")
    t = cuda.threadIdx.x
    tile[t] = a[t]
    out[t + 1] = tile[63 - t]

faulty[1, 64](np.ones(64, np.float32), np.ones(64, np.float32))
"""
ODD = f"""{HEAD}
NAMED = np.ones(4)
@cuda.jit
def odd(a):
    a[0] = NAMED[1]

for bad in (np.ones(9)[::2], np.ones(9)):
    try:
        odd[1, 1](bad)
    except ValueError as error:
        print(error)
odd[1, 1](np.ones(9))
"""


def check(done, status):
    assert done.returncode == status, done.stdout + done.stderr
    return done


def test_a_kernel_counts_as_compiled_what_it_counts_as_written(quiz, tmp_path):
    (file := tmp_path / "rows.py").write_text(ROWS)
    [written], [compiled] = (
        json.loads(check(quiz("profile", file, *more, "--json"), OK).stdout)["launches"]
        for more in ((), ("--ptx",))
    )
    assert compiled["compiler"].startswith("numba-cuda ")
    alike = ("shared_load_wavefronts", "shared_store_wavefronts", "barriers", "global_load_sectors",
             "global_store_sectors")  # fmt: skip
    assert [written["totals"][each] for each in alike] == [
        compiled["totals"][each] for each in alike
    ]
    by_line = [
        {line["line"] for line in launch["lines"] if "global_load_sectors" in line}
        for launch in (written, compiled)
    ]
    assert by_line == [{14, 17}] * 2
    assert {part["name"] for part in compiled["arguments"]} >= {"a", "out", "n", "s"}
    assert "True\n" in check(quiz("profile", file, "--ptx"), OK).stdout


def test_faults_are_at_their_lines(quiz, tmp_path):
    (tmp_path / "f.py").write_text(FAULTY)
    done = check(quiz("profile", "f.py", "--ptx", "--json"), FINDINGS)
    [launch] = json.loads(done.stdout)["launches"]
    found = {(each["kind"], each["line"], each.get("other_line")) for each in launch["findings"]}
    assert found == {("race", 11, 10), ("out-of-bounds", 11, None)}


def test_what_is_not_compiled_says_why(quiz, tmp_path):
    (tmp_path / "o.py").write_text(ODD)
    done = check(quiz("profile", "o.py", "--ptx"), SCRIPT)
    assert "with --ptx, the array `a` has to be contiguous" in done.stdout
    assert "cannot be compiled apart from its script: NAMED is not a number" in done.stderr
    assert done.stderr.count("without --ptx, its source is run") == 1
