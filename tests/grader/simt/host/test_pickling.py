"""Kernels that are pickled: by name where a module has them, otherwise with Numba's cloudpickle."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest

from grader.simt.host.decorators.kernels import Dispatcher
from grader.simt.host.library import cuda_module
from grader.simt.host.session import ScriptSession

cuda = cuda_module(ScriptSession())


@cuda.jit
def named(a):
    a[0] += 1


def make(step):
    @cuda.jit("void(int64[:])", debug=True, opt=False)
    def local(a):
        a[0] += step

    return local


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def test_a_kernel_of_a_module_is_the_same_one():
    assert again(named) is named


def test_a_launch_configuration_keeps_its_sizes():
    configured = again(named[5, (8, 2)])
    assert (configured.griddim, configured.blockdim) == ((5, 1, 1), (8, 2, 1))
    given = np.zeros(1, np.int64)
    again(named[1, 1])(given)
    assert given[0] == 1


def test_a_local_kernel_keeps_its_closure_and_its_options(monkeypatch):
    pytest.importorskip("numba.cloudpickle")
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)
    copied = again(again(make(3)))
    assert isinstance(copied, Dispatcher)
    assert copied.debug
    given = np.zeros(1, np.int64)
    copied[1, 1](given)
    assert given[0] == 3


def test_a_ufunc_keeps_its_signatures(monkeypatch):
    pytest.importorskip("numba.cloudpickle")
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)
    doubled = again(cuda.vectorize(["int64(int64)", "float64(float64)"])(lambda x: x * 2))
    assert doubled(np.arange(3)).tolist() == [0, 2, 4]
    assert doubled(np.arange(3)).dtype == np.int64


def test_without_numba_it_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba.cloudpickle", None)
    with pytest.raises(NotImplementedError, match=r"not-emulated\.pickle"):
        pickle.dumps(make(3))
