"""What numba-cuda's own tests ask of arrays, streams, signatures and what kernels capture."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused
from grader.simt.host.library import cuda_module
from grader.simt.host.session import ScriptSession

cuda = cuda_module(ScriptSession())


def rows(order):
    return cuda.to_device(np.arange(6.0).reshape(2, 3, order=order))


class TestArrays:
    def test_only_one_range_of_bytes_is_copied(self):
        with pytest.raises(ValueError, match="non-contiguous buffer"):
            rows("F")[0].copy_to_device(np.zeros(3))
        with pytest.raises(ValueError, match="incompatible strides"):
            rows("F").copy_to_device(rows("C"))
        rows("F").copy_to_device(np.zeros((2, 3)))

    @pytest.mark.parametrize(("order", "asked"), [("C", "C"), ("F", "F"), ("F", "A")])
    def test_elements_that_follow_each_other_are_one_row(self, order, asked):
        assert sorted(rows(order).ravel(asked).copy_to_host()) == [*range(6)]

    @pytest.mark.parametrize(("order", "asked"), [("C", "F"), ("F", "C")])
    def test_others_are_not(self, order, asked):
        with pytest.raises(NotImplementedError):
            rows(order).ravel(asked)

    def test_a_copy_is_always_made(self):
        with pytest.raises(ValueError, match="copy=False"):
            rows("C").__array__(copy=False)

    def test_the_interface_names_the_stream_and_no_memory_where_there_is_none(self):
        stream = cuda.stream()
        given = cuda.device_array(3, stream=stream)
        assert given.__cuda_array_interface__["stream"] == stream.handle
        assert cuda.from_cuda_array_interface(given.__cuda_array_interface__).stream == stream
        empty = cuda.device_array(0).__cuda_array_interface__
        assert (empty["data"][0], empty["stream"]) == (0, None)


class Foreign:
    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def test_a_ufunc_takes_arrays_of_other_libraries():
    doubled = cuda.vectorize(["float64(float64)"])(lambda x: x * 2)
    given = rows("C")
    assert doubled(Foreign(given)).copy_to_host().tolist() == [[0, 2, 4], [6, 8, 10]]


class TestSignatures:
    def test_that_fit_equally_well_are_ambiguous(self):
        @cuda.jit(["void(float32, float64)", "void(float64, float32)"])
        def nothing(x, y):
            pass

        with pytest.raises(TypeError, match="Ambiguous"):
            nothing[1, 1](1.0, 2.0)
        nothing[1, 1](np.float32(1), 2.0)

    def test_that_differ_in_layout_are_two(self):
        @cuda.jit
        def nothing(a):
            pass

        for kind in (cuda.float32[:], cuda.float32[::1], cuda.float32[::1], cuda.int32[::1]):
            nothing.specialize(kind)
        assert len(nothing.specializations) == 3

    @pytest.mark.parametrize(
        "options",
        [{"launch_bounds": (1, 2, 3, 4)}, {"shared_memory_carveout": 101},
         {"shared_memory_carveout": "much"}],
    )  # fmt: skip
    def test_limits_that_cannot_be(self, options):
        with pytest.raises(ValueError, match=r"launch bounds|[Cc]arveout"):
            cuda.jit(**options)


class TestCaptured:
    def test_a_global_array_is_taken_as_it_was_compiled(self):
        table = np.array([1.0, 2.0])

        @cuda.jit
        def copies(out):
            out[0] = table[1]

        out = np.zeros(1)
        copies[1, 1](out)
        table[:] = 7
        copies[1, 1](out)
        assert out[0] == 2

    def test_a_device_array_is_refused_by_name(self):
        table = rows("C")

        @cuda.jit
        def copies(out):
            out[0] = table[0, 0]

        with pytest.raises(Refused, match=r"not-emulated\.captured-array \(name=table\)"):
            copies[1, 1](np.zeros(1))

    def test_a_type_of_half(self):
        kind = cuda.types.float16

        @cuda.jit
        def fills(out):
            part = cuda.shared.array(2, dtype=kind)
            part[0] = 1.5
            out[0] = part[0]

        out = np.zeros(1)
        fills[1, 1](out)
        assert out[0] == 1.5


class TestLanguage:
    def test_an_array_without_axes_is_an_index(self):
        @cuda.jit
        def picks(out, i):
            out[0] = out[i]

        out = np.array([1, 5])
        picks[1, 1](out, np.array(1))
        assert out[0] == 5

    @pytest.mark.parametrize("value", [np.uint8(255), np.uint64(2**64 - 1), np.int32(-1)])
    def test_bits_are_counted(self, value):
        @cuda.jit
        def counts(out, x):
            out[0] = x.bit_count()

        out = np.zeros(1)
        counts[1, 1](out, value)
        assert out[0] == 8 * value.itemsize

    def test_threads_are_printed_as_three_numbers(self, capsys):
        @cuda.jit
        def shows():
            print(cuda.threadIdx)

        shows[1, (2, 1, 1)]()
        assert capsys.readouterr().out == "(0, 0, 0)\n(1, 0, 0)\n"

    @pytest.mark.parametrize(("mask", "holds"), [(1.5, 1), (1, 1.5)])
    def test_votes_are_of_integers(self, mask, holds):
        @cuda.jit
        def votes(out, m, x):
            out[0] = cuda.all_sync(m, x)

        with pytest.raises(Refused, match="no-overload"):
            votes[1, 32](np.zeros(1), mask, holds)
