"""bfloat16: typing as numba-cuda has it, values against exact fractions rounded to 8 bits."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.simt import Refused
from grader.simt.intrinsics.functions.bfloat16 import ENTRIES
from grader.simt.machine.conversion import convert
from grader.simt.program.types import BFLOAT16, SCALARS, Array, name_of
from tests.grader.simt.record_libdevice import RECORD
from tests.grader.simt.tools import kernel, run, types_here
from tests.sentences import english

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))["bfloat16"]
NUMBERS = {dtype.name: dtype for dtype in SCALARS}
X = ("x = cuda.bf16.bfloat16(f)", "y = cuda.bf16.bfloat16(2.5)")


def value_of(code: str, f: float = 0.3, dtype: str = "f8") -> float:
    out = np.zeros(1, dtype)
    run(kernel(*X, f"o[0] = {code}", takes="f, o"), [np.float64(f), out], block=1)
    return out[0].item()


def rounded(value: Fraction, mode: str = "rn") -> float:
    """The bfloat16 for an exact number, of those that are normal."""
    if not value:
        return 0.0
    size = abs(value)
    exponent = math.floor(math.log2(size))
    while Fraction(2) ** exponent > size:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= size:
        exponent += 1
    step = Fraction(2) ** (exponent - 7)
    low = value // step
    rest = value - low * step
    up = {
        "rn": rest > step / 2 or (rest == step / 2 and low % 2 == 1),
        "rd": False,
        "ru": rest > 0,
        "rz": rest > 0 and value < 0,
    }[mode]
    return float((low + up) * step)


FLOATS = st.floats(-1e30, 1e30).filter(lambda x: abs(x) > 1e-30)


@given(FLOATS)
@settings(max_examples=300, deadline=None)
def test_a_conversion_rounds_once(number):
    assert float(convert(np.array([[number]]), BFLOAT16)[0, 0]) == rounded(Fraction(number))
    single = np.float32(number)
    for mode in ("rn", "rd", "ru", "rz"):
        found = ENTRIES[f"float2bfloat16_{mode}"].apply(np.array([[single]]))[0, 0]
        assert float(found) == rounded(Fraction(float(single)), mode)


def test_halfway_in_float32_but_not_in_float64():
    number = 1 + 2.0**-8 + 2.0**-40
    assert np.float32(number) == 1 + 2.0**-8
    assert value_of("numba.float32(x)", number) == 1 + 2.0**-7
    assert value_of("numba.float32(x)", 1 + 2.0**-8) == 1


@given(FLOATS, FLOATS, st.sampled_from("+-*/"))
@settings(max_examples=60, deadline=None)
def test_arithmetic_rounds_once(first, second, operator):
    a, b = (rounded(Fraction(number)) for number in (first, second))
    exact = {
        "+": lambda: Fraction(a) + Fraction(b),
        "-": lambda: Fraction(a) - Fraction(b),
        "*": lambda: Fraction(a) * Fraction(b),
        "/": lambda: Fraction(a) / Fraction(b),
    }[operator]()
    if not 1e-35 < abs(exact) < 1e35:
        return
    name = {"+": "hadd", "-": "hsub", "*": "hmul", "/": "hdiv"}[operator]
    operands = (convert(np.array([[number]]), BFLOAT16) for number in (a, b))
    found = convert(ENTRIES[name].apply(*operands), BFLOAT16)[0, 0]
    assert float(found) == rounded(exact)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("numba.float32(x)", 0.30078125),
        ("x + y", 2.796875),
        ("x * y", 0.75),
        ("x / y", 0.1201171875),
        ("-x", -0.30078125),
        ("x < y", 1),
        ("x == x", 1),
        ("numba.int32(y)", 2),
        ("x + f", 0.30078125 + 0.3),
        ("numba.float32(x ** y)", float(np.float32(0.30078125) ** np.float32(2.5))),
        ("abs(-x)", 0.30078125),
        ("max(x, y)", 2.5),
        ("not x", 0),
        ("math.sqrt(x)", 0.546875),
        ("math.tan(x)", float(np.tan(np.float32(0.30078125)))),
        ("cuda.bf16.hfma(x, y, y)", 3.25),
        ("cuda.bf16.hfma_relu(-x, y, -y)", 0),
        ("cuda.bf16.hadd_sat(x, y)", 1),
        ("cuda.bf16.hsub_sat(x, y)", 0),
        ("cuda.bf16.hmax(x, f)", 0.30078125),
        ("cuda.bf16.hisnan(x)", 0),
        ("cuda.bf16.hisinf(-y / cuda.bf16.bfloat16(0))", -1),
        ("cuda.bf16.hmax(x, cuda.bf16.bfloat16(math.nan))", 0.30078125),
        ("math.isnan(cuda.bf16.hmax_nan(x, cuda.bf16.bfloat16(math.nan)))", 1),
        ("cuda.bf16.hltu(x, cuda.bf16.bfloat16(math.nan))", 1),
        ("cuda.bf16.hne(x, cuda.bf16.bfloat16(math.nan))", 0),
        ("cuda.bf16.bfloat16_as_ushort(y)", 0x4020),
        ("cuda.bf16.bfloat16_as_int16(-y)", 0x4020 - 2**15),
        ("cuda.bf16.ushort_as_bfloat16(0xBF80)", -1),
        ("cuda.bf16.bfloat162int_rn(y)", 2),
        ("cuda.bf16.bfloat16_to_int32_ru(y)", 3),
        ("cuda.bf16.bfloat162uint_rd(-y)", 0),
        ("cuda.bf16.int2bfloat16_rn(257)", 256),
        ("cuda.bf16.int32_to_bfloat16_ru(257)", 258),
        ("cuda.bf16.ll2bfloat16_rz(-(2**53) - 1)", -(2.0**53)),
        ("cuda.bf16.ull2bfloat16_ru(2**63 + 1)", 2.0**63 + 2.0**56),
        ("cuda.types.bfloat16(3)", 3),
    ],
)
def test_values(code, wanted):
    assert value_of(code) == wanted


def type_of(code: str, **more) -> str:
    text = kernel(*X, f"z = {code}", takes=", ".join(("f", *more)))
    kinds = {"f": NUMBERS["float64"], **more}
    found = types_here(text, kinds)["z"]
    return "bfloat16" if found == BFLOAT16.name and found_is_bfloat(text, kinds) else found


def found_is_bfloat(text: str, kinds: dict) -> bool:
    """bfloat16 has the name of float32 in NumPy: only it has conversions of its own."""
    probe = f"{text}    w = max(z, x)\n"  # of two types it is refused
    try:
        types_here(probe, kinds)
    except Refused:
        return False
    return True


WITH = {
    "float32": ("bool", "int16", "float16", "float32"),
    "float64": ("int32", "int64", "uint16", "uint32", "uint64", "float64"),
}


@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
@pytest.mark.parametrize(("wanted", "other"), [(w, o) for w, found in WITH.items() for o in found])
def test_results_are_typed_as_by_numba(operator, wanted, other):
    kind = {"n": NUMBERS[other]}
    assert type_of(f"x {operator} n", **kind) == wanted
    assert type_of(f"n {operator} x", **kind) == wanted


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("x + y", "bfloat16"),
        ("-x", "bfloat16"),
        ("x // y", "float32"),
        ("x % y", "float32"),
        ("x ** y", "float32"),
        ("x ** 2", "float32"),
        ("abs(x)", "float32"),
        ("max(x, y)", "bfloat16"),
        ("x < f", "bool"),
        ("round(x)", "int64"),
        ("math.floor(x)", "bfloat16"),
        ("math.exp2(x)", "bfloat16"),
        ("math.erf(x)", "float32"),
        ("math.fmod(x, y)", "float32"),
        ("math.isnan(x)", "bool"),
        ("cuda.bf16.hadd(x, f)", "bfloat16"),
        ("cuda.bf16.heq(x, y)", "bool"),
        ("x if f else y", "bfloat16"),
    ],
)
def test_functions_are_typed_as_by_numba(code, wanted):
    assert type_of(code) == wanted


REFUSED = (
    *("x + numba.int8(1)", "x < numba.uint8(1)", "cuda.bf16.hadd(x, numba.int8(1))"),
    "cuda.bf16.bfloat16(numba.int8(1))",
    *("float(x)", "int(x)", "complex(x)", "bool(x)", "x and y", "1 if x else 0", "np.sqrt(x)"),
    *("x & y", "~x", "x << 1", "max(x, f)", "min(x, 1)", "np.float16(x)", "o[x]", "x if f else f"),
    *("cuda.shfl_sync(-1, x, 0)", "cuda.bf16.bfloat16(2j)", "cuda.bf16.hadd(x)"),
    *("cuda.bf16.hadd(x, 2j)", "cuda.shared.array(4, cuda.bf16.bfloat16)[0]", "x + 2j"),
)


@pytest.mark.parametrize("code", REFUSED)
def test_what_numba_refuses_is_refused(code):
    with pytest.raises(Refused):
        value_of(code)


def test_a_refusal_names_the_type():
    with pytest.raises(Refused) as caught:
        value_of("x & y")
    assert "bfloat16" in english(caught.value)


def test_it_is_stored_as_what_the_array_holds():
    for dtype in ("f4", "f8", "i4", "u1"):
        assert value_of("y", dtype=dtype) == (2.5 if dtype.startswith("f") else 2)


def test_a_variable_keeps_its_precision_in_each_thread():
    text = kernel(
        "i = cuda.grid(1)", "s = cuda.bf16.bfloat16(0)",
        "for k in range(i):", "    s += cuda.bf16.bfloat16(1)", "a[i] = s",
    )  # fmt: skip
    out = np.zeros(512, np.float32)
    run(text, [out], block=512)
    np.testing.assert_array_equal(out, np.minimum(np.arange(512), 256))


def _shown(entry) -> str:
    return " -> ".join(", ".join(map(name_of, kinds)) for kinds in (entry.operands, entry.results))


def test_all_functions_are_those_of_numba():
    assert {name: _shown(entry) for name, entry in ENTRIES.items()} == RECORDED
    assert Array(BFLOAT16, 1, "global") != Array(np.dtype("f4"), 1, "global")
