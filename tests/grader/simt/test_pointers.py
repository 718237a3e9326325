"""Pointers: the same values, counts and findings as the same accesses to elements of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.banks import cost_many
from grader.simt import Launch
from grader.simt.launches.arguments import bind_arguments
from grader.simt.memory.allocations import Allocations
from grader.simt.memory.pointers import reach_target
from grader.simt.memory.views import AtomicUpdate
from grader.simt.program import nodes
from grader.simt.program.nodes import AddressOf, Move, Operate, Read
from grader.simt.program.printing import print_program
from grader.simt.program.stores import written_parameters
from grader.simt.program.types import (
    BOOL,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Nothing,
    Pointer,
    Scalar,
    VectorType,
    number,
)
from tests.grader.simt.pointer_programs import (
    Builder,
    Kind,
    block,
    case_of,
    declare,
    everywhere,
    move,
    number_of,
    plus,
    thread,
)

GENERIC = Pointer(FLOAT32, "generic")
SPACES = ("shared", "local")


def of(kind: Any, space: Any = "global") -> Pointer:
    """A pointer to something."""
    return Pointer(kind, space)


def found(done: Launch) -> list[tuple[Any, ...]]:
    """What is found, but for advice that names the shape of an array."""
    return [
        (each.kind, each.line, each.what, each.array, each.index, each.address, each.threads,
         each.count)
        for each in done.findings
    ]  # fmt: skip


# The same accesses, through pointers and as elements


def coalesced(case: Any) -> None:
    """One element for each thread."""
    at = case.at(case.array("out"), everywhere())
    case.write(at, case.twice(case.get(case.at(case.array("a"), everywhere()))))


def strided(case: Any) -> None:
    """Every seventh element, from the second on."""
    index = plus(Operate(INT64, "*", (everywhere(), number_of(7))), number_of(1))
    case.write(case.at(case.array("out"), everywhere()), case.get(case.at(case.array("a"), index)))


def scattered(case: Any) -> None:
    """Elements in no order, some of which several threads write to: a race."""
    index = Operate(INT64, "%", (Operate(INT64, "*", (everywhere(), number_of(37))), number_of(50)))
    case.write(case.at(case.array("out"), index), case.get(case.at(case.array("a"), index)))


def beyond(case: Any) -> None:
    """Threads beyond the end of an array."""
    index = plus(everywhere(), number_of(900))
    case.write(case.at(case.array("out"), index), case.get(case.at(case.array("a"), everywhere())))


def columns(case: Any) -> None:
    """A column of shared memory: 32-way conflicts, and after them none."""
    shared = case.declare(declare("s", FLOAT32, (64 * 32,), "shared"))
    column = Operate(INT64, "*", (case.wide_thread(), number_of(32)))
    case.write(case.at(shared, column), case.get(case.at(case.array("a"), everywhere())))
    case.barrier()
    value = case.twice(case.get(case.at(shared, column)))
    case.write(case.at(case.array("out"), everywhere()), value)


def unsynchronized(case: Any) -> None:
    """A neighbor's element of shared memory without a barrier: a race, and unwritten elements."""
    shared = case.declare(declare("s", FLOAT32, (80,), "shared"))
    case.write(case.at(shared, thread()), case.get(case.at(case.array("a"), everywhere())))
    near = case.at(shared, plus(case.wide_thread(), number_of(9)))
    case.write(case.at(case.array("out"), everywhere()), case.get(near))


def indirect(case: Any) -> None:
    """An element whose index is in memory."""
    shared = case.declare(declare("s", INT64, (64,), "shared"))
    seventh = Operate(INT64, "*", (case.wide_thread(), number_of(7)))
    case.write(case.at(shared, thread()), Operate(INT64, "%", (seventh, number_of(64))))
    loaded = case.get(case.at(shared, case.get(case.at(shared, thread()))))
    case.write(case.at(case.array("out"), loaded), case.get(case.at(case.array("a"), thread())))


def dynamic(case: Any) -> None:
    """Dynamic shared memory, a part of which the launch does not give."""
    shared = case.declare(declare("dynamic shared memory", FLOAT32, (), "shared"))
    case.write(case.at(shared, thread()), case.get(case.at(case.array("a"), everywhere())))
    case.write(case.at(case.array("out"), everywhere()), case.get(case.at(shared, thread())))


def own(case: Any) -> None:
    """A local array whose index differs by thread; its last element is not written."""
    local = case.declare(declare("l", FLOAT32, (4,), "local"))
    for place in range(3):
        case.write(case.at(local, number_of(place)), case.get(case.at(case.array("a"), thread())))
    index = Operate(INT64, "&", (case.wide_thread(), number_of(3)))
    case.write(case.at(case.array("out"), everywhere()), case.get(case.at(local, index)))


