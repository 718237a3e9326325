"""Streams: what nothing orders is found, and no right use of them is blamed."""

from __future__ import annotations

import copy
import inspect

import numpy as np
import pytest

from grader.simt.host.library import cuda_module
from grader.simt.host.session import ScriptSession
from grader.simt.host.streams import TIMELINE, stream_of

SESSION = ScriptSession()
cuda = cuda_module(SESSION)
N = 64


@cuda.jit
def add(a, v):
    i = cuda.grid(1)
    a[i] += v


@cuda.jit
def double(a, out, first, count):
    i = cuda.grid(1)
    if i < count:
        out[first + i] = 2 * a[first + i]


@cuda.jit
def count_up(a):
    cuda.atomic.add(a, 0, 1)


@pytest.fixture(autouse=True)
def _fresh():
    SESSION.launches.clear()
    TIMELINE.restart(SESSION.report_unordered)


def told() -> list[tuple[str, int]]:
    """Topic and count of each finding about streams."""
    found = [one for launch in SESSION.launches for one in launch["findings"]]
    return [(one["topic"], one["count"]) for one in found if one["kind"] == "stream-race"]


def two():
    return cuda.stream(), cuda.stream()


def ones():
    return cuda.to_device(np.ones(N))


def pinned():
    found = cuda.pinned_array(N)
    found[:] = 1
    return found


def test_two_streams_that_write_one_array():
    one, other = two()
    a = ones()
    add[1, N, one](a, 1.0)
    add[1, N, other](a, 2.0)
    line = inspect.currentframe().f_lineno - 1
    assert told() == [("streams", N)]
    (found,) = SESSION.launches[-1]["findings"]
    assert (found["line"], found["other_line"], found["array"]) == (line, line - 1, "a")


def test_one_that_writes_what_the_other_reads():
    one, other = two()
    a, b, c = ones(), ones(), ones()
    double[1, N, one](a, b, 0, N)
    double[1, N, other](b, c, 0, N)
    assert told() == [("streams", N)]


def test_a_copy_in_a_stream_and_a_kernel_in_another():
    one, other = two()
    a, h = ones(), pinned()
    a.copy_to_device(h, stream=one)
    add[1, N, other](a, 1.0)
    assert told() == [("streams", N)]


def test_only_the_elements_that_both_touch_count():
    one, other = two()
    a, b = ones(), cuda.device_array(N)
    double[1, 32, one](a, b, 0, 32)
    double[1, 32, other](a, b, 32, 32)
    add[1, 32, one](b[:32], 1.0)
    add[1, 32, other](b[32:], 1.0)
    assert told() == []
    double[1, 32, other](a, b, 30, 32)
    assert told() == [("streams", 2)] * 2, "with both kernels of the first stream"


def ordered_by_event(one, other, a):
    add[1, N, one](a, 1.0)
    event = cuda.event()
    event.record(one)
    event.wait(other)
    add[1, N, other](a, 1.0)


def ordered_by_the_host(one, other, a):
    add[1, N, one](a, 1.0)
    one.synchronize()
    add[1, N, other](a, 1.0)


def ordered_by_an_event_that_the_host_waits_for(one, other, a):
    add[1, N, one](a, 1.0)
    event = cuda.event()
    event.record(one)
    event.synchronize()
    add[1, N, other](a, 1.0)


def ordered_by_all(one, other, a):
    add[1, N, one](a, 1.0)
    cuda.synchronize()
    add[1, N, other](a, 1.0)


def ordered_by_the_default_stream(one, other, a):
    """Streams that `cuda.stream()` makes wait for it."""
    add[1, N, one](a, 1.0)
    add[1, N](a, 1.0)
    add[1, N, other](a, 1.0)


def ordered_by_a_copy(one, other, a):
    add[1, N, one](a, 1.0)
    a.copy_to_host()
    add[1, N, other](a, 1.0)


def ordered_by_the_block_of_a_stream(one, other, a):
    with one.auto_synchronize():
        add[1, N, one](a, 1.0)
    add[1, N, other](a, 1.0)


def ordered_by_being_one(one, _other, a):
    add[1, N, one](a, 1.0)
    add[1, N, one](a, 1.0)


def ordered_by_a_third(one, other, a):
    third, event = cuda.stream(), cuda.event()
    add[1, N, one](a, 1.0)
    event.record(one)
    event.wait(third)
    last = cuda.event()
    last.record(third)
    last.wait(other)
    add[1, N, other](a, 1.0)


@pytest.mark.parametrize(
    "work", [one for name, one in sorted(globals().items()) if name.startswith("ordered_by")]
)
def test_what_is_ordered_is_not_blamed(work):
    a = ones()
    work(*two(), a)
    assert told() == []
    a.copy_to_host()


