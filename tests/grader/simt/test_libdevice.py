"""libdevice: signatures against numba-cuda's, values against Python, fractions and big integers."""

from __future__ import annotations

import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.simt import Refused
from grader.simt.intrinsics.functions import rounding
from grader.simt.intrinsics.functions.libdevice import ENTRIES
from grader.simt.numba.library.module_functions import CALLS
from tests.grader.simt.record_libdevice import RECORD
from tests.grader.simt.tools import kernel, run
from tests.sentences import english
from tests.tables import each

SIGNATURES = {
    name: [kinds.split(", ") for kinds in text.split(" -> ")]
    for name, text in json.loads(RECORD.read_text(encoding="utf-8"))["signatures"].items()
}


def test_all_functions_have_the_signatures_of_numba():
    prefix = "cuda.libdevice."
    found = {name.removeprefix(prefix) for name in CALLS if name.startswith(prefix)}
    assert found == {*SIGNATURES}
    ours = {
        name: [[kind.name for kind in kinds] for kinds in (entry.operands, entry.results)]
        for name, entry in ENTRIES.items()
    }
    assert ours == {name: kinds for name, kinds in SIGNATURES.items() if name in ENTRIES}
    assert len(SIGNATURES) - len(ours) == 12  # Bessel functions


def value_of(name: str, *operands: float) -> list[float]:
    """What a function gives in a kernel, for operands of its own types."""
    takes, gives = SIGNATURES[name]
    arrays = [np.array([one]).astype(kind) for one, kind in zip(operands, takes, strict=True)]
    outs = [np.zeros(1, kind) for kind in gives]
    left = ", ".join(f"o{place}[0]" for place in range(len(outs)))
    names = [*(f"a{place}" for place in range(len(arrays))), *(f"o{n}" for n in range(len(outs)))]
    given = ", ".join(f"{one}[0]" for one in names[: len(arrays)])
    text = kernel(f"{left} = cuda.libdevice.{name}({given})", takes=", ".join(names))
    run(text, [*arrays, *outs], block=1)
    return [out[0] for out in outs]


PLAIN = {
    **{
        name: getattr(math, name)
        for name in (
            *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf"),
            *("erfc", "exp", "exp2", "expm1", "fabs", "lgamma", "log", "log10", "log1p", "log2"),
            *("sin", "sinh", "sqrt", "tan", "tanh"),
        )
        if hasattr(math, name)
    },
    "ceil": math.ceil,
    "floor": math.floor,
    "trunc": math.trunc,
    "rint": round,
    "nearbyint": round,
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "tgamma": math.gamma,
    "exp10": lambda x: 10.0**x,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "normcdf": NormalDist().cdf,
    "normcdfinv": lambda x: NormalDist().inv_cdf(x),
    "sinpi": lambda x: math.sin(math.pi * x),
    "cospi": lambda x: math.cos(math.pi * x),
    "logb": lambda x: float(math.frexp(x)[1] - 1),
    "llrint": round,
    "ilogb": lambda x: math.frexp(x)[1] - 1,
}


@each("name", PLAIN)
@each("suffix", ["", "f"])
def test_real_functions(name, suffix):
    tolerance = 1e-12 if not suffix else 3e-7
    for number in (0.3, -0.7, 1.5, 2.5, 17.25, 1e-6):
        given = float(np.float32(number))
        try:
            wanted = float(PLAIN[name](given))
        except (ValueError, ArithmeticError):
            continue
        assert value_of(f"{name}{suffix}", given)[0] == pytest.approx(wanted, tolerance, 1e-15)


