"""What threads raise and print: seen on the host, errors only with `debug=True`."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused
from grader.simt.host.library import cuda_module
from grader.simt.host.numba_names.signatures import signatures
from grader.simt.host.session import ScriptSession

cuda = cuda_module(ScriptSession())


class Mine(Exception):
    pass


def picky(out, x):
    i = cuda.grid(1)
    if i == 35 and x == 1:
        raise Mine
    if i == 35 and x == 2:
        raise ValueError("no", 5)
    out[i] = 7


def divides(out, x):
    out[0] = 5 // x[0]


def looks(out, x):
    out[0] = out.shape[x[0]]


def asserts(out, x):
    assert x[0] > 1, "too small"
    out[0] = 1


def prints_an_array(x):
    print(x)


def prints_a_complex_number(x):
    print(x[0] * 1j)


def prints_with_keywords(x):
    print(1, x[0], sep="-")


class TestErrors:
    def test_without_debug_the_thread_is_gone(self):
        out = np.zeros(64)
        cuda.jit(picky)[2, 32](out, 1)
        assert out[35] == 0
        assert out.sum() == 63 * 7

    def test_with_debug_the_host_raises_it(self):
        out = np.zeros(64)
        kernel = cuda.jit(debug=True, opt=False)(picky)
        with pytest.raises(Mine, match=r"function 'picky', file .*, line \d+, tid=\[3, 0, 0\] ct"):
            kernel[2, 32](out, 1)
        assert out.sum() == 0  # nothing is copied back
        with pytest.raises(ValueError, match=r"ctaid=\[1, 0, 0\]: no") as raised:
            kernel[2, 32](out, 2)
        assert raised.value.args[1:] == (5,)
        kernel[2, 32](out, 3)
        assert out.sum() == 64 * 7

    @pytest.mark.parametrize(
        ("function", "value", "error"),
        [
            (divides, 0, ZeroDivisionError),
            (looks, 1, IndexError),
            (looks, -2, IndexError),
            (asserts, 0, AssertionError),
        ],
    )
    def test_what_raises_without_a_raise(self, function, value, error):
        out, given = np.zeros(3), np.array([value])
        with pytest.raises(error):
            cuda.jit(debug=True)(function)[1, 1](out, given)
        cuda.jit(function)[1, 1](out, given)

    def test_with_fastmath_a_division_raises_nothing(self):
        kernel = cuda.jit(debug=True, fastmath=True)(divides)
        kernel[1, 1](np.zeros(3), np.array([0]))
        kernel.specialize(np.zeros(3), np.zeros(1))[1, 1](np.zeros(3), np.array([0]))

    def test_in_a_device_function(self):
        @cuda.jit(device=True, debug=True, opt=False)
        def fail(x):
            if x > 0:
                raise Mine

        @cuda.jit(debug=True, opt=False)
        def calls(out):
            fail(cuda.grid(1))

        with pytest.raises(Mine):
            calls[1, 2](np.zeros(1))


class TestPrint:
    def test_a_line_a_thread(self, capsys):
        @cuda.jit
        def shows(x):
            i = cuda.grid(1)
            if i != 1:
                print(i, "of", x[0], 34.75)
            print()

        shows[1, 3](np.array([3], np.uint8))
        assert capsys.readouterr().out == "0 of 3 34.750000\n2 of 3 34.750000\n\n\n\n"

    @pytest.mark.parametrize(
        ("kernel", "code"),
        [
            (prints_an_array, "print-type"),
            (prints_a_complex_number, "print-type"),
            (prints_with_keywords, "print-keywords"),
        ],
    )
    def test_what_cannot_be_printed(self, kernel, code):
        with pytest.raises(Refused, match=rf"simt\.{code}"):
            cuda.jit(kernel)[1, 1](np.zeros(1))


class TestSignatures:
    @pytest.mark.parametrize("signature", ["int32(int32, int32)", ["int32(int32, int32)"]])
    def test_of_a_device_function_numbers_are_converted(self, signature):
        @cuda.jit(signature, device=True)
        def bits(a, b):
            return (a & 255) + b * 0.5

        @cuda.jit
        def calls(out, x):
            out[0] = bits(x[0], 3)

        out = np.zeros(1)
        calls[1, 1](out, np.array([300.75], np.float32))
        assert out[0] == 300 % 256 + 1

    def test_the_best_of_several(self):
        @cuda.jit(["int64(int64)", "float64(float64)"], device=True)
        def half(a):
            return a / 2

        @cuda.jit
        def calls(out, x):
            out[0] = half(x[0])
            out[1] = half(int(x[0]))

        out = np.zeros(2)
        calls[1, 1](out, np.array([5.5]))
        assert out.tolist() == [2.75, 2]

    def test_of_types(self):
        wanted = cuda.int32[:], cuda.int32[:]
        kernel = cuda.jit(wanted)(divides)
        assert list(kernel.overloads) == [wanted]
        assert signatures(wanted)[0][0].ndim == 1
        assert kernel.overloads[wanted].max_cooperative_grid_blocks((32, 32)) == 132 * 2

    def test_of_what_was_launched(self):
        @cuda.jit
        def nothing(a, x):
            pass

        for value in (1, 2, 1.5):
            nothing[1, 1](np.zeros(1), value)
        assert len(nothing.overloads) == 2

    def test_a_device_function_is_no_kernel(self):
        with pytest.raises(RuntimeError, match="Cannot compile a device function as a kernel"):
            cuda.jit(divides, device=True)[1, 1](np.zeros(1), np.zeros(1))

    def test_specialised_once(self):
        kernel = cuda.jit(divides)
        one = kernel.specialize(np.zeros(1), np.zeros(1))
        assert kernel.specialize(np.ones(1), np.ones(1)) is one
        with pytest.raises(RuntimeError, match="already specialized"):
            one.specialize(np.zeros(1), np.zeros(1))
