"""Functions of CUDA's math API and its intrinsics: their values, and the types they are chosen by.

Which overload is chosen, and what it returns, was compared with nvcc 13.0 for every function and
174,685 lists of argument types; the tests keep what differs from plain C++.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grader.simt import Refused, launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.cuda.lowering.library import intrinsics, maths, narrow
from grader.simt.cuda.lowering.library.tables import HANDLERS
from grader.simt.cuda.lowering.model import positions
from grader.simt.cuda.lowering.model.types import CType, StructType
from grader.simt.cuda.names import REAL_FUNCTIONS
from grader.simt.geometry import Geometry
from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature
from grader.simt.intrinsics.functions.fp8 import E4M3, E5M2, decode, encode
from grader.simt.intrinsics.functions.libdevice import ENTRIES
from grader.simt.machine.chunk import Chunk
from tests.grader.simt.cuda.library.kernels import TYPES, compute, run
from tests.tables import each

REALS = [0.5, -2.5, 0.0, -0.0, 1.0, 3.7e3, math.inf, -math.inf, math.nan, 1e-40]
UNARY = sorted(REAL_FUNCTIONS)


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


def dpx(name: str, best: Any, kind: str, count: int, *, adds: bool = False) -> tuple[Any, ...]:
    """Make a row of `BITS` of a function for dynamic programming."""
    size, sign = (16 if "x2" in kind else 32), kind[0] == "s"

    def wrap(value: int) -> int:
        return signed(value, size) if sign else value & (1 << size) - 1

    def right(*words: int) -> int:
        whole = 0
        for at in range(0, 32, size):
            parts = [wrap(word >> at) for word in words]
            if adds:
                parts = [wrap(parts[0] + parts[1]), parts[2]]
            found = best(parts)
            whole |= (max(found, 0) if "relu" in name else found) % (1 << size) << at
        return signed(whole) if kind == "s32" else whole

    word = "int" if kind == "s32" else "unsigned"
    return name, word, [word] * count, right


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


def halves(left: int, right: int, more: int, first: int, *, with_sign: bool) -> int:
    """Add the products of halves of one word and two bytes of another."""
    pairs = [(left >> 16 * at & 0xFFFF, right >> first + 8 * at & 0xFF) for at in (0, 1)]
    if with_sign:
        pairs = [(signed(half, 16), signed(byte, 8)) for half, byte in pairs]
    return more + sum(half * byte for half, byte in pairs)


def lanes(name: str, compute_lane: Any, count: int, *, sign: bool) -> tuple[Any, ...]:
    """Make a row of `BITS` of a function that does the same to each part of a word."""
    bits = 32 // count
    some = range(0, 32, bits)

    def right(*words: int) -> int:
        parts = [[word >> at & (1 << bits) - 1 for at in some] for word in words]
        if sign:
            parts = [[signed(part, bits) for part in each] for each in parts]
        found = [compute_lane(*each) for each in zip(*parts, strict=True)]
        return sum((part & (1 << bits) - 1) << at for part, at in zip(found, some, strict=True))

    unary = name.removeprefix("__v").rstrip("s24") in ("ab", "neg")
    return name, "unsigned", ["unsigned"] * (1 if unary else 2), right


DPX_KINDS = [(kind, end) for kind in ("s32", "s16x2", "u32", "u16x2")
             for end in ("", "_relu")[: 1 + (kind[0] == "s")]]  # fmt: skip
BITS = [
    *(dpx(f"__vi{best.__name__}3_{kind}{end}", best, kind, 3)
      for best in (max, min) for kind, end in DPX_KINDS),
    *(dpx(f"__viadd{best.__name__}_{kind}{end}", best, kind, 3, adds=True)
      for best in (max, min) for kind, end in DPX_KINDS),
    *(dpx(f"__vi{best.__name__}_{kind}_relu", best, kind, 2)
      for best in (max, min) for kind in ("s32", "s16x2")),
    lanes("__vadd4", lambda a, b: a + b, 4, sign=False),
    lanes("__vsub2", lambda a, b: a - b, 2, sign=False),
    lanes("__vaddus4", lambda a, b: min(a + b, 255), 4, sign=False),
    lanes("__vsubss4", lambda a, b: max(min(a - b, 127), -128), 4, sign=True),
    lanes("__vmaxs4", max, 4, sign=True),
    lanes("__vminu2", min, 2, sign=False),
    lanes("__vavgu4", lambda a, b: (a + b + 1) // 2, 4, sign=False),
    lanes("__vavgs4", lambda a, b: math.floor((a + b) / 2 + (0.5 if a + b >= 0 else 0)), 4,
          sign=True),
    lanes("__vhaddu4", lambda a, b: (a + b) // 2, 4, sign=False),
    lanes("__vabs4", abs, 4, sign=True),
    lanes("__vabsss2", lambda a: min(abs(a), 2**15 - 1), 2, sign=True),
    lanes("__vnegss4", lambda a: min(-a, 127), 4, sign=True),
    lanes("__vabsdiffs4", lambda a, b: abs(a - b), 4, sign=True),
    lanes("__vcmpgts4", lambda a, b: -(a > b), 4, sign=True),
    lanes("__vsetleu2", lambda a, b: a <= b, 2, sign=False),
    lanes("__vcmpeq4", lambda a, b: -(a == b), 4, sign=False),
    ("__vsadu4", "unsigned", ["unsigned"] * 2, lambda a, b: sum(
        abs((a >> at & 255) - (b >> at & 255)) for at in (0, 8, 16, 24)
    )),
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
    ("__dp2a_lo", "int", ["int"] * 3, lambda a, b, c: signed(halves(a, b, c, 0, with_sign=True))),
    ("__dp2a_hi", "unsigned", ["unsigned"] * 3,
     lambda a, b, c: halves(a, b, c, 16, with_sign=False) % 2**32),
    ("__byte_perm", "unsigned", ["unsigned"] * 3, lambda a, b, c: sum(
        ((b << 32 | a) >> 8 * (c >> 4 * at & 7) & 255) << 8 * at for at in range(4)
    )),
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
]  # fmt: skip


def test_dpx_says_by_lane_which_word_is_the_best():
    words = np.array([0x0001FFFF, 0xFFFF0001, 0x00050005], np.uint32)
    out = np.zeros((3, 5), np.int32)
    run(
        """int* o = out + 5 * i; bool h, l, w;
        o[0] = __vibmax_s16x2(a[i], 0x00000000u, &h, &l); o[1] = h; o[2] = l;
        o[3] = __vibmin_s32(a[i], 5, &w); o[4] = w;""",
        words,
        out,
        parameters="const unsigned* a, int* out",
        threads=3,
    )
    expected = [[0x10000, 1, 0, 5, 0], [1, 0, 1, -65535, 1], [0x50005, 1, 1, 5, 0]]
    assert out.tolist() == expected


@each(("name", "result", "types", "right"), BITS)
def test_integers_and_bits(name, result, types, right):
    edges = {"unsigned": WORDS, "int": NARROW, "unsigned long long": LONGS}
    columns = [edges[kind] for kind in types]
    columns = [[c[(k * (n + 1) + n) % len(c)] for k in range(8)] for n, c in enumerate(columns)]
    letters = "abc"[: len(types)]
    given = dict(zip(letters, zip(types, columns, strict=True), strict=True))
    found = compute(f"{name}({', '.join(letters)})", result, **given)
    assert found.tolist() == [right(*row) for row in zip(*columns, strict=True)]


def entry_of(name: str) -> FixedSignature | None:
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


def written(kind: CType, letters: str) -> str:
    """Write a value of a type, of one or two floats."""
    if not isinstance(kind, StructType):
        return f"({kind.name}){letters[0]}"
    maker = kind.name.strip("_").removeprefix("nv_")
    return f"make_{maker}({', '.join(letters)})"


SIX = ("ab", "cd", "ef")


def calls(name: str, parameters: Sequence[CType], letters: Sequence[str] = SIX) -> str:
    """Write a call of a function, with arguments of its own types."""
    given = zip(parameters, letters, strict=False)
    return f"{name}({', '.join(written(*each) for each in given)})"


@each("family", narrow.FAMILIES, ids=[family.name for family in narrow.FAMILIES])
def test_a_function_of_16_bits_takes_what_it_says_and_one_of_two_lanes_is_that_of_each(family):
    lanewise = dict(narrow._of_lanes(family))
    every = {**lanewise, **dict(narrow._rearrangements(family)), **family.overloads}
    lines = [f"auto r_{name} = {calls(name, one.parameters)};" for name, one in every.items()]
    pairs = {narrow._name_of_pairs(name): (name, one) for name, one in family.overloads.items()}
    compared = [name for name in lanewise if name in pairs]
    for at, name in enumerate(compared):
        own, one = pairs[name]
        low, high = (calls(own, one.parameters, [each[lane:] for each in SIX]) for lane in (0, 1))
        pair = f"r_{name}"
        lines.append(f"out[{at}] = {pair}.x == {low} && {pair}.y == ({family.number.name}){high};")
    out = np.zeros(len(compared), np.bool_)
    numbers = "float a = 0.5f, b = 0.75f, c = 0.25f, d = -1.5f, e = 1.0f, f = 3.0f;"
    run(f"{numbers} {' '.join(lines)}", out, parameters="bool* out", threads=1)
    assert len(compared) > 40
    assert [name for name, same in zip(compared, out, strict=True) if not same] == []


@each("form", [E4M3, E5M2])
def test_all_halves_round_to_the_nearest_float_of_8_bits(form):
    """CUDA 13's own conversions on the host, of 196,608 floats, were compared as well."""
    codes = np.arange(form.largest + 1)
    exponents, fractions = codes >> form.digits, codes & (1 << form.digits) - 1
    tiny = exponents == 0
    known = np.ldexp(fractions + np.where(tiny, 0, 1 << form.digits), exponents + tiny)
    known = np.ldexp(known, -form.bias - form.digits)
    assert decode(codes, form).tolist() == known.tolist()
    assert decode(codes + 128, form).tolist() == (-known).tolist()
    given = np.arange(1 << 15, dtype=np.uint16).view(np.float16)
    given = given[np.isfinite(given)].astype(np.float64)
    ends = np.searchsorted(known, given).clip(1, form.largest)
    low, high = given - known[ends - 1], known[ends] - given
    nearest = np.where((low < high) | ((low == high) & (ends % 2 == 1)), ends - 1, ends)
    assert np.array_equal(encode(given, form, saturate=True), nearest)
    step = known[-1] - known[-2]
    limit = form.beyond if form is E5M2 else form.largest  # a tie, to even
    assert encode(known[-1:] + step / 2, form, saturate=False) == [limit]
    assert encode(-known[-1:] - step, form, saturate=False) == [form.beyond + 128]