def constant(case: Any) -> None:
    """Constant memory."""
    data = np.arange(64, dtype=np.float32)
    table = case.declare(declare("c", FLOAT32, (64,), "constant", data=data))
    case.write(case.at(case.array("out"), everywhere()), case.get(case.at(table, thread())))


def updated(case: Any) -> None:
    """An element is located once, then read and written."""
    case.update(case.at(case.array("out"), everywhere()))


def harmless(case: Any) -> None:
    """All threads write the same into one element, and into shared memory: nobody can see it."""
    shared = case.declare(declare("s", FLOAT32, (4,), "shared"))
    one = nodes.Number(FLOAT32, 1)
    case.write(case.at(shared, number_of(2)), one)
    case.write(case.at(shared, number_of(2)), one)
    odd = nodes.Convert(FLOAT32, Operate(INT32, "&", (thread(), nodes.Number(INT32, 1))))
    case.write(case.at(case.array("out"), number_of(5)), odd)
    case.write(case.at(case.array("out"), number_of(5)), one)


def discarded(case: Any) -> None:
    """What is read uninitialized is not used."""
    shared = case.declare(declare("s", FLOAT32, (64,), "shared"))
    case.set("x", case.get(case.at(shared, thread())))
    case.write(case.at(case.array("out"), everywhere()), nodes.Number(FLOAT32, 1))


CASES = (
    coalesced, strided, scattered, beyond, columns, unsynchronized, indirect, dynamic, own,
    constant, updated, harmless, discarded,
)  # fmt: skip


@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize("write", CASES, ids=lambda write: write.__name__)
def test_an_access_through_a_pointer_is_as_one_to_an_element(write: Any, few: bool) -> None:
    seen = []
    for pointers in (True, False):
        case = case_of(pointers=pointers, few=few)
        write(case)
        given = [np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)]
        options = {"shared_bytes": 200} if write is dynamic else {}
        done = case.run(given, grid=2, block=64, outputs=["out"], tell_harmless=True, **options)
        seen.append((given[1].tolist(), done.files, found(done), done.origin("out", 3)))
        seen[-1] += ({place: worst.from_data for place, worst in done.worst.items()},)
    assert seen[0] == seen[1]


# Values, against each thread by itself


SIZES = (UINT8, UINT16, FLOAT16, UINT32, FLOAT32, INT32, UINT64, FLOAT64, INT64)
VECTORS = tuple(
    VectorType(dtype, size)
    for dtype, sizes in (
        (UINT8, (2, 3, 4)), (FLOAT16, (2,)), (FLOAT32, (2, 3, 4)), (INT32, (4,)), (FLOAT64, (2, 4)),
    )
    for size in sizes
)  # fmt: skip


def dtype_of(kind: Kind) -> tuple[Scalar, int, int]:
    """Dtype and number of members, and the bytes that a pointer to them is a multiple of."""
    if isinstance(kind, VectorType):
        whole = kind.dtype.itemsize * kind.size
        return kind.dtype, kind.size, kind.dtype.itemsize if kind.size == 3 else min(16, whole)
    dtype = number(kind)
    assert dtype is not None
    return dtype, 1, dtype.itemsize


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from((*SIZES, *VECTORS)),
    memory=st.sampled_from(("global", "shared", "local")),
    spaced=st.tuples(st.integers(-40, 200), st.integers(-3, 5)),
    computed=st.booleans(),
    seed=st.integers(0, 1 << 30),
)
def test_bytes_are_what_each_thread_moves_by_itself(
    kind: Kind, memory: Any, spaced: tuple[int, int], computed: bool, seed: int
) -> None:
    """out[t] = memory[start + step * t] of any type, where that is inside, and aligned."""
    (start, step), (dtype, members, unit) = spaced, dtype_of(kind)
    size = dtype.itemsize * members
    data = np.random.default_rng(seed).integers(0, 256, 256, dtype=np.uint8)
    out = np.zeros(64 * size, np.uint8)
    case = Builder(a=of(UINT8), out=of(UINT8))
    source: nodes.Expression = case.read("a")
    if memory != "global":
        source = AddressOf(of(UINT8, memory), declare("m", UINT8, (256,), memory))
        for word in range(16):  # each thread writes all of it
            chunk = VectorType(UINT32, 4)
            place = move(source, number_of(word), 16)
            case.store(chunk, place, case.load(chunk, move(case.read("a"), number_of(word), 16)))
        case.barrier()
    index = plus(Operate(INT64, "*", (everywhere(), number_of(step))), number_of(start))
    here = move(source, index, size if computed else unit)
    if computed:  # as a number, of which nothing is known
        offset = Operate(INT64, "*", (index, number_of(size)))
        here = Operate(source.type, "+", (source, offset))
    case.store(kind, move(case.read("out"), everywhere(), size), case.load(kind, here))
    done = case.run([data, out], block=64)
    expected, inside = np.zeros_like(out), np.zeros(out.shape, np.bool_)
    outside = 0
    for number_ in range(64):
        at = (start + step * number_) * (size if computed else unit)
        if at >= 0 and at + size <= 256:
            own = slice(number_ * size, (number_ + 1) * size)
            expected[own], inside[own] = data[at : at + size], True
        else:
            outside += 1
    assert out[inside].tobytes() == expected[inside].tobytes()
    outsiders = [each.count for each in done.findings if each.kind == "out-of-bounds"]
    assert outsiders == ([outside] if outside else [])
    assert {each.kind for each in done.findings} <= {"out-of-bounds", "race", "warning"}


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("wide", [UINT16, UINT32, UINT64, COMPLEX128])
def test_an_element_is_written_in_parts_and_read_whole(space: Any, wide: Scalar) -> None:
    size = wide.itemsize
    case = Builder(out=of(UINT8))
    memory = AddressOf(of(UINT8, space), declare("m", FLOAT64, (2 * 64,), space))
    place = move(memory, thread(), size)
    case.store(wide, place, nodes.Number(wide, 0))
    for byte in range(size):
        case.store(UINT8, move(place, number_of(byte), 1), nodes.Number(UINT8, 100 + byte))
    case.store(wide, move(case.read("out"), thread(), size), case.load(wide, place))
    out = np.zeros(64 * size, np.uint8)
    done = case.run([out], block=64)
    assert not done.findings
    assert out.reshape(64, size).tolist() == [[100 + byte for byte in range(size)]] * 64


