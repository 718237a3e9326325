"""What `numba.cuda` is under `quiz profile`: names, arrays, streams; not its kernels."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt.host.library import cuda_module, numba_module
from grader.simt.host.session import ScriptSession
from tests.sentences import english, expect_error


@pytest.fixture
def session() -> ScriptSession:
    return ScriptSession()


@pytest.fixture
def cuda(session):
    return cuda_module(session)


class TestNames:
    def test_what_kernels_use_is_there_and_refuses_the_host(self, cuda):
        for name in ("grid", "syncthreads", "shared.array", "atomic.add", "const.array_like"):
            found = cuda
            for part in name.split("."):
                found = getattr(found, part)
            with pytest.raises(TypeError, match=rf"kernel-only.*cuda\.{name}"):
                found(1)

    @pytest.mark.parametrize("name", ["lanemask", "shared.arrays"])
    def test_what_does_not_exist_is_named(self, cuda, name):
        first, _, second = name.partition(".")
        with pytest.raises(AttributeError, match=rf"no-such-name.*numba\.cuda\.{name}"):
            getattr(getattr(cuda, first), second)

    @pytest.mark.parametrize("name", ["compile_ptx", "declare_device"])
    def test_what_is_refused_says_what_to_write(self, cuda, name):
        with pytest.raises(NotImplementedError) as refused:
            getattr(cuda, name)(None)
        said = english(refused.value)
        assert said == f"cuda.{name} is not emulated; write a kernel with cuda.jit"

    def test_numba_where_it_is_absent(self):
        numba = numba_module()
        assert numba.float32(1.5).dtype == np.float32
        assert numba.int32[:, :].ndim == 2
        assert numba.njit(fastmath=True)(len) is len
        with expect_error(NotImplementedError, r"numba\.vectorize needs Numba.*pip install numba"):
            numba.vectorize("f")
        with pytest.raises(AttributeError, match=r"numba-absent.*numba\.typed"):
            _ = numba.typed
        broken = numba_module("Numba needs NumPy 2.4 or less")
        with expect_error(NotImplementedError, r"imported: Numba needs NumPy 2\.4 or less"):
            broken.vectorize("f")


class TestArrays:
    def test_to_device_is_a_copy_there_and_back(self, cuda):
        mine = np.arange(6.0).reshape(2, 3)
        there = cuda.to_device(mine)
        mine[0, 0] = 9
        back = there.copy_to_host()
        assert (back == [[0, 1, 2], [3, 4, 5]]).all()
        assert (there.shape, there.size, there.ndim, there.dtype) == ((2, 3), 6, 2, np.float64)
        assert (there.nbytes, there.strides, len(there)) == (48, (24, 8), 2)

    def test_slices_see_the_same_memory(self, cuda):
        there = cuda.to_device(np.arange(8))
        there[2:4] = 7
        there[4:6].copy_to_device(np.array([1, 1]))
        assert there.copy_to_host().tolist() == [0, 1, 7, 7, 1, 1, 6, 7]
        assert there[3] == 7
        assert there.reshape(2, 4).T.shape == (4, 2)

    def test_into_an_array_that_is_given(self, cuda):
        there, mine = cuda.to_device(np.arange(3)), np.zeros(3, dtype=np.int64)
        assert there.copy_to_host(mine) is mine
        assert mine.tolist() == [0, 1, 2]
        with pytest.raises(ValueError, match="incompatible shape"):
            there.copy_to_host(np.zeros(4, dtype=np.int64))
        with pytest.raises(TypeError, match="incompatible dtype"):
            there.copy_to_host(np.zeros(3))

    def test_elements_that_do_not_lie_together_are_refused(self, cuda):
        with pytest.raises(ValueError, match="not-contiguous"):
            cuda.to_device(np.arange(8)[::2])

    @pytest.mark.parametrize("name", ["pinned_array", "mapped_array", "managed_array"])
    def test_memory_of_the_host(self, cuda, name):
        mine = getattr(cuda, name)((2, 2), dtype=np.float32)
        mine[1] = 5
        assert isinstance(mine, np.ndarray)
        assert mine.sum() == 10

    def test_strides_are_refused(self, cuda):
        with pytest.raises(NotImplementedError, match="strides"):
            cuda.device_array(4, strides=(8,))

    def test_a_transpose_is_a_copy_in_row_order(self, cuda):
        given = cuda.to_device(np.arange(6).reshape(2, 3))
        turned = given.T
        assert (turned.shape, turned.strides) == ((3, 2), (16, 8))
        turned[0, 0] = 9
        assert given[0, 0] == 0
        assert given.transpose((0, 1)) is given
        with pytest.raises(ValueError, match="invalid axes"):
            given.transpose((1, 2))
        with pytest.raises(NotImplementedError, match="non-2D"):
            _ = cuda.device_array(3).T

    def test_backwards_it_cannot_be_copied_back(self, cuda):
        with pytest.raises(NotImplementedError, match="negative strides"):
            cuda.to_device(np.arange(3))[::-1].copy_to_host()

    @pytest.mark.parametrize(
        ("dtype", "what"),
        [
            ("U5", "pass the codes of the characters"),
            ("M8[D]", "pass the times as int64"),
        ],
    )
    def test_what_elements_are_not_emulated(self, cuda, dtype, what):
        kernel = cuda.jit(lambda a: a)
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            kernel[1, 1](np.zeros(3, dtype))
        assert what in english(caught.value)


def test_streams_events_and_the_device_answer(cuda):
    stream, begin, end = cuda.stream(), cuda.event(), cuda.event(timing=True)
    begin.record(stream)
    end.record(stream)
    end.synchronize()
    stream.synchronize()
    cuda.synchronize()
    with stream.auto_synchronize(), cuda.pinned(np.zeros(1)), cuda.defer_cleanup():
        pass
    called = []
    stream.add_callback(lambda *given: called.append(given), "told")
    assert called == [(stream, 0, "told")]
    assert cuda.event_elapsed_time(begin, end) >= 0
    assert end.query()
    assert cuda.is_available()
    assert len(cuda.gpus) == 1
    assert cuda.get_current_device().compute_capability == (9, 0)
    assert cuda.get_current_device().MAX_THREADS_PER_BLOCK == 1024
    assert cuda.select_device(0) is cuda.gpus[0]
    cuda.current_context().synchronize()
    free, total = cuda.current_context().get_memory_info()
    assert 0 < free <= total
    with pytest.raises(ValueError, match=r"no-device.*3"):
        cuda.select_device(3)


def test_a_device_prints_as_numba_prints_one():
    cuda = cuda_module(ScriptSession())
    shown = "<CUDA device 0 'b'emulated device''>"
    assert repr(cuda.get_current_device()) == shown
    assert (str(cuda.gpus), repr(list(cuda.gpus))) == (shown, f"[{shown}]")
