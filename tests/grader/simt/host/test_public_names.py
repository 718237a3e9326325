"""Every public name of Numba's two CUDA packages is there, or is refused with advice.

`tests/data/cuda_names.json` has the names; `tests.grader.simt.record_names` writes it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.simt import Refused, launch
from grader.simt.host import library
from grader.simt.host.library import cuda_module
from grader.simt.host.numba_names.names import NotEmulated, RefusedName
from grader.simt.host.session import ScriptSession
from grader.simt.numba.reading.paths import MLIR
from tests.sentences import english

RECORD = json.loads((Path(__file__).parents[3] / "data" / "cuda_names.json").read_text())
NUMBERS = ("Integer", "Float", "Boolean", "Complex")
"""The kinds of a type of numbers."""
INTERNAL = ("c_", "np_", "py_")
"""What Numba calls the types of C, NumPy and Python in its own code."""
PACKAGES = {"numba-cuda": "numba_cuda", "numba-cuda-mlir": "numba_cuda_mlir"}


@pytest.fixture(scope="module")
def packages():
    """Both packages, as a script has them that has imported both."""
    cuda = cuda_module(ScriptSession())
    found = {"numba.cuda": cuda, **library._packages(cuda)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, MLIR, found[MLIR])
        yield found


def module_of(packages, name):
    if name.startswith("numba.cuda"):
        return attribute(packages["numba.cuda"], name.split(".")[2:])
    root, *parts = name.split(".")
    return attribute(packages[root], parts)


def attribute(found, parts):
    for part in parts:
        found = getattr(found, part)
    return found


CASES = [
    (module, name, kind)
    for package in RECORD.values()
    for module, names in package["modules"].items()
    if not module.endswith("types")
    for name, kind in names.items()
]


def test_the_record_has_both_packages_whole():
    assert {name: RECORD[package]["version"] for package, name in PACKAGES.items()} == (
        library.VERSIONS
    )
    assert len(RECORD["numba-cuda"]["modules"]["numba.cuda"]) > 300
    assert len(RECORD["numba-cuda-mlir"]["modules"]["numba_cuda_mlir.cuda"]) > 300


def test_every_name_is_there_or_is_refused_with_advice(packages):
    for module, name, _ in CASES:
        found = getattr(module_of(packages, module), name)
        if isinstance(found, RefusedName):
            with pytest.raises(NotEmulated) as refused:
                found("x")
            what, _, advice = english(refused.value).partition("; ")
            assert what.endswith("is not emulated"), (module, name)
            assert advice, (module, name)


def test_a_kernel_refuses_the_same_names_with_the_same_advice(packages):
    for module, name, _ in CASES:
        found = getattr(module_of(packages, module), name)
        if isinstance(found, RefusedName):
            with pytest.raises(NotEmulated) as of_host:
                found()
            with pytest.raises(Refused) as of_kernel:
                launch(f"def kernel(a):\n    {found.__simt_path__}(a[0])\n", 1, 1, [np.ones(1)])
            assert english(of_kernel.value) == english(of_host.value), (module, name)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("cuda.threadidx.x", "cuda.threadIdx"),
        ("cuda.threadIdx.Y", "cuda.threadIdx.y"),
        ("cuda.Grid(1)", "cuda.grid"),
        ("cuda.atomic.addd(a, 0, 1)", "cuda.atomic.add"),
        ("cuda.atomic_add(a, 0, 1)", "cuda.atomic.add"),
        ("cuda.foo(a)", ""),
    ],
)
def test_a_name_that_numba_lacks_does_not_exist(written, meant):
    with pytest.raises(Refused) as refused:
        launch(f"def kernel(a):\n    b = {written}\n", 1, 1, [np.ones(1)])
    said, _, advice = english(refused.value).partition("; ")
    assert said.endswith(" does not exist")
    assert advice == (f"did you mean '{meant}'?" if meant else "")


@pytest.mark.parametrize("module", ["numba.cuda", "numba.cuda.types", "numba_cuda_mlir.types"])
def test_types_of_numbers_have_the_size_that_numba_gives_them(packages, module):
    package = "numba-cuda-mlir" if module.startswith("numba_cuda_mlir") else "numba-cuda"
    for name, kind in RECORD[package]["modules"][module].items():
        if kind.partition(" ")[0] in NUMBERS and not name.startswith(INTERNAL):
            found = getattr(module_of(packages, module), name)
            if not isinstance(found, RefusedName):
                assert found.dtype.name == kind.partition(" ")[2], name


def test_a_name_that_one_package_has_is_there_where_that_is_imported(packages, monkeypatch):
    assert packages["numba.cuda"].shared_array
    monkeypatch.delitem(sys.modules, MLIR)
    assert not hasattr(packages["numba.cuda"], "shared_array")


def test_a_name_that_neither_package_has_is_not_there(packages):
    assert not hasattr(packages["numba.cuda"], "nothing")
    assert not hasattr(packages["numba_cuda_mlir"], "nothing")
    assert not hasattr(packages["numba_cuda_mlir"].types, "nothing")


def test_a_refused_class_says_so_when_it_is_derived_from(packages):
    with pytest.raises(NotEmulated, match="BaseCUDAMemoryManager"):

        class _Manager(packages["numba.cuda"].BaseCUDAMemoryManager):
            pass