PAIRS = [
    ("a + b", "half2", (3.75, -2)),
    ("a - b * a", "half2", (-1.875, -2)),
    ("b / a", "half2", (1.5, 1)),
    ("-a", "half2", (-1.5, 1)),
    ("a += b", "half2", (3.75, -2)),
    ("__hfma2(a, b, __half2half2(__low2half(b)))", "half2", (5.625, 3.25)),
    ("__hmax2(a, b)", "half2", (2.25, -1)),
    ("__heq2(a, b)", "half2", (0, 1)),
    ("h2sqrt(__habs2(a * b * a))", "half2", (2.25, 1)),
    ("__lowhigh2highlow(a)", "half2", (-1, 1.5)),
    ("__highs2half2(a, b)", "half2", (-1, -1)),
    ("__floats2half2_rn(65520.0f, 1e-8f)", "half2", (math.inf, 0)),
    ("__float22half2_rn(__half22float2(a))", "half2", (1.5, -1)),
    ("a == b", "bool", False),
    ("a != b", "bool", False),
    ("__hble2(a, b)", "bool", True),
    ("__hlt2_mask(a, b)", "unsigned", 0xFFFF),
    ("__high2float(a) + a.x", "float", 0.5),
    ("*reinterpret_cast<unsigned*>(&a)", "unsigned", 0xBC003E00),
    ("__bfloat16_as_ushort(__float2bfloat16(1.00390625f))", "unsigned short", 0x3F80),
    ("__bfloat16_as_ushort(__low2bfloat16(__floats2bfloat162_rn(b.x, 0.f)))", "unsigned short",
     0x4010),
    ("__nv_bfloat16(1.0f) / __nv_bfloat16(3.0f)", "float", 0.333984375),
    ("__half2(__half2_raw(a)).x", "float", 1.5),
    ("(float)__nv_fp8_e4m3(a.x * 300.0f)", "float", 448),
    ("float(__nv_fp8_e5m2(a.x * 1.1f))", "float", 1.75),
    ("__nv_fp8_e4m3(b.x).__x", "unsigned short", 0x41),
    ("static_cast<float4>(__nv_fp8x4_e4m3(a, b)).w", "float", -1),
    ("__half2(__nv_cvt_fp8x2_to_halfraw2(0xBC3E, __NV_E5M2))", "half2", (1.5, -1)),
    ("__nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E5M2)", "unsigned short", 0xFC),
    ("__half2(__nv_cvt_fp8x2_to_halfraw2(0xBC3E, b.x > a.x ? __NV_E5M2 : __NV_E4M3))", "half2",
     (1.5, -1)),
    ("__nv_cvt_halfraw2_to_fp8x2(a, __NV_SATFINITE, b.x < a.x ? __NV_E5M2 : __NV_E4M3)",
     "unsigned short", 0xB83C),
    ("__nv_cvt_halfraw2_to_fp8x2(a, __NV_SATFINITE, __NV_E4M3)", "unsigned short", 0xB83C),
]  # fmt: skip