def test_a_pointer_may_be_another_one_in_each_thread() -> None:
    """Sectors and requests are those of one access: here 2 sectors of one array, 2 of another."""
    case = Builder(a=of(FLOAT32), b=of(FLOAT32), out=of(FLOAT32))
    low = Operate(BOOL, "<", (thread(), nodes.Number(INT32, 16)))
    case.set("p", move(case.read("a"), thread(), 4))
    case.where(low, nodes.Set("p", move(case.read("b"), thread(), 4)))
    line = case.line
    chosen = case.load(FLOAT32, Read(of(FLOAT32), "p"))
    case.store(FLOAT32, move(case.read("out"), thread(), 4), chosen)
    out = np.zeros(32, np.float32)
    first, second = np.arange(32, dtype=np.float32), np.arange(32, dtype=np.float32) + 100
    done = case.run([first, second, out])
    assert out.tolist() == [*range(100, 116), *range(16, 32)]
    counts = done.line(line)
    assert (counts["global_load_requests"], counts["global_load_sectors"]) == (1, 4)
    assert counts["global_load_lanes"] == 32


def test_two_shared_arrays_are_one_request_whose_banks_conflict() -> None:
    """Lanes 0-15 and 16-31 read different words of the same banks: 2 wavefronts."""
    case = Builder(out=of(FLOAT32))
    shared = [
        declare(name, FLOAT32, (32,), "shared", base=base) for name, base in (("s", 0), ("t", 128))
    ]
    for each in shared:
        pointer = AddressOf(of(FLOAT32, "shared"), each)
        case.store(FLOAT32, move(pointer, thread(), 4), nodes.Number(FLOAT32, 1))
    case.barrier()
    low = Operate(BOOL, "<", (thread(), nodes.Number(INT32, 16)))
    index = Operate(INT32, "&", (thread(), nodes.Number(INT32, 15)))
    first, second = (AddressOf(of(FLOAT32, "shared"), each) for each in shared)
    line = case.line
    chosen = case.load(FLOAT32, move(nodes.Choose(first.type, low, first, second), index, 4))
    case.store(FLOAT32, move(case.read("out"), thread(), 4), chosen)
    done = case.run([np.zeros(32, np.float32)])
    counts = done.line(line)
    assert (counts["shared_load_requests"], counts["shared_load_wavefronts"]) == (1, 2)
    assert not done.findings


def test_each_space_of_generic_pointers_is_a_request_of_its_own() -> None:
    case = Builder(a=of(FLOAT32), out=of(FLOAT32))
    shared = AddressOf(GENERIC, declare("s", FLOAT32, (32,), "shared"))
    case.store(FLOAT32, move(shared, thread(), 4), nodes.Number(FLOAT32, 1))
    case.barrier()
    odd = Operate(INT32, "&", (thread(), nodes.Number(INT32, 1)))
    mixed = nodes.Choose(GENERIC, nodes.Convert(BOOL, odd), shared, case.read("a", GENERIC))
    line = case.line
    case.store(
        FLOAT32, move(case.read("out"), thread(), 4), case.load(FLOAT32, move(mixed, thread(), 4))
    )
    out = np.zeros(32, np.float32)
    counts = case.run([np.full(32, 2, np.float32), out]).line(line)
    assert out.tolist() == [2, 1] * 16
    assert (counts["global_load_requests"], counts["global_load_lanes"]) == (1, 16)
    assert (counts["shared_load_requests"], counts["shared_load_lanes"]) == (1, 16)


