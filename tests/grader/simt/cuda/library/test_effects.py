"""What threads do to each other and to memory: warp primitives, atomics, hints, printf, assert."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.errors import DriverError
from grader.simt.program.nodes import Perform
from tests.grader.simt.cuda.library.kernels import TYPES, compute, run
from tests.tables import each

LANES = np.arange(32)
FULL = "0xffffffffu"


def at_width(source, width: int) -> np.ndarray:
    """Return the lane that each lane reads from, by PTX's rule for `shfl.sync`."""
    first = LANES // width * width
    target, there = source(LANES, first, first + width - 1)
    return np.where(there, target, LANES)


SHUFFLES = {
    "__shfl_sync(MASK, a, 5WIDTH)": lambda own, first, last: (first + (5 & last - first), own >= 0),
    "__shfl_up_sync(MASK, a, 3WIDTH)": lambda own, first, _: (own - 3, own - 3 >= first),
    "__shfl_down_sync(MASK, a, 3WIDTH)": lambda own, _, last: (own + 3, own + 3 <= last),
    "__shfl_xor_sync(MASK, a, 6WIDTH)": lambda own, _, last: (own ^ 6, own ^ 6 <= last),
}


@pytest.mark.parametrize("width", [32, 16, 8, 4, 1])
@pytest.mark.parametrize("call", SHUFFLES)
def test_a_shuffle_stays_in_its_segment(call, width):
    text = call.replace("MASK", FULL)
    right = at_width(SHUFFLES[call], width)
    if "xor" in call:
        first = LANES // width * width
        right = np.where(first + width - 1 >= (LANES ^ 6), LANES ^ 6, LANES)
    found = compute(text.replace("WIDTH", f", {width}"), "int", a=("int", LANES))
    assert found.tolist() == right.tolist()
    variable = compute(text.replace("WIDTH", ", b"), "int", a=("int", LANES), b=("int", [width]))
    assert variable.tolist() == right.tolist()
    if width == 32:
        plain = compute(text.replace("WIDTH", ""), "int", a=("int", LANES))
        assert plain.tolist() == right.tolist()


@each(
    "kind",
    ["unsigned", "long", "long long", "float", "double", "half", "half2", "__nv_bfloat16",
     "__nv_bfloat162"],
)  # fmt: skip
def test_a_shuffle_moves_numbers_of_a_type(kind):
    found = compute(f"__shfl_xor_sync({FULL}, a, 1)", kind, a=(kind, LANES))
    assert found.tolist() == (LANES ^ 1).tolist()


def test_a_shuffle_of_a_char_is_one_of_an_int():
    assert compute(f"sizeof(__shfl_sync({FULL}, (char)a, 0))", "int", a=("int", LANES))[0] == 4


def test_a_width_that_is_no_power_of_two_is_refused():
    with pytest.raises(Refused) as raised:
        compute(f"__shfl_sync({FULL}, a, 0, 12)", "int", a=("int", LANES))
    assert raised.value.what.code == "cpp.shuffle-width"


@pytest.mark.parametrize(
    ("expression", "result", "right"),
    [
        (f"__ballot_sync({FULL}, a & 1)", "unsigned", 0xAAAAAAAA),
        (f"__all_sync({FULL}, a < 32)", "int", 1),
        (f"__any_sync({FULL}, 0.5f)", "int", 0),
        ("__activemask()", "unsigned", 0xFFFFFFFF),
        (f"__reduce_add_sync({FULL}, a)", "int", 496),
        (f"__reduce_min_sync({FULL}, a - 40)", "int", -40),
        (f"__reduce_max_sync({FULL}, (unsigned)(a - 40))", "unsigned", 0xFFFFFFF7),
        (f"__reduce_and_sync({FULL}, a | 64)", "unsigned", 64),
        (f"__reduce_or_sync({FULL}, a)", "unsigned", 31),
        (f"__reduce_xor_sync({FULL}, 1u << a)", "unsigned", 0xFFFFFFFF),
        ("__syncthreads_count(a % 3)", "int", 21),
        ("__syncthreads_and(a)", "int", 0),
        ("__syncthreads_or(a)", "int", 1),
    ],
)
def test_votes_and_reductions(expression, result, right):
    assert compute(expression, result, a=("int", LANES)).tolist() == [right] * 32