@pytest.mark.parametrize(
    ("name", "operand", "wanted"),
    [
        ("sqrt", -1.0, math.nan),
        ("log", 0.0, -math.inf),
        ("rsqrt", 0.0, math.inf),
        ("logb", 0.0, -math.inf),
        ("logb", -math.inf, math.inf),
        ("ilogb", 0.0, -(2**31)),
        ("ilogb", math.inf, 2**31 - 1),
        ("lgamma", -2.0, math.inf),
        ("tgamma", -2.0, math.nan),
        ("tgamma", 0.0, math.inf),
        ("erfinv", 1.0, math.inf),
        ("erfinv", 1.5, math.nan),
        ("erfcinv", 2.0, -math.inf),
        ("erfcx", math.inf, 0.0),
        ("sinpi", 3.0, 0.0),
        ("cospi", 2.5, 0.0),
        ("cospi", 1e15, 1.0),
        ("saturatef", math.nan, 0.0),
        ("saturatef", 7.0, 1.0),
        ("saturatef", -0.0, 0.0),
        ("round", 0.49999999999999994, 0.0),
        ("round", -2.5, -3.0),
        ("rint", -2.5, -2.0),
        ("llround", 2.5, 3),
        ("double2int_rn", 1e300, 2**31 - 1),
        ("double2int_rn", math.nan, -(2**31)),
        ("float2int_rn", math.nan, 0),
        ("float2ll_rz", math.nan, -(2**63)),
        ("double2uint_rz", 2.0**32 - 1, -1),
        ("double2uint_rz", -3.0, 0),
        ("float2ull_rd", 2.0**63, -(2**63)),
        ("double2int_rd", -2.5, -3),
        ("double2int_ru", -2.5, -2),
        ("isinff", -math.inf, 1),
        ("isnand", math.nan, 1),
        ("finitef", math.nan, 0),
        ("signbitd", -0.0, 1),
        ("double2hiint", -2.0, -1073741824),
        ("double2loint", 0.1, -1717986918),
        ("float_as_int", 1.0, 0x3F800000),
        ("float2half_rn", -2.0, -16384),
        ("half2float", 0x3C00, 1.0),
        ("uint2float_rn", -1, 2.0**32),
        ("uint2float_rd", -1, 4294967040.0),
        ("ull2double_rz", -1, 18446744073709549568.0),
        ("ll2float_ru", 2**24 + 1, 2.0**24 + 2),
        ("brev", 1, -(2**31)),
        ("clz", 0, 32),
        ("clzll", 1, 63),
        ("ffs", 8, 4),
        ("ffsll", 0, 0),
        ("popc", -1, 32),
        ("popcll", -1, 64),
        ("llabs", -5, 5),
        ("fast_logf", 1.0, 0.0),
    ],
)
def test_edges(name, operand, wanted):
    found = value_of(name, operand)
    np.testing.assert_array_equal(found, [wanted])
    if not math.isnan(wanted):
        np.testing.assert_array_equal(np.signbit(found), [np.signbit(wanted)])


@pytest.mark.parametrize(
    ("name", "operands", "wanted"),
    [
        ("fdim", (3, 5), [0.0]),
        ("fmax", (math.nan, 2), [2.0]),
        ("fmod", (-7, 3), [-1.0]),
        ("remainder", (7, 4), [-1.0]),
        ("remquo", (7, 4), [-1.0, 2]),
        ("remquo", (-20, 3), [1.0, -7]),
        ("ldexp", (3, -2), [0.75]),
        ("powi", (-2, 3), [-8.0]),
        ("powif", (2, -2), [0.25]),
        ("pow", (-8, 1 / 3), [math.nan]),
        ("fast_powf", (-2, 2), [math.nan]),
        ("fast_fdividef", (1, 2.0**127), [0.0]),
        ("fast_fdividef", (3, 4), [0.75]),
        ("fast_fdividef", (-1, 2.0**127), [-0.0]),
        ("fast_sinf", (2.0**32,), [0.0]),  # whole turns, in float32
        ("fast_cosf", (2.0**32,), [1.0]),
        ("frexp", (-6,), [-0.75, 3]),
        ("modf", (-2.25,), [-0.25, -2.0]),
        ("sincospi", (0.5,), [1.0, 0.0]),
        ("hiloint2double", (1074266112, 0), [3.0]),
        ("umax", (-1, 5), [-1]),
        ("max", (-1, 5), [5]),
        ("ullmin", (-1, 5), [5]),
        ("hadd", (-3, 2), [-1]),
        ("rhadd", (-3, 2), [0]),
        ("uhadd", (-1, -1), [-1]),
        ("mul24", (2**23, 2), [-(2**24)]),
        ("umul24", (2**23, 2), [2**24]),
        ("mulhi", (-1, 1), [-1]),
        ("umulhi", (-1, -1), [-2]),
        ("mul64hi", (2**62, 8), [2]),
        ("umul64hi", (-1, -1), [-2]),
        ("sad", (3, -4, 5), [12]),
        ("usad", (0, -1, 1), [0]),
        ("byte_perm", (0x33221100, 0x77665544, 0x7531), [0x77553311]),
        ("byte_perm", (0x00008000, 0, 0x9998), [-256]),
        ("jn", (0, 0.0), [1.0]),
        ("fma", (3, 4, 5), [17.0]),
    ],
)
def test_several_operands(name, operands, wanted):
    np.testing.assert_array_equal(value_of(name, *operands), wanted)


