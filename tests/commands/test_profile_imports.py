"""What a script imports: either of Numba's CUDA packages, with real Numba, without it, broken."""

from __future__ import annotations

import pytest

from quizapp.domain.errors import OK
from tests.commands.program import ROOT

KERNEL = """
import numpy as np


@cuda.jit
def fill(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = i


a = np.zeros(40, np.float32)
fill[2, 32](a)
assert a.sum() == 780
print("it is right")
"""
EITHER = {
    "the new one": "from numba_cuda_mlir import cuda\n",
    "its module": "import numba_cuda_mlir.cuda as cuda\n",
    "numba's": "from numba import cuda\n",
    "by attribute": "import numba\ncuda = numba.cuda\n",
    "of numba-cuda": "from numba_cuda.numba import cuda\n",
    "the new one, or numba's": (
        "try:\n    from numba_cuda_mlir import cuda\nexcept ImportError:\n"
        "    from numba import cuda\n"
    ),
    "by search": (
        "from importlib import import_module\nfrom importlib.util import find_spec\n"
        "name = 'numba_cuda_mlir' if find_spec('numba_cuda_mlir') else 'numba'\n"
        "cuda = import_module(name + '.cuda')\n"
    ),
}


EACH = """
import os, runpy, sys

for path in sys.argv[1:]:
    if os.fork() == 0:
        runpy.run_path(path, run_name="__main__")
        sys.exit(0)
    assert os.wait()[1] == 0, path
"""
"""Runs each of the scripts that it is given in a fork, which has imported nothing of Numba yet."""


@pytest.fixture
def profiled(quiz, tmp_path):
    def call(text, *arguments, **options):
        path = tmp_path / "script.py"
        path.write_text(text, encoding="utf-8")
        options = {"PYTHONPATH": str(ROOT), **options}  # a start of its own
        return quiz("profile", path, "--", *arguments, **options)

    return call


@pytest.fixture
def either(tmp_path):
    """A script for each way to import either package."""
    scripts = [tmp_path / f"{how.replace(' ', '-')}.py" for how in EITHER]
    for path, imports in zip(scripts, EITHER.values(), strict=True):
        path.write_text(imports + KERNEL, encoding="utf-8")
    return scripts


@pytest.fixture
def without_numba(tmp_path):
    """A search path on which importing Numba fails as it does with a NumPy that is too new."""
    package = tmp_path / "absent" / "numba"
    package.mkdir(parents=True)
    said = "raise ImportError('Numba needs NumPy 2.4 or less. Got NumPy 2.5.')\n"
    (package / "__init__.py").write_text(f"from numba import parts\n{said}")
    (package / "parts.py").write_text("")
    return f"{package.parent}:{ROOT}"


def test_either_package_is_the_stand_in(profiled, either):
    done = profiled(EACH, *either)
    assert (done.stderr, done.returncode) == ("", OK)
    assert done.stdout.count("it is right") == len(either)
    assert done.stdout.count("fill  grid 2, block 32") == len(either)


def test_both_are_one_and_their_parts_can_be_imported(profiled):
    done = profiled(
        "from numba import cuda\nimport numba.cuda as same\n"
        "from numba_cuda_mlir import cuda as other, errors, types\n"
        "from numba_cuda_mlir.cuda import shared_array, ldcg, local\n"
        "from numba_cuda_mlir.numba_cuda.core.errors import TypingError\n"
        "from numba.cuda.cudadrv.driver import CudaAPIError\n"
        "from numba.cuda.cudadrv import devicearray, error\n"
        "import numba.cuda.cudadrv.error, numba.cuda.types, numba.cuda.fp16\n"
        "import numba_cuda_mlir.cuda.experimental.intrin as intrin\n"
        "assert cuda is same is other\n"
        "assert cuda.cudadrv.error is error and issubclass(CudaAPIError, error.CudaDriverError)\n"
        "assert errors.TypingError is TypingError\n"
        "assert (types.i8.dtype, types.f32.dtype, cuda.i8.dtype) == ('int8', 'float32', 'int64')\n"
        + KERNEL
        + "try:\n    fill[1, 1](a, a)\nexcept ValueError:\n    pass\n"
        "@cuda.jit\ndef bad(a):\n    a[0] = a + a\n"
        "try:\n    bad[1, 1](a)\nexcept TypingError:\n    print('caught')\n"
    )
    assert (done.stderr, done.returncode) == ("", OK)
    assert "caught" in done.stdout


def test_numba_is_imported_only_where_the_script_imports_it(profiled):
    done = profiled(
        "from numba_cuda_mlir import cuda\nimport sys\n"
        + KERNEL
        + "assert 'numba' not in sys.modules\n"
    )
    assert (done.stderr, done.returncode) == ("", OK)


def test_all_but_the_cuda_part_stays_numba_s(profiled):
    done = profiled(
        "import numba\nfrom numba import cuda, jit, vectorize\n"
        + KERNEL
        + "@vectorize(['float64(float64)'])\ndef twice(x):\n    return x * 2\n"
        "@jit\ndef more(x):\n    return x + 1\n"
        "assert twice(a).sum() == 1560\n"
        "assert more(3) == more.py_func(3) == 4 and more.signatures\n"
        "assert numba.__spec__.loader.get_source('numba')\n"
    )
    assert (done.stderr, done.returncode) == ("", OK)


def test_where_numba_cannot_be_imported_a_script_that_needs_cuda_alone_runs(
    profiled, either, without_numba
):
    done = profiled(EACH, *either, PYTHONPATH=without_numba)
    assert (done.stderr, done.returncode) == ("", OK)
    assert done.stdout.count("it is right") == len(either)


def test_what_needs_numba_says_why_there_is_none(profiled, without_numba):
    text = "from numba import cuda, vectorize\n" + KERNEL + "vectorize('f')\n"
    done = profiled(text, PYTHONPATH=without_numba)
    assert "numba.vectorize needs Numba, which cannot be imported: Numba needs" in done.stderr
    assert "pip install --upgrade numba" in done.stderr