@pytest.mark.parametrize("kind", VECTORS, ids=lambda kind: f"{kind.dtype}x{kind.size}")
def test_a_vector_is_one_access_of_up_to_16_bytes(kind: VectorType) -> None:
    size, _, word = kind.dtype.itemsize * kind.size, 0, dtype_of(kind)[2]
    case = Builder(out=of(kind))
    shared = AddressOf(of(kind, "shared"), declare("s", UINT8, (32 * size,), "shared"))
    zeros = nodes.Pack(kind, (nodes.Number(kind.dtype, 0),) * kind.size)
    case.store(kind, move(shared, thread(), size), zeros)
    case.store(
        kind, move(case.read("out"), thread(), size), case.load(kind, move(shared, thread(), size))
    )
    totals = case.run([np.zeros(32 * size, np.uint8)]).totals
    several = size // word
    addresses = np.arange(32)[None, :] * size
    model = sum(
        int(cost_many("load", word, addresses + part * word, None, "9.0").wavefronts.sum())
        for part in range(several)
    )
    assert totals["shared_load_requests"] == totals["global_store_requests"] == several
    assert totals["shared_load_wavefronts"] == model
    sectors = sum(
        len({(lane * size + part * word) // 32 for lane in range(32)}) for part in range(several)
    )
    assert totals["global_store_sectors"] == sectors


def test_members_of_structs_are_named_and_tracked_by_their_bytes() -> None:
    record = np.dtype([("x", np.float32), ("n", np.uint8), ("y", np.float64)], align=True)
    case = Builder(a=of(record))
    here = move(case.read("a"), thread(), record.itemsize)
    member = record.fields["y"][1]  # type: ignore[index]
    case.store(FLOAT32, here, nodes.Number(FLOAT32, 1))
    case.store(FLOAT64, move(here, number_of(1), member), nodes.Number(FLOAT64, 2))
    near = move(case.read("a"), Operate(INT64, "^", (everywhere(), number_of(1))), record.itemsize)
    case.store(UINT8, move(near, number_of(1), 4), nodes.Number(UINT8, 3))
    case.store(FLOAT64, move(near, number_of(1), member), nodes.Number(FLOAT64, 4))
    data = np.zeros(32, record)
    done = case.run([data], outputs=["a"])
    assert data.tolist() == [(1.0, 3, 4.0)] * 32
    (race,) = done.findings
    assert (race.kind, race.line, race.other_line) == ("global-race", 4, 2)
    assert race.what.fields["element"] == "a[1].y"


def test_linked_nodes_are_followed_through_memory() -> None:
    """Each node has the pointer to another one, which a kernel stored: p = p->next, three times."""
    kind = of(INT64)
    case = Builder(links=of(kind), values=kind, out=kind)
    target = Operate(INT64, "%", (Operate(INT64, "*", (everywhere(), number_of(3))), number_of(31)))
    case.store(
        of(kind), move(case.read("links"), everywhere(), 8), move(case.read("links"), target, 8)
    )
    case.barrier()
    case.set("p", move(case.read("links"), everywhere(), 8))
    for _ in range(3):
        case.set("p", case.load(of(kind), Read(of(of(kind)), "p")))
    start = nodes.Convert(INT64, case.read("links"))
    offset = Operate(INT64, "-", (Read(INT64, "p"), start))
    case.store(INT64, move(case.read("out"), everywhere(), 8), offset)
    out = np.zeros(31, np.int64)
    done = case.run([np.zeros(31, np.int64), out, out], block=31)
    assert out.tolist() == [8 * (number_ * 27 % 31) for number_ in range(31)]
    assert not done.faults


def test_an_atomic_takes_a_pointer() -> None:
    case = Builder(out=of(INT32))
    index = Operate(INT32, "&", (thread(), nodes.Number(INT32, 3)))
    one = nodes.Number(INT32, 1)
    pointer = move(case.read("out"), index, 4)
    case.step(nodes.Do(nodes.Perform(Nothing(), "atomicAdd", add, (pointer, one), case.site())))
    out = np.zeros(4, np.int32)
    done = case.run([out])
    assert out.tolist() == [8] * 4
    assert (done.totals["global_atomic_requests"], done.totals["global_atomic_sectors"]) == (1, 1)
    assert not done.findings


def add(here: Any, pointer: Any, value: Any) -> None:
    """atomicAdd."""
    cells = reach_target(INT32, pointer, (), here)
    assert cells is not None
    cells.atomic(AtomicUpdate(np.add, (value,), np.add, "atomic", used=False))


# What is wrong


def test_a_pointer_may_move_beyond_its_allocation_and_back() -> None:
    case = Builder(a=of(FLOAT32), out=of(FLOAT32))
    case.set("p", move(case.read("a"), number_of(-1000), 4))
    far = case.set("p", move(Read(of(FLOAT32), "p"), number_of(1 << 20), 4))
    back = move(far, Operate(INT64, "+", (everywhere(), number_of(1000 - (1 << 20)))), 4)
    case.store(FLOAT32, move(case.read("out"), everywhere(), 4), case.load(FLOAT32, back))
    out = np.zeros(32, np.float32)
    done = case.run([np.arange(32, dtype=np.float32), out])
    assert not done.findings
    assert out.tolist() == list(range(32))


def test_a_number_that_a_pointer_is_moved_by_wraps_to_its_type() -> None:
    for kind in (INT32, INT64, UINT64):
        case = Builder(a=of(FLOAT32), out=of(FLOAT32))
        back = move(move(case.read("a"), everywhere(), 4), nodes.Number(kind, -1), 4)
        loaded = case.load(FLOAT32, move(back, number_of(8), 1))
        case.store(FLOAT32, move(case.read("out"), everywhere(), 4), loaded)
        out = np.zeros(32, np.float32)
        assert not case.run([np.arange(33, dtype=np.float32), out]).findings
        assert out.tolist() == list(range(1, 33))


@pytest.mark.parametrize(
    ("address", "code"),
    [
        (0, "finding.null-pointer"),
        (-64, "finding.null-pointer"),
        (0x7FFD_1234_5678, "finding.host-pointer"),
        (0x5555_1234_5678, "finding.host-pointer"),
        ((1 << 62) + (77 << 40), "finding.wild-pointer"),
        (-(1 << 60), "finding.wild-pointer"),
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_an_address_that_is_in_no_allocation_is_said(address: int, code: str, apart: bool) -> None:
    case = Builder(a=of(FLOAT32), p=INT64)
    where: nodes.Expression = case.read("p", of(FLOAT32))
    count = 32
    if apart:  # the other threads have a right one
        low = Operate(BOOL, "<", (thread(), nodes.Number(INT32, 5)))
        where, count = nodes.Choose(of(FLOAT32), low, where, case.read("a")), 5
    case.store(FLOAT32, move(where, thread(), 4), nodes.Number(FLOAT32, 1))
    a = np.zeros(32, np.float32)
    (finding,) = case.run([a, address]).findings
    assert (finding.kind, finding.what.code, finding.count) == ("out-of-bounds", code, count)
    assert a.tolist() == ([0] * 5 + [1] * 27 if apart else [0] * 32)


@pytest.mark.parametrize("space", ["global", *SPACES])
@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_an_access_starts_at_a_multiple_of_its_size(space: Any, size: int) -> None:
    """Odd threads start in the middle: theirs is skipped and said, the others' is made."""
    kind = {2: UINT16, 4: UINT32, 8: UINT64, 16: VectorType(UINT32, 4)}[size]
    case = Builder(a=of(UINT8))
    start: nodes.Expression = case.read("a")
    if space != "global":
        start = AddressOf(of(UINT8, space), declare("a", UINT8, (32 * 16,), space))
    place = move(start, thread(), size + size // 2)
    zero = nodes.Number(number(kind) or UINT32, 0)
    value = nodes.Pack(kind, (zero,) * 4) if isinstance(kind, VectorType) else zero
    case.store(kind, place, value)
    done = case.run([np.zeros(32 * 24, np.uint8)], block=16)
    (finding,) = done.findings
    assert (finding.kind, finding.count) == ("misaligned", 8)
    assert finding.what.fields == {"array": "a", "byte": size + size // 2, "size": size}
    assert done.totals[f"{space}_store_lanes"] == 8


def test_a_pointer_to_shared_memory_is_right_in_its_own_block_alone() -> None:
    """Block 0 leaves one in global memory; block 0 and block 1 read through it."""
    kind = of(INT32, "generic")
    case = Builder(box=of(kind), out=of(INT32))
    shared = AddressOf(kind, declare("s", INT32, (32,), "shared"))
    case.store(INT32, move(shared, thread(), 4), thread())
    case.barrier()
    first = Operate(BOOL, "==", (everywhere(), number_of(0)))
    place = nodes.target(kind, case.read("box"), case.site())
    case.where(first, nodes.Store(place, move(shared, number_of(2), 4)))
    case.barrier()
    line = case.line
    loaded = case.set("p", case.load(kind, case.read("box")))
    case.store(INT32, move(case.read("out"), everywhere(), 4), case.load(INT32, loaded))
    out = np.zeros(64, np.int32)
    done = case.run([np.zeros(1, np.int64), out], grid=2, block=32)
    assert out.tolist() == [2] * 32 + [0] * 32
    wrong = [each for each in done.findings if each.kind == "out-of-bounds"]
    assert [(each.what.code, each.line, each.count, each.block) for each in wrong] == [
        ("finding.foreign-shared", line + 1, 32, (1, 0, 0))
    ]


def test_a_pointer_to_a_local_array_is_right_in_its_own_thread_alone() -> None:
    """Each thread leaves the pointer to its own array, and takes the next thread's."""
    kind = of(INT32, "generic")
    case = Builder(out=of(INT32))
    local = AddressOf(kind, declare("l", INT32, (4,), "local"))
    boxes = AddressOf(of(kind, "shared"), declare("boxes", INT64, (33,), "shared"))
    case.store(INT32, move(local, number_of(1), 4), thread())
    case.store(kind, move(boxes, thread(), 8), move(local, number_of(1), 4))
    case.barrier()
    near = Operate(INT32, "|", (thread(), nodes.Number(INT32, 1)))
    loaded = case.set("p", case.load(kind, move(boxes, near, 8)))
    case.store(INT32, move(case.read("out"), thread(), 4), case.load(INT32, loaded))
    out = np.zeros(32, np.int32)
    done = case.run([out])
    assert out.tolist() == [each if each % 2 else 0 for each in range(32)]
    (finding,) = done.findings
    assert (finding.what.code, finding.count) == ("finding.foreign-local", 16)


def test_threads_without_an_element_are_advised_a_guard() -> None:
    case = case_of(pointers=True)
    coalesced(case)
    done = case.run([np.zeros(50, np.float32), np.zeros(64, np.float32)], block=64)
    (finding,) = done.findings
    assert finding.hint is not None
    assert finding.hint.code == "advice.guard"
    assert finding.hint.fields == {"axis": "x", "size": 50}


@pytest.mark.parametrize("atomic", [False, True])
def test_constant_memory_is_not_written(atomic: bool) -> None:
    kind = of(INT32, "generic")
    case = Builder(out=of(INT32))
    data = np.arange(4, dtype=np.int32)
    table = AddressOf(kind, declare("c", INT32, (4,), "constant", data=data))
    place, one = move(table, number_of(3), 4), nodes.Number(INT32, 1)
    if atomic:
        case.step(nodes.Do(nodes.Perform(Nothing(), "atomicAdd", add, (place, one), case.site())))
    else:
        case.store(INT32, place, one)
    (finding,) = case.run([np.zeros(1, np.int32)]).findings
    assert (finding.what.code, finding.count) == ("finding.constant-write", 32)
    assert finding.what.fields == {"element": "c[3]"}
    assert data.tolist() == [0, 1, 2, 3]


def test_an_atomic_may_reach_a_local_array() -> None:
    kind = of(INT32, "generic")
    case = Builder(out=of(INT32))
    place = AddressOf(kind, declare("l", INT32, (1,), "local"))
    case.store(INT32, place, thread())
    one = nodes.Number(INT32, 1)
    case.step(nodes.Do(nodes.Perform(Nothing(), "atomicAdd", add, (place, one), case.site())))
    case.store(INT32, move(case.read("out"), thread(), 4), case.load(INT32, place))
    out = np.zeros(32, np.int32)
    assert not case.run([out]).findings
    assert out.tolist() == list(range(1, 33))


# A cell of the shadow is as wide as the narrowest access


def raced(
    space: str, first: Scalar, first_step: int, second: Scalar, second_step: int
) -> list[str]:
    """Findings where threads write one type each, then read another type of the same memory."""
    case = Builder(a=of(UINT8), out=of(UINT8))
    start: nodes.Expression = case.read("a")
    if space == "shared":
        start = AddressOf(of(UINT8, "shared"), declare("s", UINT8, (256,), "shared"))
    value = nodes.Convert(first, plus(case.wide_thread(), number_of(1)))
    case.store(first, move(start, thread(), first_step), value)
    case.set("x", case.load(second, move(start, thread(), second_step)))
    return [each.kind for each in case.run([np.zeros(256, np.uint8), np.zeros(1, np.uint8)]).faults]


@pytest.mark.parametrize("space", ["global", "shared"])
def test_threads_race_for_the_same_bytes_only(space: str) -> None:
    race = "global-race" if space == "global" else "race"
    assert raced(space, UINT8, 1, UINT8, 1) == []
    assert raced(space, UINT32, 4, UINT8, 4) == []
    assert raced(space, UINT32, 4, UINT8, 1) == [race]
    assert raced(space, UINT64, 8, UINT32, 8) == []
    assert raced(space, UINT64, 8, UINT32, 4) == [race]
    assert race in raced(space, UINT8, 1, UINT32, 4)
    assert race in raced(space, UINT32, 4, UINT64, 8)
    assert raced(space, UINT32, 8, UINT64, 8) == []


@pytest.mark.parametrize("mixed", [False, True])
def test_a_race_in_memory_of_several_sizes_is_not_said_to_be_harmless(mixed: bool) -> None:
    """All threads read what some wrote, and it was there before; one may read a byte of it."""
    case = Builder(a=of(UINT32))
    first = Operate(BOOL, "<", (thread(), nodes.Number(INT32, 3)))
    case.where(first, nodes.Store(nodes.target(UINT32, case.read("a"), case.site()), seven()))
    case.set("x", case.load(UINT32, case.read("a")))
    if mixed:
        case.set("y", case.load(UINT8, case.read("a")))
    done = case.run([np.full(4, 7, np.uint32)], block=64, tell_harmless=True)
    kinds = ["global-race", "global-race"] if mixed else ["warning"]
    assert [each.kind for each in done.findings] == kinds


def seven() -> nodes.Number:
    """A number."""
    return nodes.Number(UINT32, 7)


@pytest.mark.parametrize("space", ["global", "shared"])
def test_neighbors_that_write_bytes_of_one_word_do_not_race_with_a_word_that_comes_later(
    space: Any,
) -> None:
    """Bytes by each thread, a barrier, words by the first threads, without one: both are told."""
    found_ = []
    for synchronized in (True, False):
        case = Builder(a=of(UINT8))
        start: nodes.Expression = case.read("a")
        if space == "shared":
            start = AddressOf(of(UINT8, "shared"), declare("s", UINT8, (64,), "shared"))
        case.store(UINT32, move(start, number_of(0), 4), nodes.Number(UINT32, 0))
        case.barrier()
        case.store(UINT8, move(start, thread(), 1), nodes.Number(UINT8, 1))
        if synchronized:
            case.barrier()
        few = Operate(BOOL, "<", (thread(), nodes.Number(INT32, 8)))
        place = nodes.target(UINT32, move(start, thread(), 4), case.site())
        case.where(few, nodes.Store(place, nodes.Number(UINT32, 7)))
        found_.append([each.kind for each in case.run([np.zeros(64, np.uint8)]).faults])
    assert found_ == [[], ["global-race" if space == "global" else "race"]]


@pytest.mark.parametrize("space", SPACES)
def test_a_part_of_an_element_that_is_not_written_is_told(space: Any) -> None:
    for bytes_, kinds in ((8, []), (7, ["uninitialised-read"])):
        case = Builder(out=of(UINT64))
        start = AddressOf(of(UINT8, space), declare("m", UINT64, (32,), space))
        for byte in range(bytes_):
            place = move(move(start, thread(), 8), number_of(byte), 1)
            case.store(UINT8, place, nodes.Number(UINT8, 1))
        loaded = case.load(UINT64, move(start, thread(), 8))
        case.store(UINT64, move(case.read("out"), thread(), 8), loaded)
        done = case.run([np.zeros(32, np.uint64)])
        assert [each.kind for each in done.faults] == kinds


@pytest.mark.parametrize("kind", [UINT8, UINT32, FLOAT64, VectorType(FLOAT32, 4)], ids=str)
def test_elements_that_are_written_in_another_size_count_as_written(kind: Kind) -> None:
    dtype, members, _ = dtype_of(kind)
    size = dtype.itemsize * members
    case = Builder(out=of(UINT8))
    zero = nodes.Number(dtype, 0)
    value = nodes.Pack(kind, (zero,) * members) if isinstance(kind, VectorType) else zero
    case.store(kind, move(case.read("out"), thread(), size), value)
    out = np.zeros(64 * max(1, size // 4), np.float32)
    done = case.run([out], outputs=["out"])
    missing = out.size - 32 * size // 4
    (finding,) = done.findings
    assert (finding.kind, finding.count) == ("never-written", missing)


def test_a_loop_that_many_warps_leave_goes_on_with_pointers_alone() -> None:
    """Each thread counts down from its own number; only some warps have work for long."""
    seen = []
    for pointers in (True, False):
        case = case_of(pointers=pointers)
        heavy = Operate(
            INT64, "*", (Operate(INT64, "//", (everywhere(), number_of(4000))), number_of(9))
        )
        left = case.set("left", heavy)
        case.set("sum", nodes.Number(FLOAT32, 0))
        where = case.at(case.array("a"), plus(everywhere(), Read(INT64, "left")))
        total = Operate(FLOAT32, "+", (Read(FLOAT32, "sum"), nodes.Load(FLOAT32, where)))
        less = nodes.Set("left", Operate(INT64, "-", (Read(INT64, "left"), number_of(1))))
        case.loop(Operate(BOOL, ">", (left, number_of(0))), nodes.Set("sum", total), less)
        case.write(case.at(case.array("out"), everywhere()), Read(FLOAT32, "sum"))
        out = np.zeros(8192, np.float32)
        done = case.run([np.arange(8300, dtype=np.float32), out], grid=64, block=128)
        seen.append((out.tolist(), done.files, found(done)))
    assert seen[0] == seen[1]
    assert seen[0][0][8000] == sum(range(8001, 8019))


def test_overlapping_arguments_are_one_allocation() -> None:
    data = np.zeros(64, np.float32)
    table = Allocations()
    bound = bind_arguments(("a", "b"), (data[:40], data[32:]), None, timed=False, allocations=table)
    first, second = (int(bound.values[name][0, 0]) for name in "ab")
    assert second - first == 128
    allocation = table.at(second)
    assert allocation is not None
    assert (allocation.start, allocation.size) == (first, 256)
    assert first % 256 == 0


def test_a_program_with_pointers_is_printed() -> None:
    case = Builder(a=of(FLOAT32))
    shared = AddressOf(of(FLOAT32, "shared"), declare("s", FLOAT32, (32,), "shared"))
    vector = VectorType(FLOAT32, 4)
    case.set("p", Move(of(FLOAT32), case.read("a"), block(), 4))
    case.store(vector, case.read("p", of(FLOAT32)), case.load(vector, move(shared, thread(), 16)))
    kernel = nodes.Function("kernel", ("a",), Nothing(), tuple(case.body), is_kernel=True)
    assert print_program(kernel).splitlines()[1:] == [
        "             s = shared float32[32]",
        "   1:1       p: global float32* = a + blockIdx.x",
        "   2:1       *(float32x4*)p = *(float32x4*)move(&s, threadIdx.x * 16 bytes)",
    ]


# What a kernel writes to


def pointing(*body: nodes.Operation) -> frozenset[str] | None:
    """The parameters that a kernel with these operations may write to."""
    site = Builder(a=of(INT32)).site()
    steps = (nodes.Step(site, body),)
    return written_parameters(nodes.Function("kernel", ("a", "b", "c"), Nothing(), steps))


def test_arrays_that_no_pointer_is_written_through_are_known() -> None:
    kind = of(INT32)
    a, b, c, p, q = (Read(kind, name) for name in ("a", "b", "c", "p", "q"))
    one, site = nodes.Number(INT32, 1), Builder(a=kind).site()
    load = nodes.Load(INT32, nodes.target(INT32, b, site))

    def store(pointer: nodes.Expression) -> nodes.Store:
        return nodes.Store(nodes.target(INT32, pointer, site), one)

    assert pointing(store(move(a, load, 4))) == {"a"}
    assert pointing(nodes.Do(load)) == frozenset()
    assert pointing(nodes.Set("p", a), nodes.Set("q", move(p, one, 4)), store(q)) == {"a"}
    assert pointing(store(q), nodes.Set("q", p), nodes.Set("p", b)) == {"b"}  # as in a loop
    test = nodes.Number(BOOL, 1)
    assert pointing(store(nodes.Choose(kind, test, a, c))) == {"a", "c"}
    null = nodes.Convert(kind, nodes.Number(INT64, 0))
    assert pointing(nodes.Set("p", null), nodes.Set("p", c), store(p)) == {"c"}
    assert pointing(nodes.Update(nodes.target(INT32, b, site), "%old", one)) == {"b"}
    atomic = nodes.Perform(Nothing(), "atomicAdd", add, (move(c, one, 4), one), site)
    assert pointing(nodes.Do(atomic)) == {"c"}
    peeked = nodes.Perform(INT32, "ldg", add, (c,), site, alone=True)
    assert pointing(nodes.Do(peeked), store(a)) == {"a"}
    loaded = nodes.Load(kind, nodes.target(kind, Read(of(kind), "a"), site))
    assert pointing(store(loaded)) is None
    assert pointing(store(nodes.Convert(kind, Read(INT64, "n")))) is None
    assert pointing(store(AddressOf(kind, declare("s", INT32, (4,), "shared")))) == frozenset()


def test_pointers_are_followed_through_calls() -> None:
    kind = of(INT32)
    site, one = Builder(a=kind).site(), nodes.Number(INT32, 1)
    give = nodes.Return(site, move(Read(kind, "p"), one, 4))
    chosen = nodes.Function("chosen", ("p",), kind, (give,))
    step = nodes.Step(site, (nodes.Store(nodes.target(INT32, Read(kind, "p"), site), one),))
    written = nodes.Function("written", ("p", "a"), Nothing(), (step,))
    result = nodes.Call(kind, chosen, (Read(kind, "b"),))
    call = nodes.Call(Nothing(), written, (result, Read(kind, "a")))
    assert pointing(nodes.Do(call)) == {"b"}
