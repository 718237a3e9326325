"""Launches through the stand-in: arguments as Numba takes them, and what the host takes back."""

from __future__ import annotations

import contextlib
import sys
from functools import partial

import numpy as np
import pytest

from grader.simt.errors import Refused
from grader.simt.host import runner
from grader.simt.host.library import cuda_module, numba_module
from grader.simt.host.numba_names.signatures import signatures
from grader.simt.host.progress import LaunchTicker
from grader.simt.host.session import ScriptSession
from grader.simt.launches.reports import LaunchProgress
from tests.grader.simt.tools import module

SESSION = ScriptSession()
cuda = cuda_module(SESSION)
numba = numba_module()


@pytest.fixture(autouse=True)
def launches():
    SESSION.launches.clear()
    return SESSION.launches


def faults(launch):
    return [one for one in launch["findings"] if one["kind"] != "warning"]


@cuda.jit
def first_ones(out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = i + 1


@cuda.jit
def beyond_the_end(out, n):
    i = cuda.grid(1)
    out[i] = n


def test_later_launches_take_the_advice_of_the_first_and_arrays_stay_as_they_are(launches):
    for n in (40, 40):
        out = np.zeros(n, dtype=np.int32)
        beyond_the_end[2, 32](out, n)
        assert out.tolist() == [n] * n
    first, second = ([fault["advice"] for fault in faults(each)] for each in launches)
    assert first == second
    assert first[0]["what"]["fields"]["condition"] == "i < n"


class TestArguments:
    def test_an_array_of_the_host_is_copied_there_and_back(self, launches):
        out = np.zeros(64, dtype=np.int32)
        first_ones[2, 32](out, 40)
        assert out.sum() == 40 * 41 // 2
        assert (launches[0]["kernel"], launches[0]["grid"]) == ("first_ones", [2, 1, 1])
        assert launches[0]["totals"]["global_store_requests"] == 2

    def test_one_that_does_not_lie_together_is_refused(self):
        with pytest.raises(ValueError, match="not-contiguous"):
            first_ones[1, 32](np.zeros(64)[::2], 3)

    def test_an_empty_one_and_one_without_axes(self):
        first_ones[1, 32](np.zeros(0), 0)
        cuda.to_device(np.broadcast_to(np.float32(1), (3,)))
        assert cuda.to_device(np.array(5)).copy_to_host() == 5

    def test_one_that_both_sides_see(self):
        out = cuda.mapped_array(8, dtype=np.int32)
        first_ones[1, 32](out, 8)
        assert out.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]

    def test_in_and_out(self, launches):
        mine, kept = np.full(4, -1), np.full(4, -1)
        first_ones[1, 32](cuda.In(kept), 4)
        first_ones[1, 32](cuda.Out(mine), 4)
        assert (mine.tolist(), kept.tolist()) == ([1, 2, 3, 4], [-1] * 4)
        first_ones[1, 32](cuda.Out(mine), 3)
        assert [one["kind"] for one in faults(launches[-1])] == ["never-written"]

    def test_a_slice_of_a_device_array(self):
        there = cuda.to_device(np.zeros(8, dtype=np.int32))
        first_ones[1, 32](there[4:], 4)
        assert there.copy_to_host().tolist() == [0, 0, 0, 0, 1, 2, 3, 4]

    @pytest.mark.parametrize(
        "signature",
        [
            "void(int32[:], int32)",
            "(int32[:], int32)",
            numba.void(numba.int32[:], numba.int32),
            (numba.int32[:], numba.int32),
            ["void(float32[:], int32)", "void(int32[:], int32)"],
        ],
        ids=str,
    )
    def test_numbers_become_what_the_signature_says(self, signature):
        @cuda.jit(signature, fastmath=True)
        def wrapped(out, n):
            out[0] = n

        out = np.zeros(1, dtype=np.int32)
        wrapped[1, 1](out, 2**32 + 7)
        assert out[0] == 7
        with pytest.raises(TypeError, match=r"no signature of wrapped takes \(float64\[:\], int\)"):
            wrapped[1, 1](np.zeros(1), 1)

    def test_a_signature_of_numba_s_own(self):
        theirs = module("numba")
        known = signatures(theirs.void(theirs.float32[:, :], theirs.int8, theirs.boolean[:]))
        assert known == signatures("void(float32[:, :], int8, boolean[:])")
        assert known == signatures((theirs.float32[:, :], theirs.int8, theirs.boolean[:]))
        assert [(one.dtype, one.ndim) for one in known[0]] == [("f4", 2), ("i1", 0), ("?", 1)]

    def test_without_brackets_it_says_what_to_write(self):
        with pytest.raises(ValueError, match=r"write first_ones\[blocks, threads\]"):
            first_ones(np.zeros(1), 1)

    def test_for_so_many_tasks(self, launches):
        out = np.zeros(200, dtype=np.int32)
        first_ones.forall(200)(out, 200)
        assert (launches[0]["grid"], launches[0]["block"]) == ([2, 1, 1], [128, 1, 1])
        assert out[-1] == 200

    def test_the_function_as_python_has_it(self):
        assert first_ones.py_func.__name__ == first_ones.__name__ == "first_ones"