@pytest.mark.parametrize("number", [1e-300, 1e-9, 0.1, 0.5, 0.9, 1.3, 1.999999])
def test_inverses(number):
    assert math.erfc(value_of("erfcinv", number)[0]) == pytest.approx(number, 1e-13)
    if number < 1:
        assert math.erf(value_of("erfinv", number)[0]) == pytest.approx(number, 1e-14)


@pytest.mark.parametrize("number", [-3.0, 0.5, 1.999, 2.001, 5.0, 20.0, 26.0])
def test_the_scaled_complementary_error_function(number):
    square = math.exp(number * number)
    assert value_of("erfcx", number)[0] == pytest.approx(square * math.erfc(number), 1e-11)


@pytest.mark.parametrize(
    ("name", "operand", "wanted"),
    [("j0", 1.0, 0.7651976865579666), ("j1", 2.5, 0.49709410246427405),
     ("y0", 1.0, 0.08825696421567698), ("y1f", 2.5, 0.1459181379667858)],
)  # fmt: skip
def test_bessel_functions(name, operand, wanted):
    """Values of Abramowitz and Stegun, tables 9.1 and 9.2, with more digits."""
    assert value_of(name, operand)[0] == pytest.approx(wanted, 1e-6 if "f" in name else 1e-14)


FLOATS = st.floats(width=64, allow_nan=False, allow_infinity=False)
OPERATIONS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else None,
}


@given(FLOATS, FLOATS, st.sampled_from([*OPERATIONS]), st.sampled_from(["d", "f"]))
@settings(max_examples=150, deadline=None)
def test_arithmetic_rounds_in_its_direction(first, second, operation, letter):
    """The result of exact fractions lies between that down and that up, which are neighbors."""
    kind = np.float64 if letter == "d" else np.float32
    with np.errstate(all="ignore"):
        a, b = kind(first), kind(second)
    if not (np.isfinite(a) and np.isfinite(b)):
        return
    exact = OPERATIONS[operation](Fraction(float(a)), Fraction(float(b)))
    if exact is None:
        return
    check(exact, {mode: rounded(f"{letter}{operation}_{mode}", a, b) for mode in MODES}, kind)


@given(FLOATS, st.sampled_from(["d", "f"]))
@settings(max_examples=80, deadline=None)
def test_square_roots_round_in_their_direction(number, letter):
    kind = np.float64 if letter == "d" else np.float32
    with np.errstate(all="ignore"):
        value = abs(kind(number))
    if not np.isfinite(value) or not value:
        return
    found = {mode: rounded(f"{letter}sqrt_{mode}", value) for mode in MODES}
    with localcontext() as context:
        context.prec = 120
        check(Fraction(Decimal(float(value)).sqrt()), found, kind, inexact=True)