def as_words(kind: str, values: Sequence[float]) -> Any:
    """Return the words of pairs of numbers."""
    return np.array(values, np.float16).view(TYPES[kind])


@each(("expression", "result", "right"), PAIRS)
def test_two_numbers_in_a_word(expression, result, right):
    given = {name: ("half2", as_words("half2", own)) for name, own in TWO.items()}
    found = compute(expression, result, **given)
    assert found == (as_words(result, right) if isinstance(right, tuple) else right)


TWO = {"a": (1.5, -1), "b": (2.25, -1)}


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
        ("(std::is_same_v<half, __half> && !std::is_same<int, const int>::value)", "bool", True),
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
        ("__isClusterShared(p_a)", "cpp.no-address-spaces"),
        ("__hcmadd(a, a)", "cpp.unknown-name"),
        ("__hmul2_relu(a, a)", "cpp.no-narrow-function"),
        ("__hadd2(a, a)", "cpp.no-overload"),
        ("__float2half2_rn(1.0f) * 2.0f", "cpp.no-operator"),
        ("cudaNoSuchFunction(a)", "cpp.host-api"),
        ("noSuchFunction(a)", "cpp.unknown-name"),
        ("__nv_atomic_load_n(&a, 0, 0)", "cpp.no-atomic-builtin"),
        ("std::is_enum_v<int>", "cpp.no-std"),
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
    assert HANDLERS["__hadd"] is narrow.HANDLERS["__hadd"]


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


