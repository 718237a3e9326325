"""Every kind of finding, at its line; and that what is right is left alone.

Line 1 of a kernel is its `def`.
"""

from __future__ import annotations

import numpy as np
import pytest

from grader.facts import fact
from grader.simt import launch, read
from tests.grader.simt.tools import kernel, kinds, places, run
from tests.sentences import english

F = np.float32


def zeros(*shape, dtype=F):
    return np.zeros(shape, dtype)


SHARED = "s = cuda.shared.array(64, numba.float32)"


def found(*lines, takes="a", arguments=None, block=64, grid=1, **options):
    given = [zeros(256) for _ in takes.split(",")] if arguments is None else arguments
    return run(kernel(*lines, takes=takes), given, block=block, grid=grid, **options)


def only(done):
    """The one finding there is."""
    assert len(done.findings) == 1, done.findings
    return done.findings[0]


def test_reading_what_another_warp_wrote_without_a_barrier():
    done = found(SHARED, "t = cuda.threadIdx.x", "s[t] = a[t]", "a[t] = s[63 - t]")
    one = only(done)
    assert (one.kind, one.topic, one.line, one.other_line) == ("race", "write-read", 5, 4)
    assert one.array == "s"
    assert one.threads[0] != one.threads[1]
    assert one.what.fields["access"] == fact("access.load")
    assert one.what.fields["earlier"] == fact("access.store")
    assert "no synchronization between the read of s[" in english(one.what)


def test_a_barrier_between_mends_it():
    lines = (
        SHARED,
        "t = cuda.threadIdx.x",
        "s[t] = a[t]",
        "cuda.syncthreads()",
        "a[t] = s[63 - t]",
    )
    assert found(*lines).findings == ()


def test_writing_what_another_thread_may_still_read():
    done = found(
        SHARED,
        "t = cuda.threadIdx.x",
        "s[t] = a[t]",
        "cuda.syncthreads()",
        "x = s[63 - t]",
        "s[t] = x",
        takes="a",
    )
    one = only(done)
    assert (one.kind, one.topic, one.line, one.other_line) == ("race", "write-read", 7, 6)


@pytest.mark.parametrize("warp", ["", "cuda.syncwarp()"])
def test_within_a_warp_syncwarp_orders(warp):
    done = found(
        SHARED, "t = cuda.threadIdx.x", "s[t] = a[t]", warp or "pass", "a[t] = s[t ^ 1]", block=32
    )
    if warp:
        assert done.findings == ()
    else:
        assert places(done) == [("race", 6)]
        assert only(done).what.fields["rival"].code == "thread.in-warp"


def test_syncwarp_does_not_order_warps():
    done = found(
        SHARED, "t = cuda.threadIdx.x", "s[t] = a[t]", "cuda.syncwarp()", "a[t] = s[63 - t]"
    )
    assert places(done) == [("race", 6)]


@pytest.mark.parametrize(
    ("index", "place"),
    [("t // 2", "place.this-instruction"), ("t % 32", "place.this-line")],  # of one warp, of two
)
def test_one_instruction_that_writes_different_values_to_one_place(index, place):
    done = found(SHARED, "t = cuda.threadIdx.x", f"s[{index}] = t", block=64)
    one = only(done)
    assert (one.kind, one.topic, one.line) == ("race", "write-write", 4)
    assert one.what.fields["place"] == fact(place)


def test_threads_that_write_the_same_value_do_not_race():
    lines = (SHARED, "t = cuda.threadIdx.x", "s[0] = 5", "cuda.syncthreads()", "a[t] = s[0]")
    assert found(*lines).findings == ()


def test_two_instructions_that_write_different_values():
    done = found(
        SHARED, "t = cuda.threadIdx.x", "if t == 0:", "    s[0] = 1", "if t == 40:", "    s[0] = 2"
    )
    one = only(done)
    assert (one.kind, one.topic, one.line, one.other_line) == ("race", "write-write", 7, 5)


def test_atomics_do_not_race_with_each_other_but_with_plain_reads():
    lines = [
        "s = cuda.shared.array(1, numba.int32)",
        "t = cuda.threadIdx.x",
        "if t == 0:",
        "    s[0] = 0",
        "cuda.syncthreads()",
        "cuda.atomic.add(s, 0, 1)",
        "cuda.syncthreads()",
        "a[t] = s[0]",
    ]
    assert found(*lines).findings == ()
    del lines[6]
    done = found(*lines)
    one = only(done)
    assert (one.kind, one.topic, one.line, one.other_line) == ("race", "read-atomic", 8, 7)