def test_an_event_orders_what_came_before_it_alone():
    one, other = two()
    a, event = ones(), cuda.event()
    event.record(one)
    add[1, N, one](a, 1.0)
    event.wait(other)
    add[1, N, other](a, 1.0)
    assert told() == [("streams", N)]


def test_two_that_read_and_two_that_add_atomically():
    one, other = two()
    a, b, c = ones(), ones(), ones()
    double[1, N, one](a, b, 0, N)
    double[1, N, other](a, c, 0, N)
    count_up[1, N, one](a)  # of its own stream; the other one has read it
    assert told() == [("streams", 1)]
    SESSION.launches.clear()
    cuda.synchronize()
    count_up[1, N, one](a)
    count_up[1, N, other](a)
    assert told() == []


READS = {
    "sum": lambda h: h.sum(),
    "element": lambda h: h[3],
    "arithmetic": lambda h: h + 1,
    "comparison": lambda h: (h == 1).all(),
    "function": np.median,
    "several": lambda h: np.concatenate([h, h]),
    "testing": lambda h: np.testing.assert_array_equal(h, h.shape[0] * [3.0]),
    "print": str,
    "loop": list,
    "copy": lambda h: h.copy(),
    "slice": lambda h: h[2:9].mean(),
    "write": lambda h: h.__setitem__(0, 1),
    "in place": lambda h: np.add(h, 1, out=h),
}


@pytest.mark.parametrize("read", READS)
def test_the_host_reads_before_the_copy_has_ended(read):
    (stream, _), h = two(), pinned()
    a = cuda.to_device(h, stream=stream)
    add[1, N, stream](a, 2.0)
    a.copy_to_host(h, stream=stream)
    assert h.shape == (N,)
    assert told() == []
    READS[read](h)
    assert told()
    assert {topic for topic, _ in told()} == {"host"}


@pytest.mark.parametrize("read", READS)
def test_the_host_waits_and_then_reads(read):
    (stream, other), h = two(), pinned()
    a = cuda.to_device(h, stream=stream)
    add[1, N, stream](a, 2.0)
    a.copy_to_host(h, stream=stream)
    event = cuda.event()
    event.record(stream)
    event.wait(other)
    other.synchronize()
    READS[read](h)
    assert told() == []


def test_the_source_of_a_copy_may_be_read_and_not_written():
    (stream, _), h = two(), pinned()
    a = cuda.to_device(h, stream=stream)
    assert h.sum() == N
    add[1, N, stream](a, 1.0)
    assert told() == []
    h[:] = 0
    assert told() == [("host", N)]


def test_other_memory_of_the_host_is_waited_for():
    """A copy into pageable memory returns when it is done, though a stream is given."""
    stream, _ = two()
    a, h = cuda.to_device(np.ones(N), stream=stream), np.zeros(N)
    add[1, N, stream](a, 1.0)
    assert a.copy_to_host(h, stream=stream).sum() == 2 * N
    assert a.copy_to_host(stream=stream).sum() == 2 * N
    add[1, N, stream](h, 1.0)
    assert h.sum() == 3 * N
    assert told() == []


def test_another_part_of_pinned_memory_may_be_used():
    (stream, _), h = two(), pinned()
    a = ones()
    add[1, N, stream](a, 0.0)
    a[:32].copy_to_host(h[:32], stream=stream)
    assert h[32:].sum() == 32
    assert told() == []
    assert h[31:].sum() == 33
    assert told() == [("host", 1)]


def test_pinned_memory_is_an_array_as_others_are():
    h = pinned()
    assert isinstance(h, np.ndarray)
    assert (h + h).tolist() == [2.0] * N
    assert type(h + 1) is np.ndarray
    assert h.reshape(8, 8).T[0].sum() == 8
    h *= 3
    h[h > 2] = 5
    assert (h.mean(), h.max(), h.argmax(), float(h[0]), 5 in h) == (5, 5, 0, 5.0, True)
    assert copy.copy(h).tolist() == h.tolist()
    assert np.zeros_like(h).sum() == 0
    h.fill(2)
    assert np.dot(h, h) == 4 * N
    assert [*np.split(h, 2)[0]] == [2.0] * 32
    assert told() == []


def test_a_stream_goes_by_its_pointer():
    assert int(cuda.default_stream()) == 0
    stream = cuda.stream()
    assert stream_of(int(stream)) == stream
    assert stream_of(0) == cuda.default_stream()


def test_an_operation_stands_for_those_before_it_that_touch_the_same():
    one, other = two()
    a, b = ones(), ones()
    for _ in range(20):
        double[1, N, one](a, b, 0, 32)
        double[1, N, other](a, b, 32, 32)
    assert (told(), len(TIMELINE._log)) == ([], 2)
    add[1, N, other](b, 1.0)
    assert told() == [("streams", 32)]