@each("kind", ["float", "half", "__nv_bfloat16"])
@each(("name", "wanted"), [("max", 0x0000), ("min", 0x8000)])
def test_of_two_zeros_the_positive_one_is_larger(kind, name, wanted):
    function = f"f{name}f" if kind == "float" else f"__h{name}"
    value = f"(float){function}(({kind})a[i], ({kind})a[1 - i])"
    source = f"""#include <cuda_bf16.h>
__global__ void k(const float* a, unsigned* out) {{
    int i = threadIdx.x;
    out[i] = __float_as_uint({value}) >> 16;
}}"""
    kernel, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(2, np.uint32)
    launch(kernel, 1, 2, [np.array([0.0, -0.0], np.float32), out])
    assert out.tolist() == [wanted] * 2


@each(
    ("call", "wanted"),
    [
        ("__dp4a(*(char4*)a, *(char4*)(a + 1), 5)", 1 * 68 + 127 * 51 - 1 * 34 - 128 * 17 + 5),
        ("__dp2a_lo(*(short2*)a, *(char4*)(a + 1), 5)", 32513 * 68 - 32513 * 51 + 5),
        ("__dp2a_hi(*(ushort2*)a, *(uchar4*)(a + 1), 5u)", 32513 * 34 + 33023 * 17 + 5),
    ],
)
def test_dot_products_take_vectors(call, wanted):
    source = f"__global__ void k(const unsigned* a, unsigned* out) {{ out[0] = {call}; }}"
    kernel, _ = lower_kernel(read_cuda(source), "k")
    out = np.zeros(1, np.uint32)
    launch(kernel, 1, 1, [np.array([0x80FF7F01, 0x11223344], np.uint32), out])
    assert out[0] == wanted
