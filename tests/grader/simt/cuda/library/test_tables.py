"""Functions of CUDA's math API and its intrinsics: their values, and the types they are chosen by.

Which overload is chosen, and what it returns, was compared with nvcc 13.0 for every function and
174,685 lists of argument types; the tests keep what differs from plain C++.
"""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from grader.simt import Refused
from grader.simt.cuda.lowering import positions
from grader.simt.cuda.lowering.library import half, intrinsics, maths
from grader.simt.cuda.lowering.library.tables import HANDLERS
from grader.simt.geometry import Geometry
from grader.simt.intrinsics.fixed_signatures import Entry
from grader.simt.intrinsics.libdevice import ENTRIES
from grader.simt.machine.chunk import Chunk
from tests.grader.simt.cuda.library.kernels import TYPES, compute, run
from tests.tables import each

REALS = [0.5, -2.5, 0.0, -0.0, 1.0, 3.7e3, math.inf, -math.inf, math.nan, 1e-40]
UNARY = sorted(maths._UNARY)


@each("name", UNARY)
def test_a_function_is_of_float_or_double_as_its_argument_is(name):
    for kind, dtype, entry in (("float", np.float32, f"{name}f"), ("double", np.float64, name)):
        given = np.array(REALS, dtype)
        with np.errstate(all="ignore"):
            right = ENTRIES[entry].apply(given).astype(dtype)
        found = compute(f"{name}(a)", kind, a=(kind, REALS))
        assert size_of(f"{name}(a)", kind) == dtype().itemsize
        assert np.allclose(found, right, rtol=4e-7, equal_nan=True)
    single = compute(f"{name}f(a)", "float", a=("float", REALS))
    again = compute(f"{name}(a)", "float", a=("float", REALS))
    assert np.array_equal(single, again, equal_nan=True)
    assert size_of(f"{name}(a)", "int") == 8


def size_of(expression: str, kind: str) -> int:
    """Return the bytes of an expression of `a`."""
    return int(compute(f"sizeof({expression})", "int", a=(kind, [1]))[0])


WORDS = [0, 1, 0x80000000, 0xFFFFFFFF, 0x12345678, 31, 32, 33]
LONGS = [0, 1, 1 << 63, (1 << 64) - 1, 0x123456789ABCDEF0]
NARROW = [-7, 5, 2**31 - 1, -(2**31), 0]