def test_lanes_that_match_reduce_among_themselves():
    """Each group calls with its own mask at the same time, as after `__match_any_sync`."""
    group = f"__match_any_sync({FULL}, a % 3)"
    masks = compute(group, "unsigned", a=("int", LANES)).tolist()
    members = [LANES[lane % 3 == LANES % 3] for lane in LANES]
    assert masks == [sum(1 << int(lane) for lane in own) for own in members]
    sums = compute(f"__reduce_add_sync({group}, a)", "int", a=("int", LANES))
    assert sums.tolist() == [own.sum() for own in members]
    votes = compute(f"__ballot_sync({group}, a < 9)", "unsigned", a=("int", LANES))
    assert votes.tolist() == [sum(1 << int(x) for x in own if x < 9) for own in members]


def test_match_compares_bits_and_writes_its_predicate():
    text = f"__match_any_sync({FULL}, a ? NAN : 0.0f)"
    found = compute(text, "unsigned", a=("int", LANES % 2))
    assert found[:2].tolist() == [0x55555555, 0xAAAAAAAA]
    out = np.zeros(32, np.int32)
    body = f"int same = 7; unsigned m = __match_all_sync({FULL}, i / 32, &same); out[i] = m + same;"
    run(body, out, parameters="int* out")
    assert out.tolist() == [0] * 32  # 0xffffffff + 1


ATOMICS = {
    "atomicAdd": ("iuQfdh", 31 * 16), "atomicSub": ("iu", -31 * 16), "atomicMin": ("iuqQ", 0),
    "atomicMax": ("iuqQ", 31), "atomicAnd": ("iuqQ", 0), "atomicOr": ("iuqQ", 31),
    "atomicXor": ("iuqQ", 0), "atomicExch": ("iuQf", 31),
}  # fmt: skip
LETTERS = {
    "i": "int", "u": "unsigned", "q": "long long", "Q": "unsigned long long", "f": "float",
    "d": "double", "h": "half",
}  # fmt: skip


@pytest.mark.parametrize("scope", ["", "_block", "_system"])
@pytest.mark.parametrize("name", ATOMICS)
def test_an_atomic_has_the_types_of_cuda(name, scope):
    letters, right = ATOMICS[name]
    for letter, kind in LETTERS.items():
        cell = np.zeros(1, TYPES[kind])
        body = f"{name}{scope}(cell, i);"
        if letter not in letters or (scope and letter == "h"):
            with pytest.raises(Refused) as raised:
                run(body, cell, parameters=f"{kind}* cell")
            assert raised.value.what.code in ("cpp.no-overload", "cpp.no-conversion")
            continue
        assert run(body, cell, parameters=f"{kind}* cell").faults == ()
        assert cell[0] == np.array(right).astype(cell.dtype)


def test_size_t_has_no_atomics_and_unsigned_long_long_has():
    for kind, fits in (("size_t", False), ("unsigned long long", True)):
        cell = np.zeros(1, np.uint64)
        if fits:
            run("atomicAdd(cell, 1ull);", cell, parameters=f"{kind}* cell")
            assert cell[0] == 32
            continue
        with pytest.raises(Refused):
            run("atomicAdd(cell, 1ull);", cell, parameters=f"{kind}* cell")


def test_two_numbers_in_a_word_are_one_access_and_are_added_by_one_atomic():
    halves, bfloats = np.arange(64, dtype=np.float16), np.zeros(2, np.uint16)
    sums, single, old = np.zeros(2, np.float16), np.zeros(1, np.uint16), np.zeros(64, np.float16)
    done = run(
        "half2 v = a[i]; old[i] = atomicAdd(sums, v); atomicAdd(one, __nv_bfloat16(i & 1));"
        " atomicAdd(pair, __floats2bfloat162_rn(1.0f, i & 1));",
        halves, sums, bfloats, single, old,
        parameters="const half2* a, half2* sums, __nv_bfloat162* pair, __nv_bfloat16* one,"
        " half2* old",
    )  # fmt: skip
    assert sums.tolist() == [992, 1024]
    assert old[:6].tolist() == [0, 0, 0, 1, 2, 4]
    assert [*bfloats, *single] == [0x4200, 0x4180, 0x4180]  # 32, 16, 16
    counted = ("global_load_requests", "global_load_sectors", "global_atomic_requests")
    assert [done.totals[name] for name in counted] == [1, 4, 3]


