"""Types that do not fit: said where Numba says it, as an error that catches Numba's too."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import NotTyped, Refused
from grader.simt.host.library import cuda_module
from grader.simt.host.session import ScriptSession
from tests.grader.simt.tools import module

cuda = cuda_module(ScriptSession())


def shifts(out, x):
    out[0] = x << 2.5


def lists(out, x):
    out[0] = [x][0]


def contains(out, x):
    out[0] = x in out


class TestWhere:
    @pytest.mark.parametrize(("kernel", "why"), [(shifts, "no-overload"), (lists, "no-lists")])
    def test_with_a_signature_at_the_decorator(self, kernel, why):
        with pytest.raises(NotTyped, match=why):
            cuda.jit("void(float64[:], int32)")(kernel)

    def test_without_one_at_the_launch(self):
        kernel = cuda.jit(shifts)
        with pytest.raises(NotTyped, match="no-overload"):
            kernel[1, 1](np.zeros(1), 3)

    def test_what_the_emulator_alone_refuses_is_said_at_the_launch(self):
        kernel = cuda.jit("void(float64[:], int32)")(contains)
        with pytest.raises(Refused, match="no-in") as caught:
            kernel[1, 1](np.zeros(1), 3)
        assert not isinstance(caught.value, module("numba.core.errors").TypingError)

    def test_a_signature_with_types_that_are_not_known_is_left_for_the_launch(self):
        cuda.jit("void(float64[:], mine)")(shifts)


def test_numbas_own_error_catches_it():
    errors = module("numba.core.errors")
    with pytest.raises(errors.TypingError, match=r":14: simt.no-overload") as caught:
        cuda.jit("void(float64[:], int32)")(shifts)
    assert isinstance(caught.value, NotTyped)
    assert caught.value.line > 1


@pytest.mark.parametrize("thing", [cuda.to_device(np.zeros(1)), cuda.get_current_device()])
def test_what_is_missing_of_a_device_has_its_name(thing):
    with pytest.raises(AttributeError, match=r"not-emulated.of-device.*get_ipc_handle"):
        thing.get_ipc_handle()