@pytest.mark.parametrize("first", ["t < 32", "t >= 32"])
def test_it_does_not_depend_on_who_runs_first(first):
    """Reader and writer in branches, either way round."""
    done = found(
        SHARED,
        "t = cuda.threadIdx.x",
        "s[t] = t",
        "cuda.syncthreads()",
        f"if {first}:",
        "    a[t] = s[5]",
        "else:",
        "    s[5] = 7",
    )
    one = only(done)
    assert one.kind == "race"
    assert {one.line, one.other_line} == {7, 9}


def test_an_old_access_is_found_behind_the_threads_own_newer_one():
    """Thread 40 reads, then thread 0 reads: the record must remember that there was another."""
    done = found(
        SHARED,
        "t = cuda.threadIdx.x",
        "s[t] = t",
        "cuda.syncthreads()",
        "if t == 40:",
        "    a[0] = s[0]",
        "if t == 0:",
        "    a[1] = s[0]",
        "    s[0] = 9",
    )
    assert [kind for kind, _ in places(done)] == ["race"]


def test_a_race_in_one_block_of_many():
    done = found(
        SHARED,
        "t = cuda.threadIdx.x",
        "s[t] = t",
        "if cuda.blockIdx.x != 3:",
        "    cuda.syncthreads()",
        "a[cuda.grid(1)] = s[63 - t]",
        arguments=[zeros(64 * 8)],
        grid=8,
    )
    one = only(done)
    assert (one.kind, one.line, one.block) == ("race", 7, (3, 0, 0))
    assert one.count == 64


def test_races_on_global_memory_between_blocks():
    done = found("a[cuda.threadIdx.x] = cuda.blockIdx.x", grid=2)
    one = only(done)
    assert (one.kind, one.topic, one.line) == ("global-race", "write-write", 2)
    assert one.blocks[0] != one.blocks[1]


def test_races_on_global_memory_within_a_block():
    done = found("t = cuda.threadIdx.x", "a[t] = t", "b[t] = a[63 - t]", takes="a, b")
    assert places(done) == [("global-race", 4)]
    lines = ("t = cuda.threadIdx.x", "a[t] = t", "cuda.syncthreads()", "b[t] = a[63 - t]")
    assert found(*lines, takes="a, b").findings == ()


def test_a_barrier_does_not_order_blocks():
    lines = ("i = cuda.grid(1)", "a[i] = i", "cuda.syncthreads()", "b[i] = a[127 - i]")
    assert places(found(*lines, takes="a, b", grid=2)) == [("global-race", 5)]


def test_the_same_across_chunks(monkeypatch):
    monkeypatch.setattr("grader.simt.launches.launching.CHUNK", 64)
    lines = ("i = cuda.grid(1)", "a[i] = i", "cuda.syncthreads()", "b[i] = a[127 - i]")
    assert places(found(*lines, takes="a, b", grid=2)) == [("global-race", 5)]


def test_arguments_that_overlap_are_one_memory():
    whole = zeros(128)
    lines = ("t = cuda.threadIdx.x", "a[t] = b[t]")
    done = found(*lines, takes="a, b", arguments=[whole[1:65], whole[:64]])
    assert places(done) == [("global-race", 3)]


def test_shared_memory_that_nobody_wrote():
    done = found(SHARED, "t = cuda.threadIdx.x", "if t > 5:", "    s[t] = t", "a[t] = s[t]")
    one = only(done)
    assert (one.kind, one.topic, one.line, one.count) == ("uninitialised-read", "shared", 6, 6)
    assert (one.array, one.index) == ("s", (0,))


def test_local_memory_that_nobody_wrote():
    done = found(
        "t = cuda.threadIdx.x",
        "l = cuda.local.array(4, numba.float32)",
        "l[0] = 1",
        "if t < 60:",
        "    l[1] = 2",
        "a[t] = l[0] + l[1]",
    )
    one = only(done)
    assert (one.kind, one.topic, one.line, one.count) == ("uninitialised-read", "local", 7, 4)


