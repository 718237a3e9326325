"""What may stand at the top of a text with kernels: read as Python means it, and never executed."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused, launch

KERNEL = "\ndef k(out):\n    out[cuda.grid(1)] = {}\n"


def written(top: str, value: str) -> np.float64:
    out = np.zeros(1)
    launch(top + KERNEL.format(value), 1, 1, [out])
    return out[0]


@pytest.mark.parametrize(
    ("top", "value", "expected"),
    [
        ("N = 3", "N", 3),
        ("A, B = 4, 5", "10 * A + B", 45),
        ("(A, B), C = (1, 2), 3", "100 * A + 10 * B + C", 123),
        ("import numpy as np\nZ = np.float32(0.5)", "Z", 0.5),
        ("from numba import float32\nZ = float32(1) / 3", "Z", np.float32(1) / 3),
        ("from numba import int8\nZ = int8(-7)", "Z", -7),
        ("import math\nZ = -math.inf", "Z", -np.inf),
        ("import math as m\nZ = 2 * m.pi", "Z", 2 * np.pi),
        ("import numpy as np\nZ = np.float32(-np.inf)", "Z", -np.inf),
        ("import numpy as np\nN = np.iinfo(np.int32).min", "N", -(2**31)),
        ("import numpy as np\nN = np.finfo(np.float32).max", "N", np.finfo(np.float32).max),
        ("N = max(33, 32) + min(2, 1) + int(2.5) + abs(-1)", "N", 37),
        ("import math\nN = int(math.log2(8)) + math.ceil(0.5)", "N", 4),
        ("N = 1\nif __name__ == '__main__':\n    print(N)", "N", 1),
    ],
)
def test_constants_are_worked_out(top, value, expected):
    assert written(top, value) == expected


@pytest.mark.parametrize(
    ("top", "what", "column"),
    [
        ("A, B = 1, 2, 3", "simt.top-level-assignment", 1),
        ("from numba import int8\nA = int8(300)", "value=300, dtype=int8", 5),
        ("A = open('x')", "simt.not-constant", 5),
        ("A[0] = 1", "simt.top-level-assignment", 1),
        ("A = 1 << 200", "simt.beyond-64-bits", 5),
        ("A = 1 // 0", "simt.no-value", 5),
        ("if True:\n    A = 1", r"simt.top-level$", 1),
        ("A = max()", "simt.no-value", 5),
        ("import numpy as np\nA = np.iinfo(np.float32).max", "simt.no-limits", 5),
        ("import numpy as np\nA = np.zeros(3)", "simt.not-constant", 5),
        ("import os", "simt.no-module .module=os", 1),
    ],
)
def test_what_is_no_constant_is_refused_with_its_place(top, what, column):
    with pytest.raises(Refused, match=what) as refused:
        written(top, "1")
    assert refused.value.column == column


@pytest.mark.parametrize(
    "imported",
    [
        "from numba_cuda_mlir import cuda",
        "import numba_cuda_mlir.cuda as cuda",
        (
            "try:\n    from numba_cuda_mlir import cuda\n"
            "except ImportError:\n    from numba import cuda"
        ),
    ],
)
def test_either_of_numba_s_packages_can_be_imported(imported):
    text = f"{imported}\n\n\n@cuda.jit\ndef fill(out):\n    out[cuda.grid(1)] = cuda.i4(7.5)\n"
    out = np.zeros(32)
    launch(text, 1, 32, [out])
    assert out.sum() == 7 * 32