def test_inc_dec_and_cas():
    cells = np.zeros(4, np.uint32)
    run(
        """atomicInc(&cells[0], 9u); atomicDec(&cells[1], 9u);
        unsigned old = atomicCAS(&cells[2], 0u, i + 1u); if (old == 0u) cells[3] = i;""",
        cells,
        parameters="unsigned* cells",
    )
    assert cells.tolist() == [2, 8, 1, 0]
    short = np.zeros(1, np.uint16)
    value = "(unsigned short)0, (unsigned short)7"
    run(f"atomicCAS(cell, {value});", short, parameters="unsigned short* cell")
    assert short[0] == 7


@pytest.mark.parametrize(
    ("statement", "banks"),
    [
        ("atomicAdd(&cells[i], 1);", "atom_inc"),
        ("cells[0] = atomicAdd(&cells[i], 1);", "atom"),
        ("atomicAdd(&cells[i], 2);", "atom"),
    ],
)
def test_an_increment_whose_result_is_not_used_is_one_for_the_bank_model(statement, banks):
    source = f"__global__ void kernel(unsigned* cells) {{ int i = threadIdx.x; {statement} }}"
    kernel, _ = lower_kernel(read_cuda(source), "kernel")
    steps = kernel.compiled.lowered.body
    values = [each.value for step in steps for each in step.operations]
    (atomic,) = [value.run.args[0] for value in values if isinstance(value, Perform)]
    assert atomic.banks == banks


@pytest.mark.parametrize("hint", ["g", "cg", "ca", "cs", "lu", "cv"])
def test_a_load_with_a_hint_is_one_access_of_a_vector(hint):
    given, out = np.arange(128, dtype=np.float32), np.zeros(32, np.float32)
    body = f"float4 v = __ld{hint}(reinterpret_cast<const float4*>(a) + i); out[i] = v.x + v.w;"
    assert run(body, given, out, parameters="const float* a, float* out").faults == ()
    assert out.tolist() == (given[::4] + given[3::4]).tolist()


@pytest.mark.parametrize("hint", ["wb", "cg", "cs", "wt"])
def test_a_store_with_a_hint(hint):
    out = np.zeros(64, np.int32)
    body = f"__st{hint}(reinterpret_cast<int2*>(out) + i, make_int2(i, -i));"
    assert run(body, out, parameters="int* out").faults == ()
    assert out.tolist() == [x for lane in LANES.tolist() for x in (lane, -lane)]


def test_swap_exchanges_variables_and_memory():
    out = np.array([5, 6], np.int32)
    run(
        "int a = 1, b = 2; std::swap(a, b); std::swap(out[0], out[1]); out[0] += 10 * a + b;",
        out, parameters="int* out", threads=1,
    )  # fmt: skip
    assert out.tolist() == [27, 5]