def test_local_memory_by_an_index_of_the_threads_own():
    done = found(
        "t = cuda.threadIdx.x",
        "l = cuda.local.array(4, numba.float32)",
        "l[t % 4] = 1",
        "a[t] = l[t % 3]",
    )
    assert places(done) == [("uninitialised-read", 5)]


def test_a_barrier_that_some_threads_do_not_come_to():
    done = found("t = cuda.threadIdx.x", "if t < 48:", "    cuda.syncthreads()", "a[t] = t")
    one = only(done)
    assert (one.kind, one.line, one.other_line) == ("barrier-divergence", 4, 3)
    assert one.threads == ((0, 0, 0), (48, 0, 0))
    assert (one.what.fields["missing"], one.what.fields["threads"]) == (16, 64)


RETURNED = ("t = cuda.threadIdx.x", "if t > 40:", "    return", "cuda.syncthreads()", "a[t] = t")


@pytest.mark.parametrize("arch", ["7.0", "8.6", "9.0", "10.0"])
def test_a_barrier_does_not_wait_for_threads_that_returned(arch):
    one = only(found(*RETURNED, arch=arch))
    assert (one.kind, one.topic, one.line, one.other_line) == ("warning", "exited threads", 5, 4)
    assert (one.threads, one.count) == (((41, 0, 0),), 23)
    assert one.what.fields["place"] == fact("place.line", line=4)


@pytest.mark.parametrize("arch", ["1.x", "3.x-8byte", "6.1"])
def test_an_old_barrier_waits_for_threads_that_returned(arch):
    one = only(found(*RETURNED, arch=arch))
    assert (one.kind, one.line, one.other_line) == ("barrier-divergence", 5, 4)
    assert one.what.fields["reason"] == fact("absence.returned", place=fact("place.line", line=4))


@pytest.mark.parametrize("call", ["count(1)", "and(1)", "or(1)"])
def test_a_barrier_that_counts_does_not_wait_for_them_either(call):
    lines = [line.replace("syncthreads()", f"syncthreads_{call}") for line in RETURNED]
    assert [one.topic for one in found(*lines).findings] == ["exited threads"]


def test_some_returned_and_some_are_elsewhere():
    """Only those that are elsewhere are a fault."""
    lines = (*RETURNED[:3], "if t < 30:", "    cuda.syncthreads()")
    fault, warning = found(*lines).findings
    assert (fault.kind, fault.line, fault.other_line) == ("barrier-divergence", 6, 5)
    assert (fault.what.fields["missing"], fault.what.fields["threads"]) == (11, 64)
    assert (warning.topic, warning.count) == ("exited threads", 23)


@pytest.mark.parametrize("gone", ["cuda.threadIdx.x > 40", "cuda.blockIdx.x == 1"])
def test_a_barrier_of_the_grid_waits_for_all_threads(gone):
    lines = (f"if {gone}:", "    return", "cuda.cg.this_grid().sync()", "a[cuda.grid(1)] = 1")
    one = only(found(*lines, arguments=[zeros(128)], grid=2))
    assert (one.kind, one.line, one.other_line) == ("barrier-divergence", 4, 3)


def test_a_barrier_in_a_loop_of_different_lengths():
    done = found("t = cuda.threadIdx.x", "for i in range(t):", "    cuda.syncthreads()")
    one = only(done)
    assert (one.kind, one.line, one.other_line) == ("barrier-divergence", 4, 3)


def test_a_branch_that_whole_blocks_take_is_no_divergence():
    lines = ("if cuda.blockIdx.x < 2:", "    cuda.syncthreads()", "a[cuda.grid(1)] = 1")
    assert found(*lines, arguments=[zeros(64 * 4)], grid=4).findings == ()


def test_the_last_threads_of_a_block_that_is_no_multiple_of_a_warp():
    assert found("cuda.syncthreads()", "a[cuda.grid(1)] = 1", block=33, grid=3).findings == ()


def test_out_of_bounds_with_a_hint_where_a_guard_would_mend_it():
    a = zeros(100)
    done = found("i = cuda.grid(1)", "a[i] = 1", arguments=[a], grid=2)
    one = only(done)
    assert (one.kind, one.line, one.index, one.count) == ("out-of-bounds", 3, (100,), 28)
    assert one.what.fields["shape"] == "(100,)"
    assert one.hint == fact("advice.guard", axis="x", size="a.shape[0]")
    assert english(one.hint).endswith("get here: there are a.shape[0] elements")
    assert a.sum() == 100