def signed(value: int, bits: int = 32) -> int:
    """Return the low bits of a number, as a signed one."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def funnel(low: int, high: int, count: int, *, left: bool, clamp: bool) -> int:
    """Shift a pair of words."""
    both, by = high << 32 | low, min(count, 32) if clamp else count & 31
    return (both << by >> 32 if left else both >> by) & 0xFFFFFFFF


def dot(left: int, right: int, more: int, *, with_sign: bool) -> int:
    """Add the products of bytes."""
    parts = [[number >> shift & 0xFF for shift in (0, 8, 16, 24)] for number in (left, right)]
    if with_sign:
        parts = [[signed(byte, 8) for byte in part] for part in parts]
    return more + sum(a * b for a, b in zip(*parts, strict=True))


BITS = [
    ("__popc", "int", ["unsigned"], lambda a: a.bit_count()),
    ("__popcll", "int", ["unsigned long long"], lambda a: a.bit_count()),
    ("__clz", "int", ["int"], lambda a: 32 - (a & 0xFFFFFFFF).bit_length()),
    ("__ffs", "int", ["int"], lambda a: (a & -a & 0xFFFFFFFF).bit_length()),
    ("__brev", "unsigned", ["unsigned"], lambda a: int(f"{a:032b}"[::-1], 2)),
    ("__umulhi", "unsigned", ["unsigned"] * 2, lambda a, b: a * b >> 32),
    ("__mulhi", "int", ["int"] * 2, lambda a, b: a * b >> 32),
    ("__umul64hi", "unsigned long long", ["unsigned long long"] * 2, lambda a, b: a * b >> 64),
    ("__usad", "unsigned", ["unsigned"] * 3, lambda a, b, c: (abs(a - b) + c) & 0xFFFFFFFF),
    ("__sad", "unsigned", ["int", "int", "unsigned"], lambda a, b, c: (abs(a - b) + c) % 2**32),
    ("__uhadd", "unsigned", ["unsigned"] * 2, lambda a, b: (a + b) >> 1),
    ("__hadd", "int", ["int"] * 2, lambda a, b: (a + b) >> 1),
    ("__rhadd", "int", ["int"] * 2, lambda a, b: (a + b + 1) >> 1),
    ("__umul24", "unsigned", ["unsigned"] * 2, lambda a, b: (a % 2**24) * (b % 2**24) % 2**32),
    ("__dp4a", "int", ["int"] * 3, lambda a, b, c: signed(dot(a, b, c, with_sign=True))),
    ("__dp4a", "unsigned", ["unsigned"] * 3, lambda a, b, c: dot(a, b, c, with_sign=False) % 2**32),
    *(
        (
            f"__funnelshift_{'l' if left else 'r'}{'c' if clamp else ''}",
            "unsigned",
            ["unsigned"] * 3,
            lambda a, b, c, left=left, clamp=clamp: funnel(a, b, c, left=left, clamp=clamp),
        )
        for left in (True, False)
        for clamp in (True, False)
    ),
]


@each(("name", "result", "types", "right"), BITS)
def test_integers_and_bits(name, result, types, right):
    edges = {"unsigned": WORDS, "int": NARROW, "unsigned long long": LONGS}
    columns = [edges[kind] for kind in types]
    columns = [[c[(k * (n + 1) + n) % len(c)] for k in range(8)] for n, c in enumerate(columns)]
    letters = "abc"[: len(types)]
    given = dict(zip(letters, zip(types, columns, strict=True), strict=True))
    found = compute(f"{name}({', '.join(letters)})", result, **given)
    assert found.tolist() == [right(*row) for row in zip(*columns, strict=True)]


def entry_of(name: str) -> Entry | None:
    """Return the function of libdevice that an intrinsic is; None if it is none of them."""
    plain = name.removeprefix("__")
    return ENTRIES.get(f"fast_{plain}") or ENTRIES.get(plain)


KINDS = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}


@each("name", [name for name in intrinsics.HANDLERS if entry_of(name)])
def test_an_intrinsic_is_the_function_of_libdevice(name):
    entry = entry_of(name)
    types = [KINDS[dtype.name] for dtype in entry.operands]
    values = [np.array([0.3, 1.0, 7.5, 2.0]) * (place + 1) for place in range(len(types))]
    given = {letter: (kind, part) for letter, kind, part in zip("abc", types, values, strict=False)}
    own = [np.array(part, TYPES[kind]) for kind, part in given.values()]
    with np.errstate(all="ignore"):
        right = entry.apply(*own)
    result = KINDS[entry.results[0].name]
    found = compute(f"{name}({', '.join(given)})", result, **given)
    assert np.array_equal(found, right.astype(entry.results[0]))


def test_bits_of_floats_and_constants_made_of_them():
    ones = compute("__float_as_uint(a)", "unsigned", a=("float", [1.0, -0.0]))
    assert ones.tolist() == [0x3F800000, 0x80000000]
    assert compute("__uint_as_float(a)", "float", a=("unsigned", [0x7F800000]))[0] == math.inf
    assert compute("INFINITY + a", "float", a=("float", [1]))[0] == math.inf
    assert np.isnan(compute("NAN * a", "float", a=("float", [1]))[0])
    pair = compute("__hiloint2double(a, b)", "double", a=("int", [0x40080000]), b=("int", [0]))
    assert pair[0] == 3.0
    assert compute("__double2hiint(a)", "int", a=("double", [3.0]))[0] == 0x40080000


@each(
    ("expression", "result", "right"),
    [
        ("fmaf(a, b, -1.0f)", "float", np.float32(1.5 * 2.25 - 1)),
        ("hypot(a, b)", "float", np.float32(math.hypot(1.5, 2.25))),
        ("pow(a, 2)", "double", 2.25),
        ("atan2f(a, b)", "float", np.float32(math.atan2(1.5, 2.25))),
        ("copysignf(a, -0.0f)", "float", -1.5),
        ("fmodf(b, a)", "float", 0.75),
        ("remainderf(b, a)", "float", -0.75),
        ("ldexpf(a, 3)", "float", 12),
        ("scalbln(a, 3L)", "float", 12),
        ("ilogb(b)", "int", 1),
        ("lroundf(-b)", "long", -2),
        ("llrint(b)", "long long", 2),
        ("rnorm3d(a, b, 0.0f)", "float", np.float32(1 / math.hypot(1.5, 2.25))),
        ("normcdf(a - a)", "float", 0.5),
        ("jn(2, a)", "float", np.float32(0.23208767)),
        ("fdim(b, a)", "float", 0.75),
        ("isnan(a / 0.0f - b / 0.0f)", "bool", True),
        ("isinf(b / 0.0f)", "bool", True),
        ('isnan(nanf("") + a)', "bool", True),
        ('sizeof(nan(""))', "int", 8),
        ("signbit(-a)", "bool", True),
        ("isnormal(1e-40f * a)", "bool", False),
        ("__fdividef(b, a)", "float", 1.5),
        ("__saturatef(b)", "float", 1),
        ("__expf(a - a)", "float", 1),
        ("__fmaf_ieee_rz(a, a, b)", "float", 4.5),
        ("__dsub_ru(1.0, 1e-30)", "double", 1.0),
    ],
)
def test_values(expression, result, right):
    found = compute(expression, result, a=("float", [1.5]), b=("float", [2.25]))
    assert found[0] == pytest.approx(right, rel=2e-7)


def test_results_by_pointer():
    names = ("sine", "cosine", "rest", "whole", "part", "power", "left", "quotient")
    out = np.zeros(len(names))
    run(
        """float s, c, w; int e, q;
        sincosf(0.5f, &s, &c);
        float r = modff(-2.75f, &w);
        float p = frexpf(10.0f, &e);
        double l = remquo(7.0, 2.0, &q);
        out[0] = s; out[1] = c; out[2] = r; out[3] = w;
        out[4] = p; out[5] = e; out[6] = l; out[7] = q;""",
        out,
        parameters="double* out",
        threads=1,
    )
    sine, cosine = (np.float32(f(0.5)) for f in (math.sin, math.cos))
    assert dict(zip(names, out.tolist(), strict=True)) == {
        "sine": sine, "cosine": cosine, "rest": -0.75, "whole": -2.0,
        "part": 0.625, "power": 4, "left": -1, "quotient": 4,
    }  # fmt: skip


HALF = [
    ("__hadd(a, b)", "half", 3.75),
    ("__hmul(a, b)", "half", 3.375),
    ("__hfma(a, b, a)", "half", 4.875),
    ("__hadd_sat(a, b)", "half", 1),
    ("__hmax(a, b)", "half", 2.25),
    ("__hlt(a, b)", "bool", True),
    ("__hne(a, __float2half(NAN))", "bool", False),
    ("__hneu(a, __float2half(NAN))", "bool", True),
    ("hsqrt(b)", "half", 1.5),
    ("__hneg(a)", "half", -1.5),
    ("__half2float(a)", "float", 1.5),
    ("__float2half_rz(0.1f)", "half", np.float16(0.09998)),
    ("__half2int_rn(b)", "int", 2),
    ("__half2int_ru(b)", "int", 3),
    ("__ushort2half_rn(3)", "half", 3),
    ("__half_as_ushort(a)", "unsigned short", 0x3E00),
    ("__ushort_as_half(0x3E00)", "half", 1.5),
]


@each(("expression", "result", "right"), HALF)
def test_half(expression, result, right):
    assert compute(expression, result, a=("half", [1.5]), b=("half", [2.25]))[0] == right


@each("name", half.HANDLERS)
def test_each_function_of_half_runs(name):
    given = {"a": ("half", [0.5]), "b": ("half", [0.25]), "c": ("half", [1])}
    with pytest.raises(Refused) as raised:
        compute(f"{name}()", "float", **given)
    count = raised.value.what.fields["n"]
    compute(f"{name}({', '.join('abc'[:count])})", "float", **given)


@pytest.mark.parametrize(
    ("expression", "result", "right"),
    [
        ("max(a, b)", "unsigned", 0xFFFFFFFF),
        ("min(a, -2)", "int", -2),
        ("max(1.5f, 2.0)", "double", 2),
        ("fmaxf(NAN, 1.0f)", "float", 1),
        ("max(NAN, 1.0f)", "float", 1),
        ("std::max(1.0f, NAN)", "float", 1),
        ("std::min<long>(a, 5)", "long", -1),
        ("std::clamp(a, 0, 9)", "int", 0),
        ("abs(a)", "int", 1),
        ("abs(-2.5f)", "float", 2.5),
        ("llabs(-5)", "long long", 5),
        ("umin(7u, b)", "unsigned", 2),
        ("std::abs(-2.5)", "double", 2.5),
        ("std::numeric_limits<int>::max()", "int", 2**31 - 1),
        ("std::numeric_limits<float>::lowest()", "float", np.finfo(np.float32).min),
        ("std::numeric_limits<float>::min()", "float", np.finfo(np.float32).tiny),
        ("std::numeric_limits<double>::infinity()", "double", math.inf),
        ("std::numeric_limits<unsigned>::min()", "unsigned", 0),
        ("__builtin_expect(a, 3)", "long", -1),
    ],
)
def test_extremes_and_limits(expression, result, right):
    found = compute(expression, result, a=("int", [-1]), b=("unsigned", [2]))
    assert found[0] == right
    assert size_of(expression.replace("b)", "2u)"), "int") == TYPES[result]().itemsize


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("max(1.0f, 2)", "cpp.ambiguous"),
        ("max(1L, 2)", "cpp.ambiguous"),
        ("abs(2u)", "cpp.ambiguous"),
        ("rsqrt(2)", "cpp.no-overload"),
        ("sqrt(__float2half(2.0f))", "cpp.no-overload"),
        ("std::max(1, 2u)", "cpp.no-overload"),
        ("sqrtf(1.0f, 2.0f)", "cpp.argument-count"),
        ("clock64()", "cpp.no-clock"),
        ("__shfl(a, 0)", "cpp.removed-primitive"),
        ("__isShared(p_a)", "cpp.no-address-spaces"),
        ("__vadd4(a, a)", "cpp.no-video"),
        ("__hadd2(a, a)", "cpp.no-half2"),
        ("cudaNoSuchFunction(a)", "cpp.host-api"),
        ("noSuchFunction(a)", "cpp.unknown-name"),
    ],
)
def test_overloads_and_names_that_are_refused(expression, code):
    with pytest.raises(Refused) as raised:
        compute(expression, "float", a=("int", [1]))
    assert raised.value.what.code == code


@pytest.mark.parametrize(
    ("written", "near"),
    [("__shfl_snyc(a, a, 0)", "__shfl_sync"), ("atomicadd(&a, 1)", "atomicAdd"),
     ("expff(a)", "expf")],
)  # fmt: skip
def test_a_misspelled_function_of_cuda_is_named(written, near):
    with pytest.raises(Refused) as raised:
        compute(written, "float", a=("int", [1]))
    assert near in str(raised.value.instead)


def test_a_function_of_known_numbers_is_a_number():
    """Else a loop bound such as `min(N, 32)` would not be known before the launch."""
    assert (
        compute("a; int t[min(4, 8)]; t[0] = sizeof(t); out[i] = t[0]", "int", a=("int", [1]))[0]
        == 16
    )


def test_every_name_is_written_once():
    parts = [intrinsics.HANDLERS, maths.HANDLERS]
    assert not set(parts[0]) & set(parts[1])
    assert HANDLERS["__hadd"] is half.HANDLERS["__hadd"]


@pytest.mark.parametrize(
    ("name", "kind", "right"),
    [
        ("CUDART_PI_F", "float", np.float32(math.pi)),
        ("CUDART_3PIO4", "double", 3 * math.pi / 4),
        ("CUDART_SQRT_2PI", "double", math.sqrt(2) * math.sqrt(math.pi)),
        ("CUDART_TWO_TO_M126_F", "float", 2.0**-126),
        ("CUDART_MIN_DENORM_F", "float", 2.0**-149),
        ("CUDART_INF", "double", math.inf),
        ("CUDART_MAX_NORMAL_FP16", "half", 65504),
        ("CUDART_ONE_FP16", "half", 1),
        ("FLT_TRUE_MIN", "float", 2.0**-149),
        ("FLT_MAX", "float", np.finfo(np.float32).max),
        ("M_PI", "double", math.pi),
        ("HUGE_VALF", "float", math.inf),
    ],
)
def test_constants(name, kind, right):
    assert compute(f"a = {name}", kind, a=(kind, [0]))[0] == right
    assert size_of(name, "int") == TYPES[kind]().itemsize


def test_the_place_of_a_thread_is_one_vector_as_long_as_its_blocks_run():
    """The machine keeps what it knows of a vector by its identity."""
    chunk = Chunk(SimpleNamespace(geometry=Geometry((2, 2, 1), (8, 4, 2)), timed=False), 0, 4)
    for axis, name in enumerate("xyz"):
        for triple in ("threadIdx", "blockIdx"):
            value = positions.find(triple).members[axis].node
            assert value.get(chunk) is value.get(chunk), (triple, name)
            assert value.get(chunk).dtype == np.uint32