def printed(body: str, threads: int = 2) -> list[str]:
    """Return the lines that a kernel prints."""
    lines: list[str] = []
    run(body, parameters="", threads=threads, printed=lines.append)
    return lines


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        (r'printf("i=%d\n", i)', ["i=0", "i=1"]),
        (r'printf("%5.2f|%-4d|%04x\n", 1.5f, i, 255)', [" 1.50|0   |00ff", " 1.50|1   |00ff"]),
        (r'if (i == 0) printf("%u %lld %llu\n", -1, -1LL, -1LL)',
         ["4294967295 -1 18446744073709551615"]),
        (r'if (i == 0) printf("%s %c 100%%\n", "text", 65)', ["text A 100%"]),
        (r'const char* s = i ? "odd" : "even"; printf("%s|%5s\n", s, s + 1)',
         ["even|  ven", "odd|   dd"]),
        (r'if (i == 0) printf("a\nb\n")', ["a", "b"]),
        (r'if (i == 0) printf("%g %e %f\n", 0.5, 1.0, INFINITY)', ["0.5 1.000000e+00 inf"]),
        (r'if (i == 0) printf("%d", (short)-3)', ["-3"]),
    ],
)  # fmt: skip
def test_printf_formats_as_c_does(call, lines):
    assert printed(f"{call};") == lines


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ('printf("%d", 1.5f)', "cpp.printf-argument"),
        ('printf("%f", 1)', "cpp.printf-argument"),
        ('int* p = nullptr; printf("%s", p)', "cpp.printf-argument"),
        ('printf("%d %d", 1)', "cpp.printf-count"),
        ('printf("%n", 1)', "cpp.printf-specifier"),
        ('printf("%*d", 1, 2)', "cpp.printf-specifier"),
        ("printf(1)", "cpp.printf-format"),
    ],
)
def test_printf_that_c_leaves_undefined_is_refused(call, code):
    with pytest.raises(Refused) as raised:
        printed(f"{call};")
    assert raised.value.what.code == code


def test_a_failing_assert_ends_the_launch_as_on_a_device():
    out = np.zeros(32, np.int32)
    body = 'assert(i < 5 && "too many"); out[i] = 1;'
    done = run(body, out, parameters="int* out")
    assert not done.finished
    assert isinstance(done.raised, DriverError)
    assert 'block: [0,0,0], thread: [5,0,0] Assertion `(i < 5) && "too many"` failed.' in str(
        done.raised
    )
    assert run("assert(i < 32);", out, parameters="int* out").finished


def test_a_trap_ends_the_launch_and_an_assumption_does_not():
    out = np.zeros(32, np.int32)
    done = run("if (i == 3) __trap();", out, parameters="int* out")
    assert "thread: [3,0,0] __trap()" in str(done.raised)
    body = "__builtin_assume(i < 0); __nanosleep(100); __threadfence_block(); out[i] = 1;"
    assert run(body, out, parameters="int* out").finished
    assert out.all()