class TestKernels:
    def test_dynamic_shared_memory_and_a_stream(self, launches):
        @cuda.jit
        def turned(a):
            s = cuda.shared.array(0, numba.float32)
            i = cuda.threadIdx.x
            s[i] = a[i]
            cuda.syncthreads()
            a[i] = s[31 - i]

        mine = np.arange(32, dtype=np.float32)
        turned[1, 32, cuda.stream(), 128](mine)
        assert mine[0] == 31
        assert faults(launches[0]) == []

    def test_closures_and_device_functions(self):
        def made(factor):
            @cuda.jit(device=True, inline=True)
            def scaled(value):
                return value * factor

            @cuda.jit
            def kernel(out):
                i = cuda.grid(1)
                out[i] = scaled(i)

            return kernel

        for factor in (2, 3):
            out = np.zeros(4, dtype=np.int64)
            made(factor)[1, 4](out)
            assert out.tolist() == [0, factor, 2 * factor, 3 * factor]

    def test_names_that_were_imported_alone(self):
        grid, position = cuda.grid, cuda.threadIdx

        @cuda.jit
        def kernel(out):
            out[grid(1)] = position.x

        out = np.zeros(4, dtype=np.int64)
        kernel[1, 4](out)
        assert out.tolist() == [0, 1, 2, 3]

    def test_what_is_not_emulated_has_its_line(self):
        @cuda.jit
        def kernel(out):
            out[0] = [1][0]

        line = kernel.py_func.__code__.co_firstlineno + 2
        with pytest.raises(Refused, match=rf":{line}:\d+: .*lists"):
            kernel[1, 1](np.zeros(1))


