"""Functions that a script makes in unusual ways: with `exec`, with `lambda`; and `cuda.reduce`."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from grader.simt import Refused
from grader.simt.host.generated import remember_texts
from grader.simt.host.library import cuda_module
from grader.simt.host.session import ScriptSession

cuda = cuda_module(ScriptSession())


class TestTexts:
    def test_a_kernel_made_with_exec(self):
        remember_texts()
        for factor in (2, 3):  # twice the same names in the same place of a text
            space = {"cuda": cuda}
            lines = ("", "def scaled(a):", "    i = cuda.grid(1)", f"    a[i] = i * {factor}")
            exec("\n".join(lines), space)
            out = np.zeros(32)
            cuda.jit(space["scaled"])[1, 32](out)
            np.testing.assert_array_equal(out, np.arange(32) * factor)

    def test_lambdas_of_one_line(self):
        one, other = cuda.jit(lambda x: x + 1, device=True), cuda.jit(lambda x: x * 5)

        @cuda.jit
        def both(a):
            a[0] = one(a[0])
            a[1] = other(a[1])

        out = np.array([10, 10])
        both[1, 1](out)
        assert out.tolist() == [11, 50]

    @pytest.mark.parametrize("name", ["add", "mul", "truediv", "lt", "iadd", "and_"])
    def test_functions_of_the_module_operator(self, name):
        function = getattr(operator, name)

        @cuda.jit
        def applied(a, x, y):
            a[0] = function(x, y)

        out = np.zeros(1)
        applied[1, 1](out, 6, 4)
        assert out[0] == function(6, 4)


class TestReduce:
    @pytest.mark.parametrize("size", [1, 2, 16, 1000, 70000])
    def test_a_sum(self, size):
        values = np.arange(size, dtype=np.float64)
        add = cuda.Reduce(lambda a, b: a + b)
        assert add(values) == add(cuda.to_device(values)) == values.sum()
        assert add(values, init=3) == values.sum() + 3
        assert add(values, size=size // 2) == values[: size // 2].sum()

    def test_a_maximum_that_stays_on_the_device(self):
        @cuda.reduce
        def most(a, b):
            return max(a, b)

        result = cuda.to_device(np.zeros(2, np.int32))
        assert most(np.array([3, 8, 5], np.int32), res=result) is None
        assert result.copy_to_host().tolist() == [8, 0]
        assert most(np.zeros(0, np.float32), init=2) == 2

    def test_one_axis(self):
        with pytest.raises(TypeError, match="1D"):
            cuda.Reduce(lambda a, b: a + b)(np.zeros((2, 2)))


@cuda.jit
def ones(a):
    a[cuda.grid(1)] = 1


class TestLaunches:
    @pytest.mark.parametrize(
        ("grid", "block", "error", "message"),
        [
            ((1, 2, 3, 4), 1, ValueError, r"griddim must be .* got \[1, 2, 3, 4\]"),
            (1, (1, 2, 3, 4), ValueError, "blockdim must be a sequence of 1, 2 or 3"),
            (2.0, 3, TypeError, r"griddim must be a sequence of integers, got \[2.0\]"),
        ],
    )
    def test_sizes(self, grid, block, error, message):
        with pytest.raises(error, match=message):
            ones[grid, block]

    def test_no_tasks_are_no_launch(self):
        out = np.zeros(1)
        ones.forall(0)(out)
        assert out[0] == 0
        with pytest.raises(ValueError, match="negative task count"):
            ones.forall(-1)

    def test_the_signature_that_needs_the_fewest_conversions(self):
        @cuda.jit(["(float64[:], float32)", "(float64[:], float64)"])
        def keep(a, x):
            a[0] = x

        out = np.zeros(1)
        keep[1, 1](out, 0.1)
        assert out[0] == 0.1
        keep[1, 1](out, np.float32(0.1))
        assert out[0] == np.float32(0.1)
        with pytest.raises(TypeError, match="No matching definition: no signature of keep"):
            keep[1, 1](out, 1j)

    def test_what_is_compiled_cannot_be_looked_at(self):
        with pytest.raises(AttributeError, match=r"not-emulated.*inspect_asm"):
            ones.inspect_asm()

    def test_extensions_change_arguments(self):
        class Twice:
            def prepare_args(self, kind, value, **_options):
                return kind, value * 2

        @cuda.jit(extensions=[Twice()])
        def keep(a, x):
            a[0] = x

        out = cuda.mapped_array(1)
        keep.extensions.append(Twice())
        with pytest.raises(TypeError):
            keep[1, 1](object(), 3)
        keep.extensions.clear()
        keep[1, 1](out, 3)
        assert out[0] == 3


def test_arrays_like_others_lie_like_them():
    rows = cuda.device_array((4, 6))
    columns = cuda.device_array((4, 6), order="F")
    for like in (cuda.device_array_like, cuda.pinned_array_like, cuda.mapped_array_like):
        assert like(rows).strides == rows.strides
        assert like(columns).flags["F_CONTIGUOUS"]
        assert like(rows[::2, ::2]).strides == (24, 8)


def test_a_function_of_numpys_goes_by_its_name_in_any_variable():
    total, largest = np.sum, np.nanmax

    @cuda.jit
    def sums(a):
        a[0] = total(a)

    @cuda.jit
    def picks(a):
        a[0] = largest(a)

    out = np.ones(3)
    sums[1, 1](out)
    assert out[0] == 3
    with pytest.raises(Refused, match=r"python\.not-emulated \(name=np\.nanmax\)"):
        picks[1, 1](out)
