"""`@vectorize` and `@guvectorize` for CUDA, against NumPy's ufuncs and Numba's on the CPU."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.simt.errors import NotTyped, Refused
from grader.simt.host.arrays import EmulatedArray
from grader.simt.host.decorators.gufuncs import parse_layout
from grader.simt.host.library import cuda_module
from grader.simt.host.session import ScriptSession
from tests.grader.simt.tools import module

SESSION = ScriptSession()
cuda = cuda_module(SESSION)
SIGNATURES = ["float32(float32, float32)", "float64(float64, float64)", "(int32, int32)"]


def blend(a, b):
    return a * 2 + b / 4


def root(a):
    return math.sqrt(a) if a > 0 else a


@pytest.fixture(autouse=True)
def launches():
    SESSION.launches.clear()
    return SESSION.launches


class TestVectorize:
    @pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
    @pytest.mark.parametrize("shape", [(40,), (5, 7), (2, 3, 4)])
    def test_values_are_those_of_numba(self, dtype, shape):
        random = np.random.default_rng(1)
        a, b = (random.integers(-9, 9, shape).astype(dtype) for _ in range(2))
        ours = cuda.vectorize(SIGNATURES)(blend)
        given = ["float32(float32, float32)", "float64(float64, float64)", "float64(int32, int32)"]
        theirs = module("numba").vectorize(given)(blend)
        found = ours(a, b)
        wanted = theirs(a, b)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-6)

    def test_shapes_are_broadcast_and_numbers_are_converted(self):
        ufunc = cuda.vectorize(SIGNATURES[:1])(blend)
        a, b = np.ones((4, 1), np.float32), np.arange(6, dtype=np.float32)
        np.testing.assert_array_equal(ufunc(a, b), 2 + np.broadcast_to(b, (4, 6)) / 4)
        np.testing.assert_array_equal(ufunc(a, 4), np.full((4, 1), 3))
        assert ufunc(1, 4).tolist() == [3]
        with pytest.raises(ValueError, match="broadcast"):
            ufunc(b, b[:4])

    def test_a_result_stays_where_the_operands_are(self):
        ufunc = cuda.vectorize(SIGNATURES)(blend)
        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        device = cuda.to_device(a)
        made = ufunc(device, a)
        assert isinstance(made, EmulatedArray)
        np.testing.assert_array_equal(made.copy_to_host(), blend(a, a))
        row = cuda.to_device(np.ones(3, np.float32))
        np.testing.assert_array_equal(ufunc(device, row).copy_to_host(), blend(a, np.float32(1)))

    def test_out_takes_the_result(self):
        ufunc = cuda.vectorize(SIGNATURES)(blend)
        a = np.arange(8, dtype=np.float64)
        host, device = np.zeros(8), cuda.device_array(8)
        assert ufunc(a, a, out=host) is host
        ufunc(a, a, out=device)
        np.testing.assert_array_equal(host, blend(a, a))
        np.testing.assert_array_equal(device.copy_to_host(), blend(a, a))
        with pytest.raises(ValueError, match="must be of shape"):
            ufunc(a, a, out=np.zeros(7))

    def test_a_signature_takes_its_own_dtypes_only(self):
        ufunc = cuda.vectorize(SIGNATURES)(blend)
        with pytest.raises(TypeError, match="No matching version"):
            ufunc(np.zeros(3, np.int64), np.zeros(3, np.int64))
        with pytest.raises(TypeError, match="ambiguous"):
            ufunc(np.float16(1), np.float16(2))
        with pytest.raises(TypeError, match="No matching version"):  # as with Numba
            cuda.vectorize(blend)(np.zeros(3), np.zeros(3))

    def test_its_result_is_converted_and_its_types_must_fit(self):
        assert cuda.vectorize("int32(float64)")(root)(np.array([20.0])).tolist() == [4]
        with pytest.raises(NotTyped):
            cuda.vectorize(["(float64,)"])(lambda a: a << 1)
        with pytest.raises(KeyError, match="does not support option"):
            cuda.vectorize(SIGNATURES, fastmath=True)(blend)

    @pytest.mark.parametrize("count", [1, 2, 7, 16, 37])
    def test_reduce(self, count):
        total = cuda.vectorize(["int64(int64, int64)"])(lambda a, b: a + b)
        assert total.reduce(np.arange(count)) == count * (count - 1) // 2
        assert total.reduce(cuda.to_device(np.arange(count))) == count * (count - 1) // 2

    def test_an_empty_array_cannot_be_reduced(self):
        with pytest.raises(TypeError, match="empty"):
            cuda.vectorize(["int64(int64, int64)"])(blend).reduce(np.zeros(0, np.int64))

    def test_the_report_shows_the_function_itself(self, launches):
        cuda.vectorize(SIGNATURES)(blend)(np.ones(64, np.float32), np.ones(64, np.float32))
        (launch,) = launches
        assert (launch["kernel"], launch["file"]) == ("blend", __file__)
        line = blend.__code__.co_firstlineno
        by_line = {row["line"] for row in launch["lines"]}
        assert by_line == {line, line + 1}
        assert not [one for one in launch["findings"] if one["kind"] != "warning"]


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def scale(a, factor, out):
    for i in range(a.shape[0]):
        out[i] = a[i] * factor


def both(a, low, high):
    low[0] = a - 1
    high[0] = a + 1


MATMUL = ["void(float64[:,:], float64[:,:], float64[:,:])"]


class TestGUVectorize:
    def test_many_small_products(self):
        random = np.random.default_rng(2)
        a, b = random.random((3, 5, 4, 2)), random.random((3, 5, 2, 6))
        gufunc = cuda.guvectorize(MATMUL, "(m,n),(n,p)->(m,p)")(product)
        np.testing.assert_allclose(gufunc(a, b), a @ b)
        np.testing.assert_allclose(gufunc(a[0, 0], b[0, 0]), a[0, 0] @ b[0, 0])

    def test_an_operand_for_all_threads(self):
        kinds = ["void(float64[:], float64, float64[:])"]
        gufunc = cuda.guvectorize(kinds, "(n),()->(n)")(scale)
        theirs = module("numba").guvectorize(kinds, "(n),()->(n)")(scale)
        a = np.random.default_rng(3).random((7, 4))
        for factor in (2.0, np.arange(7.0)):
            np.testing.assert_array_equal(gufunc(a, factor), theirs(a, factor))
        np.testing.assert_array_equal(gufunc(a[0], np.arange(3.0)), theirs(a[0], np.arange(3.0)))

    def test_several_results_and_arrays_on_the_device(self):
        kinds = ["void(float32, float32[:], float32[:])"]
        gufunc = cuda.guvectorize(kinds, "()->(),()")(both)
        low, high = gufunc(np.arange(4, dtype=np.float32))
        assert (low.tolist(), high.tolist()) == ([-1, 0, 1, 2], [1, 2, 3, 4])
        made, _ = gufunc(cuda.to_device(np.arange(4, dtype=np.float32)))
        assert isinstance(made, EmulatedArray)

    def test_out_by_name_and_by_position(self):
        gufunc = cuda.guvectorize(MATMUL, "(m,n),(n,p)->(m,p)")(product)
        a, out, device = np.eye(3)[None], np.zeros((1, 3, 3)), cuda.device_array((1, 3, 3))
        assert gufunc(a, 2 * a, out=out) is out
        gufunc(a, 2 * a, device)
        assert (out == 2 * a).all()
        assert (device.copy_to_host() == 2 * a).all()
        with pytest.raises(ValueError, match="both positional and keyword"):
            gufunc(a, a, out, out=out)
        with pytest.raises(ValueError, match="output shape mismatch"):
            gufunc(a, a, out=np.zeros((1, 3, 2)))

    def test_an_operand_of_another_dtype_is_converted(self):
        gufunc = cuda.guvectorize(
            ["void(float32[:,:], float32[:,:], float32[:,:])"], "(m,n),(n,p)->(m,p)"
        )(product)
        assert gufunc(np.eye(2), 3 * np.eye(2)).dtype == np.float32

    @pytest.mark.parametrize(
        ("call", "what"),
        [
            (lambda f: f(np.eye(3)), "accepts 2 positional arguments"),
            (lambda f: f(np.ones(3), np.eye(3)), "insufficient inner dimension"),
            (lambda f: f(np.eye(3), np.eye(4)), "mismatch argument"),
            (lambda f: f(np.ones((2, 3, 3)), np.ones((4, 3, 3))), "outer dimension mismatch"),
        ],
    )
    def test_what_does_not_fit(self, call, what):
        gufunc = cuda.guvectorize(MATMUL, "(m,n),(n,p)->(m,p)")(product)
        with pytest.raises((TypeError, ValueError), match=what):
            call(gufunc)

    def test_a_kernel_cannot_call_it(self):
        gufunc = cuda.guvectorize(MATMUL, "(m,n),(n,p)->(m,p)")(product)

        @cuda.jit
        def kernel(a):
            gufunc(a, a, a)

        with pytest.raises(Refused):
            kernel[1, 1](np.eye(2))

    def test_layouts(self):
        assert parse_layout(" (m, n),(n ),() -> (m),()").outputs == (("m",), ())
        with pytest.raises(NameError, match="undefined output symbols: p"):
            parse_layout("(m)->(p)")
        for text in ("(m", "m->(m)", "(m)", "(m)->(m)x"):
            with pytest.raises(ValueError, match="bad token"):
                parse_layout(text)

    def test_what_numba_refuses_is_refused(self):
        with pytest.raises(TypeError, match="cannot return values"):
            cuda.guvectorize(
                [module("numba").types.int32(module("numba").types.int32[:])], "(n)->(n)"
            )(scale)
        with pytest.raises(TypeError, match="not supported"):
            cuda.guvectorize(MATMUL, "(m,n),(n,p)->(m,p)", fastmath=True)(product)
        with pytest.raises(TypeError, match="caching"):
            cuda.guvectorize(MATMUL, "(m,n),(n,p)->(m,p)", cache=True)(product)