@pytest.mark.parametrize(
    ("guard", "size", "hint"),
    [
        (("if i <= len(a):", "    a[i] = 1"), 100, "advice.guard-off-by-one"),
        (("if i > len(a):", "    return", "a[i] = 1"), 100, "advice.guard-off-by-one"),
        (("if i <= len(a):", "    a[i] = 1"), 127, "advice.guard"),
        (("if i <= len(a) + 1:", "    a[i] = 1"), 100, "advice.guard"),
        (("if i != 5:", "    a[i] = 1"), 127, "advice.guard"),
    ],
)
def test_a_guard_that_is_there_is_not_called_missing(guard, size, hint):
    one = only(found("i = cuda.grid(1)", *guard, arguments=[zeros(size)], grid=2))
    assert (one.hint.code, one.hint.fields["size"]) == (hint, "a.shape[0]")


def test_out_of_bounds_by_one():
    a = zeros(64)
    done = found("t = cuda.threadIdx.x", "a[t] = a[t + 1]", arguments=[a])
    one = next(one for one in done.faults if one.kind == "out-of-bounds")
    assert (one.line, one.index, one.threads, one.hint) == (3, (64,), ((63, 0, 0),), None)


def test_out_of_bounds_of_one_axis_within_the_memory():
    done = found("a[0, cuda.threadIdx.x] = 1", arguments=[zeros(4, 32)])
    one = only(done)
    assert (one.kind, one.index) == ("out-of-bounds", (0, 32))


def test_out_of_bounds_in_shared_memory():
    done = found(SHARED, "s[cuda.threadIdx.x + 1] = 1")
    assert places(done) == [("out-of-bounds", 3)]


def test_out_of_bounds_of_a_row():
    done = found("r = a[cuda.threadIdx.x]", "r[0] = 1", arguments=[zeros(60, 4)])
    assert [kind for kind, _ in places(done)] == ["out-of-bounds", "out-of-bounds"]


def test_a_negative_index_is_a_warning_and_counts_from_the_end():
    a = np.arange(64, dtype=F)
    done = found("t = cuda.threadIdx.x", "b[t] = a[t - 1]", takes="a, b", arguments=[a, zeros(64)])
    one = only(done)
    assert (one.kind, one.topic, one.line, one.count) == ("warning", "negative index", 3, 1)


def test_beyond_the_end_backwards():
    done = found("b[0] = a[-65]", takes="a, b", arguments=[zeros(64), zeros(64)], block=1)
    assert places(done) == [("out-of-bounds", 2)]


def test_float64_arithmetic_on_float32_data_is_a_warning():
    done = found("t = cuda.threadIdx.x", "a[t] = a[t] * 2.0")
    one = only(done)
    assert (one.kind, one.topic, one.line) == ("warning", "float64", 3)
    assert found("t = cuda.threadIdx.x", "a[t] = a[t] * numba.float32(2)").findings == ()


def test_a_number_that_does_not_fit_is_a_warning():
    out = zeros(64, dtype=np.int32)
    done = found("t = cuda.threadIdx.x", "a[t] = (t + 1) << 30", arguments=[out])
    one = only(done)
    assert (one.kind, one.topic, one.line, one.count) == ("warning", "overflow", 3, 63)


@pytest.mark.parametrize("work", ["100 % b[t]", "100 // b[t]", "divmod(100, b[t])[0]"])
def test_an_integer_that_is_divided_by_zero(work):
    divisors = np.arange(64, dtype=np.int64) // 2
    for lines, faults in [
        ((f"a[t] = {work}",), [("zero-division", 3)]),
        (("if b[t] > 0:", f"    a[t] = {work}"), []),
        ((f"a[t] = {work} if b[t] != 0 else 0",), []),
        ((f"if b[t] != 0 and {work} == 0:", "    a[t] = 1"), []),
    ]:
        done = found("t = cuda.threadIdx.x", *lines, takes="a, b", arguments=[zeros(64), divisors])
        assert places(done) == faults