class TestNeverWritten:
    def test_what_is_taken_back_and_nobody_wrote(self, launches):
        there = cuda.device_array(10, dtype=np.int32)
        first_ones[1, 32](there, 7)
        there.copy_to_host().sum()
        there.copy_to_host()
        [found] = faults(launches[0])
        assert (found["kind"], found["count"], found["index"]) == ("never-written", 3, [7])
        assert (found["space"], found["array"], found["address"]) == ("global", "out", 4 * 7)
        assert found["line"] == first_ones.py_func.__code__.co_firstlineno + 1
        assert found["what"]["code"] == "finding.never-written"
        assert found["what"]["fields"]["missing"] == 3
        assert found["what"]["fields"]["elements"] == 10

    def test_a_part_that_is_whole_is_fine(self, launches):
        there = cuda.device_array((10,), dtype=np.int32)
        first_ones[1, 32](there, 7)
        assert there[:7].copy_to_host().sum() == 28
        assert faults(launches[0]) == []
        assert there[8] == 0
        assert [one["count"] for one in faults(launches[0])] == [1]

    def test_elements_that_nobody_reads_are_a_warning(self, launches):
        there = cuda.device_array(1000)
        first_ones[8, 128](there, 985)
        taken = there.copy_to_host()
        assert (taken[:985].sum(), taken[985:].shape, taken[3]) == (985 * 986 // 2, (15,), 4)
        (found,) = launches[0]["findings"]
        assert (found["kind"], found["topic"]) == ("warning", "unread elements")
        assert found["what"]["fields"]["missing"]["fields"]["missing"] == 15
        taken[985:] = 0
        assert taken.sum() == 985 * 986 // 2
        assert faults(launches[0]) == []

    @pytest.mark.parametrize(
        "read",
        [
            lambda there: there.copy_to_host()[9],
            lambda there: there.copy_to_host()[5:].max(),
            lambda there: np.testing.assert_array_equal(there.copy_to_host(), [1] * 7 + [0] * 3),
            lambda there: there.copy_to_host().tolist(),
            lambda there: there.copy_to_host(np.zeros(10)),
            np.asarray,
        ],
    )
    def test_elements_that_are_read_are_a_fault(self, launches, read):
        there = cuda.device_array(10)
        first_ones[1, 32](there, 7)
        there.copy_to_host()
        assert faults(launches[0]) == []
        with contextlib.suppress(AssertionError):
            read(there)
        assert [(one["kind"], one["count"]) for one in faults(launches[0])] == [
            ("never-written", 3)
        ]

    def test_two_launches_may_write_it_together(self, launches):
        there = cuda.device_array_like(np.zeros(8, dtype=np.int32))
        first_ones[1, 32](there[4:], 4)
        first_ones[1, 32](there[:4], 4)
        there.copy_to_host()
        assert [faults(one) for one in launches] == [[], []]

    def test_what_the_host_writes_counts(self, launches):
        there = cuda.device_array(8, dtype=np.int32)
        there[6:] = 0
        first_ones[1, 32](there, 6)
        there.copy_to_host()
        assert faults(launches[0]) == []

    def test_the_launch_that_writes_is_told_not_one_that_reads(self, launches):
        @cuda.jit
        def read(values, out):
            out[0] = values[0]

        there = cuda.device_array(8, dtype=np.int32)
        first_ones[1, 32](there, 6)
        read[1, 1](there, np.zeros(1))
        there.copy_to_host().sum()
        assert [len(faults(one)) for one in launches] == [1, 0]


@cuda.jit
def doubled(values, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * values[i]


@cuda.jit
def counted(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i] % 4, 1)


@cuda.jit
def told(values, out):
    i = cuda.grid(1)
    if i < out.size:
        v = values[i]
        if i < 4:
            out[i] = v


def partly(n):
    there = cuda.device_array(8, np.int32)
    there[:n] = 1
    return there


HOST = np.arange(8, dtype=np.int32)


@pytest.mark.parametrize(
    ("kernel", "values", "out", "first"),
    [
        (doubled, lambda: cuda.device_array(8, np.int32), HOST, 0),
        (doubled, lambda: partly(5), HOST, 5),
        (doubled, lambda: partly(5)[2:], HOST[:6], 3),
        (doubled, lambda: cuda.device_array(8, np.int32)[::-1], HOST, 0),
        (doubled, lambda: cuda.device_array((8, 2), np.int32, order="F")[:, 1], HOST, 0),
        (doubled, lambda: cuda.Out(HOST.copy()), HOST, 0),
        (counted, lambda: HOST, lambda: cuda.device_array(4, np.int32), 0),
        (doubled, lambda: partly(8), HOST, None),
        (doubled, lambda: partly(5)[:5], HOST[:5], None),
        (doubled, lambda: cuda.to_device(HOST), HOST, None),
        (counted, lambda: HOST, lambda: partly(4)[:4], None),
        (told, lambda: partly(4), HOST, None),
    ],
)
def test_device_memory_that_nothing_has_written(launches, kernel, values, out, first):
    kernel[1, 32](values(), out() if callable(out) else out.copy())
    (launch,) = launches
    found = [each for each in faults(launch) if each["kind"] == "uninitialised-read"]
    assert [each["index"] for each in found] == ([] if first is None else [(first,)])
    assert {each["line"] - launch["line"] for each in found} <= {3}


@pytest.mark.parametrize(
    ("reached", "minutes"),
    [
        (LaunchProgress(1, 1001), 50),
        (LaunchProgress(0, 1001, 7, 30, 1), 50),
        (LaunchProgress(900, 1000), None),
    ],
)
def test_a_launch_that_takes_long_says_so(reached, minutes, monkeypatch, capsys):
    clock = iter([10.0, 13.0])
    monkeypatch.setattr("grader.simt.host.progress.time.monotonic", lambda: next(clock))
    LaunchTicker("k")(reached)
    said = capsys.readouterr().err
    assert ("progress.long" in said) == (minutes is not None)
    assert minutes is None or f"n={minutes}" in said


def test_a_script_is_told_until_its_first_launch_that_nothing_has_been_launched(
    tmp_path, monkeypatch
):
    said = []

    @contextlib.contextmanager
    def saying(what):
        yield partial(said.append, what.code)

    monkeypatch.setattr(runner, "saying_what_is_done", saying)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(SESSION, "begins", SESSION.begins)
    monkeypatch.setattr(sys, "kernel", first_ones, raising=False)
    script = tmp_path / "script.py"
    script.write_text("import sys, numpy\nsys.kernel[1, 32](numpy.zeros(32), 32)\n")
    assert runner._run(script, SESSION) == 0
    assert said == ["progress.script"]