MODES = ("rn", "rd", "ru", "rz")


def rounded(name: str, *operands):
    with np.errstate(all="ignore"):
        return ENTRIES[name].apply(*(np.array([[one]]) for one in operands))[0, 0]


def check(exact: Fraction, found: dict, kind, *, inexact: bool = False) -> None:
    """`inexact`: the fraction is close to the exact result, and equal only if that is a float."""
    low, high = found["rd"], found["ru"]
    below = [Fraction(float(one)) for one in (low, high) if np.isfinite(one)]
    if not inexact or exact in below:
        assert low == -np.inf or Fraction(float(low)) <= exact
        assert high == np.inf or Fraction(float(high)) >= exact
    with np.errstate(all="ignore"):
        assert low == high or np.nextafter(low, kind(np.inf)) == high
    assert found["rz"] == (low if exact >= 0 else high)
    if len(below) == 2:
        first, second = below
        near = first if exact - first < second - exact else second
        assert Fraction(float(found["rn"])) == near or exact - first == second - exact


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_all_lanes_of_an_fma_are_what_fractions_say(kind):
    """Any bits, ordinary numbers, sums that nearly cancel, ties, and products that underflow."""
    chance, lanes = np.random.default_rng(1), 400
    info = np.finfo(kind)
    any_bits = chance.integers(0, 256, (3, lanes, info.bits // 8), np.uint8).view(kind)[..., 0]
    usual = chance.standard_normal((3, lanes)).astype(kind)
    near_one = (1 + chance.integers(0, 8, (2, lanes)) * info.eps).astype(kind)
    ties = chance.choice([1, -1, info.eps / 2, info.tiny, 0, -0.0], lanes).astype(kind)
    with np.errstate(all="ignore"):
        cancelling = -usual[0] * usual[1] * near_one[0]
        small = usual * kind(np.sqrt(info.tiny))
    cases = [any_bits, usual, (*usual[:2], cancelling), (*near_one, ties), (*small[:2], ties)]
    a, b, c = (np.concatenate(column) for column in zip(*cases, strict=True))
    exact = rounding.fused_one_by_one("rn", np.dtype(kind).name)(a, b, c).astype(kind)
    found = rounding.fma(a, b, c)
    assert np.array_equal(found, exact, equal_nan=True)
    assert np.array_equal(np.signbit(found[found == 0]), np.signbit(exact[found == 0]))


def test_fused_multiply_add_rounds_once():
    a = 1 + 2.0**-52
    assert value_of("fma", a, a, -(1 + 2.0**-51)) == [2.0**-104]
    assert value_of("fma_ru", a, a, 0.0)[0] > value_of("fma_rd", a, a, 0.0)[0]


class TestTyping:
    @pytest.mark.parametrize("given", ["i8", "f8", "?", "f2"])
    def test_any_real_number_is_converted(self, given):
        out = np.zeros(1)
        text = kernel("o[0] = cuda.libdevice.abs(a[0]) + cuda.libdevice.sqrt(a[0])", takes="a, o")
        run(text, [np.ones(1, given), out], block=1)
        assert out.tolist() == [2]

    @pytest.mark.parametrize("call", ["sin(c[0])", "abs(c)", "sin()", "fma(1, 2)", "sin(x=1)"])
    def test_what_numba_refuses_is_refused(self, call):
        with pytest.raises(Refused):
            run(kernel(f"cuda.libdevice.{call}", takes="c"), [np.zeros(1, np.complex64)])

    def test_float32_data_in_a_float64_function_is_a_warning(self):
        text = kernel("a[0] = cuda.libdevice.sin(a[0])")
        done = run(text, [np.zeros(1, np.float32)], block=1)
        assert "libdevice.sin" in english(done.findings[0].what)
        done = run(text.replace("sin", "sinf"), [np.zeros(1, np.float32)], block=1)
        assert not done.findings