def test_an_augmented_division_by_zero_and_one_that_is_guarded_by_a_short_circuit():
    out = zeros(64, dtype=np.int64)
    done = found("t = cuda.threadIdx.x", "x = 7", "x %= t", "a[t] = x", arguments=[out])
    assert places(done) == [("zero-division", 4)]
    done = found("t = cuda.threadIdx.x", "a[t] = t != 0 and 10 % t == 1", arguments=[out])
    assert done.findings == ()
    assert np.flatnonzero(out).tolist() == [3, 9]


def test_a_float_is_divided_by_zero_as_ieee_has_it():
    done = found("t = cuda.threadIdx.x", "b[t] = a[t] / 0", takes="a, b", arguments=[
        np.ones(64), zeros(64, dtype=np.float64)
    ])  # fmt: skip
    assert done.faults == ()


def test_elements_that_nobody_wrote():
    done = found("i = cuda.grid(1)", "if i < 60:", "    a[i] = 1", outputs=["a"])
    one = only(done)
    assert (one.kind, one.array, one.index, one.count) == ("never-written", "a", (60,), 196)


def test_an_endless_loop_ends_with_the_budget():
    done = found("t = cuda.threadIdx.x", "while t >= 0:", "    t += 1", budget=10_000_000)
    one = only(done)
    assert one.kind == "budget"
    assert one.line in (3, 4)
    assert not done.finished


def test_resources():
    assert kinds(found("a[0] = 1", block=(32, 33, 1))) == ["resources"]
    assert kinds(found("a[0] = 1", block=2048)) == ["resources"]
    assert kinds(found("a[0] = 1", block=(1, 1, 65))) == ["resources"]
    assert kinds(found("a[0] = 1", block=1, shared_bytes=300_000)) == ["resources"]
    much = "s = cuda.shared.array(13000, numba.float32)"
    assert kinds(found(much, "a[0] = 1", block=1)) == ["resources"]


def test_a_finding_stops_nothing_and_changes_nothing():
    a = np.arange(64, dtype=F)
    done = found(
        SHARED,
        "t = cuda.threadIdx.x",
        "s[t] = a[t]",
        "s[t + 1] = s[t + 1]",
        "a[t] = s[t] + 1",
        arguments=[a],
    )
    assert done.finished
    assert "out-of-bounds" in kinds(done)
    assert a.tolist() == list(range(1, 65))


def test_where_an_element_came_from():
    done = found("t = cuda.threadIdx.x", "a[t] = 1", "if t == 5:", "    a[7] = 2", block=64)
    origin = done.origin("a", 7)
    assert origin is not None
    assert (origin.block, origin.thread, origin.line) == ((0, 0, 0), (5, 0, 0), 5)
    assert done.origin("a", 100) is None
    assert done.written_elements("a").sum() == 64


def test_a_global_kernel_of_python(tmp_path):
    """A function object instead of a text: lines are those of its file."""
    done = launch(_doubles, 1, 32, [zeros(16)])
    one = next(iter(done.faults))
    assert one.line == _doubles.__code__.co_firstlineno + 2


def _doubles(a):
    i = cuda.grid(1)  # noqa: F821 — Numba's name, given below
    a[i] = 2 * i


_doubles.__globals__["cuda"] = __import__(
    "grader.simt.program.types", fromlist=["NamePath"]
).NamePath("cuda")


