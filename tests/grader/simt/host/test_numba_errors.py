"""The errors and warnings that scripts name where Numba is absent are those that Numba has."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from grader.simt.host.library import cuda_module, numba_module
from grader.simt.host.numba_names.numba_errors import ERRORS
from grader.simt.host.session import ScriptSession
from tests.grader.simt.tools import module


def exceptions(of: ModuleType) -> dict[str, type[BaseException]]:
    named = {name: getattr(of, name) for name in dir(of)}
    kinds = {name: one for name, one in named.items() if isinstance(one, type)}
    return {name: one for name, one in kinds.items() if issubclass(one, BaseException)}


def test_names_and_bases_are_numba_s():
    theirs = exceptions(module("numba.core.errors"))
    bases = {name: [one.__name__ for one in kind.__mro__] for name, kind in theirs.items()}
    assert {n: [one.__name__ for one in k.__mro__] for n, k in ERRORS.items()} == bases


def test_numba_and_its_core_have_them():
    numba = numba_module()
    assert exceptions(numba) == exceptions(numba.core.errors) == ERRORS
    assert numba.core.errors.TypingError is numba.TypingError


def test_any_setting_can_be_made():
    numba = numba_module()
    assert numba.config.CUDA_LOW_OCCUPANCY_WARNINGS == 0
    numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 1
    assert numba.config.CUDA_LOW_OCCUPANCY_WARNINGS == 1
    with pytest.raises(AttributeError):
        numba.config.reload  # noqa: B018 - the access is the test


def test_an_error_of_typing_is_caught_by_the_stand_in_s_name():
    cuda = cuda_module(ScriptSession())

    @cuda.jit
    def kernel(a):
        a[0] = a.shape << 0.5

    with pytest.raises(ERRORS["TypingError"], match=r":\d+:\d+: "):
        kernel[1, 1](np.zeros(1))
