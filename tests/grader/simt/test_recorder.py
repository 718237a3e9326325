"""What one thread's variables and arrays hold in a line, against closed forms and launches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.simt import Moment, Recorder, launch, read, record
from tests.grader.simt.corpus import executed, is_right, names, options, sizes, text_of
from tests.grader.simt.tools import kernel
from tests.sampling import every

ORIGIN = (0, 0, 0)


def look(
    text: str, arguments: list[Any], line: int, thread: int = 0, *, block: int = 0,
    occurrence: int = 1, grid: int = 1, threads: int = 64, **options: Any,
) -> Recorder:  # fmt: skip
    """Look at a thread of a grid and a block along x."""
    moment = Moment(line, (block, 0, 0), (thread, 0, 0), occurrence)
    return record(text, grid, threads, arguments, moment, **options)


SUMS = kernel(
    "t = cuda.threadIdx.x",
    "b = cuda.blockIdx.x",
    "total = 0",
    "for i in range(t):",
    "    total += i",
    "    last = i",
    "a[b * 64 + t] = total",
)


@pytest.mark.parametrize("thread", [0, 1, 7, 63])
@pytest.mark.parametrize("block", [0, 2])
def test_variables_are_those_of_the_thread_after_the_line(thread, block):
    seen = look(SUMS, [np.zeros(192, np.int32)], 8, thread, block=block, grid=3)
    total = thread * (thread - 1) // 2
    loop = {"i": thread - 1, "last": thread - 1} if thread else {}
    assert seen.variables == {"t": thread, "b": block, "total": total, **loop}
    assert seen.occurrences == 1


@pytest.mark.parametrize(("thread", "occurrence"), [(5, 1), (5, 5), (63, 40)])
def test_an_occurrence_is_a_time_that_the_thread_gets_there(thread, occurrence):
    seen = look(SUMS, [np.zeros(64, np.int32)], 6, thread, occurrence=occurrence)
    i = occurrence - 1
    assert seen.variables["i"] == i
    assert seen.variables["total"] == i * (i + 1) // 2
    assert "last" in seen.variables or occurrence == 1
    assert seen.occurrences == thread


def test_a_thread_that_is_never_there_leaves_nothing():
    text = kernel("t = cuda.threadIdx.x", "if t < 8:", "    x = t", "a[t] = t")
    seen = look(text, [np.zeros(64, np.int32)], 4, 8)
    assert (seen.occurrences, seen.variables, seen.arrays) == (0, {}, ())
    assert look(text, [np.zeros(64, np.int32)], 4, 7).variables["x"] == 7


def test_what_other_threads_assign_is_not_shown():
    """`x` is dead afterwards, so the emulator keeps no value for the threads elsewhere."""
    text = kernel("t = cuda.threadIdx.x", "if t < 8:", "    x = t", "    a[t] = x", "a[t] = t")
    assert "x" not in look(text, [np.zeros(64, np.int32)], 6, 8).variables
    assert look(text, [np.zeros(64, np.int32)], 6, 7).variables["x"] == 7


def test_before_a_loop_a_branch_or_a_return_and_after_anything_else():
    text = kernel("x = 1", "for i in range(3):", "    x += i", "if x:", "    x = 9", "return")
    arguments = [np.zeros(1, np.int32)]
    assert [look(text, arguments, line).variables.get("x") for line in range(2, 8)] == [
        1, 1, 1, 4, 9, 9,
    ]  # fmt: skip
    assert look(text, arguments, 4).occurrences == 3


def test_a_statement_of_several_lines_is_each_of_them():
    text = kernel("x = (1 +", "     2)", "a[0] = x")
    assert [look(text, [np.zeros(1)], line).variables for line in (2, 3)] == [{"x": 3}, {"x": 3}]


def test_parameters_and_tuples_are_variables_and_arrays_are_not():
    text = kernel("p = (n, 2)", "a[0] = p[0]", takes="a, n")
    seen = look(text, [np.zeros(1), 5], 3)
    assert seen.variables == {"n": 5, "p": (5, 2)}
    assert seen.arrays == ()


def test_a_value_of_a_device_function_is_its_own():
    text = (
        "@cuda.jit(device=True)\ndef double(v):\n    w = 2 * v\n    return w\n\n"
        "@cuda.jit\ndef kernel(a):\n    t = cuda.threadIdx.x\n    a[t] = double(t)\n"
    )
    seen = look(text, [np.zeros(64, np.int32)], 4, 21)
    assert seen.variables == {"v": 21, "w": 42}


TILE = kernel(
    "tile = cuda.shared.array((8, 8), 'int32')",
    "t = cuda.threadIdx.x",
    "if t < 32:",
    "    tile[t // 8, t % 8] = 100 + t",
    "cuda.syncthreads()",
    "if t < 4:",
    "    tile[0, t] = t",
    "row = tile[2]",
    "a[t] = tile[t % 8, t // 8]",
)


def test_a_tile_shows_what_was_written_and_by_which_line():
    seen = look(TILE, [np.zeros(64, np.int32)], 8, 3)
    (tile,) = seen.arrays
    assert (tile.name, tile.space, tile.shape) == ("tile", "shared", (8, 8))
    numbers = np.arange(64).reshape(8, 8)
    assert (tile.written == (numbers < 32)).all()
    assert (tile.by_line == (numbers < 4)).all()
    expected = np.where(numbers < 4, numbers, np.where(numbers < 32, 100 + numbers, 0))
    assert (tile.values == expected).all()
    first = look(TILE, [np.zeros(64, np.int32)], 5, 0).arrays[0]
    assert (first.by_line == (numbers < 32)).all()


def test_a_row_of_a_tile_is_an_array_of_its_own():
    tile, row = look(TILE, [np.zeros(64, np.int32)], 9, 0).arrays
    assert (row.name, row.shape) == ("row", (8,))
    assert (row.values == tile.values[2]).all()
    assert (row.values == 116 + np.arange(8)).all()


def test_each_block_has_its_own_tile():
    text = kernel(
        "s = cuda.shared.array(64, 'int32')",
        "t, b = cuda.threadIdx.x, cuda.blockIdx.x",
        "if t != b:",
        "    s[t] = 10 * b + t",
        "cuda.syncthreads()",
    )
    (s,) = look(text, [np.zeros(1)], 6, 0, block=2, grid=3).arrays
    numbers = np.arange(64)
    assert (s.written == (numbers != 2)).all()
    assert (s.values == np.where(numbers == 2, 0, 20 + numbers)).all()


def test_local_memory_is_the_threads_own():
    text = kernel("own = cuda.local.array(4, 'int32')", "t = cuda.threadIdx.x",
                  "for i in range(t % 4):", "    own[i] = 10 * t + i", "a[t] = 0")  # fmt: skip
    (own,) = look(text, [np.zeros(64)], 6, 7).arrays
    assert own.space == "local"
    assert own.values.tolist() == [70, 71, 72, 0]
    assert own.written.tolist() == [True, True, True, False]


def test_dynamic_memory_has_the_name_of_its_variable():
    text = kernel("s = cuda.shared.array(0, 'int32')", "s[cuda.threadIdx.x] = 3", "a[0] = 1")
    (s,) = look(text, [np.zeros(1)], 4, threads=32, shared_bytes=256).arrays
    assert (s.name, s.shape, int(s.written.sum()), int(s.values.sum())) == ("s", (64,), 32, 96)


def test_of_a_large_array_the_first_elements():
    text = kernel("s = cuda.shared.array((2, 90, 80), 'uint8')", "s[0, 1, 2] = 7", "a[0] = 1")
    (s,) = look(text, [np.zeros(1)], 3, threads=1).arrays
    assert (s.shape, s.values.shape, s.values[1, 2]) == ((2, 90, 80), (64, 64), 7)


def test_looking_changes_nothing():
    plain, watched = np.zeros(64, np.int32), np.zeros(64, np.int32)
    done = launch(TILE, 1, 64, [plain])
    look(TILE, [watched], 8, 3)
    assert (plain == watched).all()
    assert done.finished


def test_an_endless_loop_ends_with_the_budget():
    text = kernel("x = 0", "while True:", "    x += 1")
    seen = look(text, [np.zeros(1)], 4, occurrence=10, threads=32, budget=10_000_000)
    assert seen.variables == {"x": 10}
    assert seen.occurrences > 10


@pytest.mark.parametrize("name", every(3, names(), str))
def test_a_kernel_of_the_corpus_does_the_same_while_it_is_looked_at(name):
    """Every variable is followed, whichever line is looked at."""
    text = text_of(name)
    space = executed(text, name)
    case = space["case"](np.random.default_rng(4))
    first = space["kernel"].py_func.__code__.co_firstlineno
    moment = Moment(first + 2, ORIGIN, ORIGIN)
    record(read(space["kernel"]), *sizes(case), moment, **options(case))
    assert is_right(case)