class TestAddresses:
    """Where in memory: array, index and byte, by hand."""

    BESIDE = "p = cuda.shared.array(3, numba.uint8)"  # 16 bytes: arrays begin at multiples of it
    TILE = "s = cuda.shared.array((4, 8), numba.float32)"

    def place(self, done):
        one = only(done)
        return one.space, one.array, one.index, one.address

    def test_a_race_on_shared_memory_has_the_byte_within_the_block_s(self):
        lines = (self.BESIDE, self.TILE, "t = cuda.threadIdx.x", "s[2, t // 32] = t")
        assert self.place(found(*lines)) == ("shared", "s", (2, 0), 16 + 4 * 16)

    def test_one_on_dynamic_shared_memory_begins_behind_the_static_one(self):
        lines = (
            self.TILE,
            "d = cuda.shared.array(0, numba.float64)",
            "h = cuda.shared.array(0, numba.float32)[16:]",
            "t = cuda.threadIdx.x",
            "d[8 + t // 32] = t",
        )
        done = found(*lines, shared_bytes=256)
        assert self.place(done) == ("shared", "dynamic shared memory", (8,), 128 + 64)

    def test_a_read_of_shared_memory_that_nobody_wrote(self):
        lines = (self.BESIDE, self.TILE, "a[cuda.threadIdx.x] = s[3, 1]")
        assert self.place(found(*lines)) == ("shared", "s", (3, 1), 16 + 4 * 25)

    def test_a_read_of_local_memory_that_nobody_wrote(self):
        lines = ("l = cuda.local.array((2, 3), numba.float64)", "a[cuda.threadIdx.x] = l[1, 2]")
        assert self.place(found(*lines)) == ("local", "l", (1, 2), 8 * 5)

    @pytest.mark.parametrize(
        ("given", "index", "address"),
        [
            (zeros(4, 8), (1, 2), 4 * 10),
            (zeros(8, 4).T, (1, 2), 4 * 9),
            (zeros(4, 16)[:, ::2], (1, 2), 4 * 20),
            (zeros(4, 8)[::-1, ::-1], (1, 2), -4 * 10),
            (zeros(64).reshape(4, 2, 8)[:, 1], (1, 2), 4 * 18),
        ],
        ids=("rows", "columns", "strided", "backwards", "part"),
    )
    def test_a_race_on_global_memory_has_the_byte_from_the_first_element(
        self, given, index, address
    ):
        done = found("a[1, 2] = cuda.threadIdx.x", arguments=[given])
        assert self.place(done) == ("global", "a", index, address)

    def test_an_array_that_lies_in_another_one_is_counted_from_its_own_first_element(self):
        whole = zeros(96)
        lines = ("t = cuda.threadIdx.x", "a[t] = b[t]")
        done = found(*lines, takes="a, b", arguments=[whole[1:65], whole[:64]])
        assert self.place(done) == ("global", "a", (0,), 0)

    @pytest.mark.parametrize(
        ("line", "place"),
        [
            ("a[1, 8] = 0", ("global", "a", (1, 8), 4 * 16)),
            ("a[-5, 1] = 0", ("global", "a", (-5, 1), -4 * 39)),
            ("a[1, -3] = 0", ("global", "a", (1, -3), 4 * 5)),
            ("a[1][9] = 0", ("global", "a", (9,), 4 * 17)),
            ("s[1, 8] = 0", ("shared", "s", (1, 8), 4 * 16)),
            ("l = cuda.local.array(5, numba.int16); l[6] = 1", ("local", "l", (6,), 12)),
        ],
    )
    def test_an_index_beyond_its_axis_has_the_byte_where_it_would_be(self, line, place):
        done = found(self.TILE, *line.split("; "), arguments=[zeros(4, 8)], block=32)
        assert self.place(done) == place

    def test_beyond_a_constant(self):
        function = read(kernel("a[0] = table[3]"), names={"table": np.arange(3, dtype=np.int16)})
        done = launch(function, 1, 1, [zeros(1)])
        assert self.place(done) == ("constant", "table", (3,), 6)

    def test_elements_that_nobody_wrote(self):
        done = found("a[0, cuda.threadIdx.x] = 1", arguments=[zeros(4, 64)], outputs=["a"])
        assert self.place(done) == ("global", "a", (1, 0), 4 * 64)

    def test_what_is_not_about_memory_has_none(self):
        one = only(found("if cuda.threadIdx.x:", "    cuda.syncthreads()"))
        assert (one.space, one.array, one.index, one.address) == ("", "", (), None)


DYNAMIC = "s = cuda.shared.array(0, numba.float32)"


@pytest.mark.parametrize(
    ("access", "given", "needed"),
    [
        ("s[t] = t", 64, 256),
        ("s[2 * t] = t", 64, 508),
        ("s[16:][t] = t", 128, 320),
        ("s[t + 99] = t", 0, 652),
    ],
)
def test_too_little_dynamic_shared_memory_says_what_is_needed(access, given, needed):
    text = kernel(DYNAMIC, "t = cuda.threadIdx.x", access)
    one = only(run(text, [zeros(64)], block=64, shared_bytes=given))
    assert (one.kind, one.line) == ("out-of-bounds", 4)
    assert (one.what.fields["given"], one.what.fields["needed"]) == (given, needed)
    assert f"kernel[blocks, threads, stream, bytes], here {needed} or more" in english(one.what)
    assert run(text, [zeros(64)], block=64, shared_bytes=needed).faults == ()