BLOCK = "cg::this_thread_block()"
WARP = f"cg::tiled_partition<32>({BLOCK})"
HALF_WARP = f"cg::tiled_partition<16>({WARP})"
QUAD = f"cg::tiled_partition<4>({BLOCK})"
THREADS = np.arange(64)
IN_QUADS = THREADS.reshape(-1, 4)
GROUPS = [
    (f"{BLOCK}.thread_rank() + 100 * {BLOCK}.size()", THREADS + 6400),
    (f"{BLOCK}.dim_threads().x + {BLOCK}.group_index().x", 64),
    ("(int)cg::this_grid().thread_rank() + (int)cg::this_grid().num_blocks()", THREADS + 1),
    (f"{WARP}.thread_rank() + 100 * {WARP}.meta_group_rank()", THREADS % 32 + THREADS // 32 * 100),
    (f"{QUAD}.meta_group_size() + 100 * {QUAD}.num_threads()", 416),
    (f"{HALF_WARP}.meta_group_rank() + 100 * {HALF_WARP}.meta_group_size()",
     THREADS % 32 // 16 + 200),
    (f"{QUAD}.shfl(a, 2)", IN_QUADS[:, 2].repeat(4)),
    (f"{QUAD}.shfl_xor(a, 1)", THREADS ^ 1),
    (f"{QUAD}.shfl_down((short)a, 1)", np.where(THREADS % 4 == 3, THREADS, THREADS + 1)),
    (f"{QUAD}.shfl_up(make_int2(a, 7), 1).x", np.where(THREADS % 4, THREADS - 1, THREADS)),
    (f"{QUAD}.ballot(a % 4 == 1)", 2),
    (f"{QUAD}.match_any(a % 2)", np.where(THREADS % 2, 10, 5)),
    (f"{QUAD}.any(a == 5) + 10 * {QUAD}.all(a < 8)",
     (THREADS // 4 == 1) + 10 * (THREADS < 8)),
    (f"cg::reduce({QUAD}, a, cg::plus<int>())", IN_QUADS.sum(1).repeat(4)),
    (f"cg::reduce({WARP}, a, cg::less<int>())", THREADS // 32 * 32),
    (f"cg::reduce({HALF_WARP}, (char)(a & 7), cg::bit_or<char>())", 7),
    (f"(int)cg::reduce({QUAD}, (float)a, cg::greater<float>())", IN_QUADS[:, 3].repeat(4)),
    (f"cg::inclusive_scan({QUAD}, a, cg::plus<int>())", IN_QUADS.cumsum(1).ravel()),
    (f"(int)cg::exclusive_scan({QUAD}, (float)a)", (IN_QUADS.cumsum(1) - IN_QUADS).ravel()),
    (f"cg::exclusive_scan({WARP}, 1)", THREADS % 32),
    (f"cg::reduce({QUAD}, a, larger)", IN_QUADS[:, 3].repeat(4)),
    (f"reduce({QUAD}, a, cg::plus<int>())", IN_QUADS.sum(1).repeat(4)),
    ("(int)__low2float(cg::reduce(" + QUAD + ", __float2half2_rn(a), cg::plus<half2>()))",
     IN_QUADS.sum(1).repeat(4)),
]  # fmt: skip


@each(("expression", "right"), GROUPS)
def test_a_group_of_threads(expression, right):
    found = compute(expression, "int", a=("int", THREADS))
    assert np.array_equal(found, np.broadcast_to(right, 64))


def test_sums_of_floats_are_added_in_the_order_of_cuda():
    given = np.random.default_rng(33).normal(size=32).astype(np.float32)
    plus = "cg::plus<float>()"
    out = np.zeros(96, np.float32)
    done = run(
        f"auto w = {WARP}; out[i] = cg::reduce(w, a[i], {plus});"
        f"out[32 + i] = cg::inclusive_scan(w, a[i], {plus});"
        f"if (i % 3) out[64 + i] = cg::reduce(cg::coalesced_threads(), a[i], {plus});",
        given, out, parameters="const float* a, float* out",
    )  # fmt: skip
    halves, scans, some = given.copy(), given.copy(), given[np.arange(32) % 3 != 0]
    for distance in (16, 8, 4, 2, 1):
        halves = halves + halves[np.arange(32) ^ distance]
    for distance in (1, 2, 4, 8, 16):
        scans[distance:] = scans[distance:] + scans[:-distance].copy()
        some[distance:] = some[distance:] + some[:-distance].copy()
    assert done.faults == ()
    assert out[:32].tolist() == halves.tolist()
    assert out[32:64].tolist() == scans.tolist()
    assert set(out[64:].tolist()) == {0.0, float(some[-1])}


def run_groups(body: str, rows: int) -> np.ndarray:
    """Return what the 32 threads of a kernel without faults store to rows of `out`; -1 is unset."""
    out = np.full((rows, 32), -1, np.int32)
    done = run(body, out.reshape(-1), parameters="int* out")
    assert done.faults == ()
    return out


def test_coalesced_threads_are_numbered_and_exchange_by_rank():
    out = run_groups(
        "if (i % 3) { auto g = cg::coalesced_threads(); out[i] = g.thread_rank() + 100 * g.size();"
        " out[32 + i] = g.shfl(i, 2); out[64 + i] = g.shfl_down(i, 1);"
        " out[96 + i] = g.ballot(i < 6); g.sync(); }",
        4,
    )
    here = np.flatnonzero(np.arange(32) % 3)
    assert out[0, here].tolist() == [2100 + rank for rank in range(21)]
    assert set(out[1, here].tolist()) == {here[2]}
    assert out[2, here].tolist() == [*here[1:], 31]
    assert set(out[3, here].tolist()) == {0b1111}


def test_a_thread_group_is_any_group_and_a_size_may_be_an_argument():
    out = run_groups(
        "cg::thread_group block = cg::this_thread_block();"
        " cg::thread_group tile = cg::tiled_partition(cg::tiled_partition(block, 32), 4);"
        " out[i] = rank(block, 7); out[32 + i] = rank(tile, 100 * tile.size());",
        2,
    )
    assert out.tolist() == [list(range(7, 39)), [400 + i % 4 for i in range(32)]]


def test_parts_of_a_tile_are_the_threads_with_its_label_or_on_its_side():
    out = run_groups(
        f"auto g = cg::labeled_partition({WARP}, i % 3);"
        " out[i] = cg::reduce(g, i, cg::plus<int>());"
        " auto h = cg::binary_partition(g, i < 5); out[32 + i] = 100 * h.size() + h.thread_rank();"
        " if (i % 2) out[64 + i] = cg::labeled_partition(cg::coalesced_threads(), i / 16).size();",
        3,
    )
    lanes = np.arange(32)
    alike = lanes[:, None] % 3 == lanes % 3
    assert out[0].tolist() == (alike @ lanes).tolist()
    part = alike & ((lanes[:, None] < 5) == (lanes < 5))
    ranks = np.tril(part, -1).sum(axis=1)
    assert out[1].tolist() == (100 * part.sum(axis=1) + ranks).tolist()
    assert out[2].tolist() == [-1, 8] * 16


@each(
    ("body", "code"),
    [
        ("cg::labeled_partition(cg::this_thread_block(), i);", "cpp.no-tile-function"),
        ("cg::thread_group g;", "cpp.auto"),
        ("struct S { cg::thread_group g; }; S* s;", "cpp.no-cooperative-group"),
        ("cg::tiled_partition<64>(cg::this_thread_block());", "cpp.no-tile"),
        ("cg::tiled_partition(cg::this_thread_block(), i);", "cpp.no-group-function"),
        ("cg::reduce(cg::this_thread_block(), 1, cg::plus<int>());", "cpp.no-tile-function"),
        ("cg::this_thread_block().barrier_arrive();", "cpp.no-group-function"),
        ("cg::sync(i);", "cpp.not-a-group"),
    ],
)
def test_groups_that_are_refused_by_name(body, code):
    with pytest.raises(Refused) as raised:
        run(body, np.zeros(1), parameters="double* p")
    assert raised.value.what.code == code


def test_a_tile_whose_threads_are_elsewhere_is_reported_at_its_line():
    done = run(f"if (i < 20)\n  {WARP}.sync();", np.zeros(1), parameters="double* p")
    (fault,) = done.faults
    assert (fault.kind, fault.line) == ("absent-lanes", 8)


# Asynchronous copies

_PIPELINE = """
    __shared__ float s[2][64];
    __pipeline_memcpy_async(&s[0][i], &a[i], 4);
    __pipeline_commit();
    float sum = 0;
    for (int k = 0; k < 5; ++k) {
        if (k < 4) __pipeline_memcpy_async(&s[(k + 1) % 2][i], &a[(k + 1) * 64 + i], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[k % 2][63 - i];
        __syncthreads();
    }
    out[i] = sum;
"""


def pipeline(old: str = "", new: str = "", *, last: bool = False):
    """Run it with an edit; return the findings' kinds and the sums."""
    at = _PIPELINE.rfind(old) if last else _PIPELINE.find(old)
    body = f"{_PIPELINE[:at]}{new}{_PIPELINE[at + len(old) :]}"
    a, out = np.arange(320, dtype=np.float32) % 97, np.zeros(64, np.float32)
    done = run(body, a, out, parameters="const float* a, float* out", threads=64)
    return {finding.kind for finding in done.faults}, out, a


def test_what_is_copied_is_there_behind_the_wait_and_a_barrier():
    found, out, a = pipeline()
    assert not found
    assert np.array_equal(out, a.reshape(5, 64)[:, ::-1].sum(axis=0))


@pytest.mark.parametrize(
    ("old", "new", "last", "kind"),
    [
        ("wait_prior(1)", "wait_prior(2)", False, "uninitialised-read"),
        ("__syncthreads();", "", False, "race"),
        ("__syncthreads();", "", True, "race"),
        ("&a[i], 4", "&a[i - 1], 4", False, "out-of-bounds"),
        ("&s[0][i], &a[i], 4", "&s[0][i], &a[i], 8", False, "misaligned"),
    ],
)
def test_a_pipeline_with_a_fault(old, new, last, kind):
    assert kind in pipeline(old, new, last=last)[0]


def test_blocks_whose_loops_differ_wait_for_their_own_copies():
    body = f"const int steps = 5 - 2 * blockIdx.x;{_PIPELINE}"
    for old, new in (("k < 5", "k < steps"), ("k < 4", "k + 1 < steps"), ("out[i]", "out[b + i]")):
        body = body.replace(old, new)
    a, out = np.arange(320, dtype=np.float32) % 97, np.zeros(192, np.float32)
    parameters = "const float* a, float* out"
    body = f"const int b = blockIdx.x * 64;{body}"
    done = run(body, a, out, parameters=parameters, threads=64, grid=3)
    assert not done.faults
    sums = [a.reshape(5, 64)[: 5 - 2 * block, ::-1].sum(axis=0) for block in range(3)]
    assert np.array_equal(out, np.concatenate(sums))


def test_bytes_at_the_end_are_zeros_and_are_not_read():
    a, out = np.arange(20, dtype=np.float32), np.ones(32, np.float32)
    body = """
        __shared__ float s[32];
        __pipeline_memcpy_async(&s[i], &a[i], sizeof(float), i < 20 ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        out[i] = s[i];
    """
    done = run(body, a, out, parameters="const float* a, float* out")
    assert done.faults == ()
    assert out.tolist() == [*range(20), *[0] * 12]


def test_words_that_are_filled_in_part_are_read_in_part():
    a, out = np.arange(7, dtype=np.float32), np.ones(8, np.float32)
    body = """
        __shared__ __align__(8) float s[8];
        int bytes = i == 3 ? 4 : 8;
        if (i < 4) __pipeline_memcpy_async(s + 2 * i, a + 2 * i, 8, 8 - bytes);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        if (i < 8) out[i] = s[i];
    """
    done = run(body, a, out, parameters="const float* a, float* out")
    assert done.faults == ()
    assert out.tolist() == [*range(7), 0]


@pytest.mark.parametrize(
    "body",
    [
        "s[i] = 0; COPY v = s[i]; WAIT",  # reads what is in flight
        "s[i] = 0; COPY s[i] = 1; WAIT",
        "COPY COPY WAIT",
    ],
)
def test_a_thread_waits_for_its_own_copy(body):
    copy = "__pipeline_memcpy_async(&s[i], &a[i], 4); __pipeline_commit();"
    text = body.replace("COPY", copy).replace("WAIT", "__pipeline_wait_prior(0);")
    a, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    done = run(
        f"__shared__ float s[32]; float v = 0; {text} out[i] = v + s[i];",
        a, out, parameters="const float* a, float* out",
    )  # fmt: skip
    assert "race" in {finding.kind for finding in done.faults}


@pytest.mark.parametrize("call", ["out + i, a + i", "s + i, s + (i ^ 1)", "s + i, &v"])
def test_a_copy_goes_from_global_to_shared_memory(call):
    a, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    done = run(
        f"__shared__ float s[32]; float v = 0; s[i] = v; __pipeline_memcpy_async({call}, 4);",
        a, out, parameters="const float* a, float* out",
    )  # fmt: skip
    assert "finding.copy-space" in {finding.what.code for finding in done.faults}


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("__pipeline_memcpy_async(s, a, 12)", "cpp.copy-size"),
        ("__pipeline_memcpy_async(s, a, n)", "cpp.copy-constant"),
        ("__pipeline_memcpy_async(s, a[0], 4)", "cpp.copy-pointers"),
        ("__pipeline_memcpy_async(s, a)", "cpp.argument-count"),
        ("__pipeline_wait_prior(n)", "cpp.copy-constant"),
    ],
)
def test_an_asynchronous_copy_that_does_not_compile(call, code):
    with pytest.raises(Refused) as caught:
        run(f"__shared__ float s[32]; {call};", parameters="const float* a, int n")
    assert caught.value.what.code == code
