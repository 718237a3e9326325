"""Values are those of Numba on the CPU: exact for whole numbers, IEEE + - * / and comparisons."""

from __future__ import annotations

import math
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.program.types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT8,
    INT32,
    INT64,
    UINT32,
    UINT64,
)
from tests.grader.simt.tools import kernel, module, python_function, run, types_here

pytest.importorskip("numba")

OPERATORS = ("+", "-", "*", "/", "//", "%", "<<", ">>", "&", "|", "^")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
TYPES = (BOOL, INT8, INT32, INT64, UINT32, UINT64, FLOAT32, FLOAT64)
SOME = (
    *((INT32, INT32), (UINT32, INT32), (FLOAT32, FLOAT32)),
    *((INT64, UINT64), (FLOAT32, INT64), (FLOAT64, FLOAT64), (BOOL, INT32)),
)
PAIRS = [
    pytest.param(one, other, marks=() if (one, other) in SOME else pytest.mark.long)
    for one, other in product(TYPES, repeat=2)
]


def edges(dtype) -> list:
    """Numbers at which something happens."""
    if dtype == BOOL:
        return [False, True]
    if dtype.kind == "f":
        odd = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e30, -1e-30, np.inf, -np.inf, np.nan, 0.1, 7.0]
        return [*odd, -7.0, 3.0, 1e10, 16777217.0]
    limits = np.iinfo(dtype)
    near = [0, 1, 2, 3, 5, 7, 31, limits.max, limits.max - 1, limits.min, limits.min + 1]
    return near if limits.min == 0 else [*near, -1, -2, -3, -7]


def all_pairs(one, other):
    both = list(product(edges(one), edges(other)))
    return np.array([a for a, _ in both], one), np.array([b for _, b in both], other)


def numbas(text: str, arrays: list[np.ndarray], outs: list[np.ndarray]) -> None:
    """Run an elementwise function on the CPU."""
    function = module("numba").njit(error_model="numpy")(python_function(text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function(*arrays, *outs)


def same(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Bit by bit, but that one NaN is as good as another."""
    if ours.dtype.kind == "f":
        both = np.isnan(ours) & np.isnan(theirs)
        return bool(
            ((ours.view(f"u{ours.itemsize}") == theirs.view(f"u{ours.itemsize}")) | both).all()
        )
    return bool((ours == theirs).all())


def compare(expressions: list[str], arrays: dict[str, np.ndarray]) -> None:
    """Each expression of `a`, `b`, … for all elements, in the emulator and by Numba."""
    types = {name: array.dtype for name, array in arrays.items()}
    takes = ", ".join(arrays)
    lines = [f"r{place} = {one}" for place, one in enumerate(expressions)]
    found = types_here(kernel(*lines, takes=takes), types)
    size = len(next(iter(arrays.values())))
    outs = [np.zeros(size, found[f"r{place}"]) for place in range(len(expressions))]
    theirs = [out.copy() for out in outs]
    names = [f"out{place}" for place in range(len(outs))]
    everything = ", ".join([*(f"_{name}" for name in arrays), *names])
    reads = [f"{name} = _{name}[i]" for name in arrays]
    writes = [f"out{place}[i] = {one}" for place, one in enumerate(expressions)]
    ours_text = kernel(
        "i = cuda.grid(1)",
        f"if i < _{next(iter(arrays))}.size:",
        *(f"    {one}" for one in (*reads, *writes)),
        takes=everything,
    )
    loop = kernel(
        f"for i in range(_{next(iter(arrays))}.size):",
        *(f"    {one}" for one in (*reads, *writes)),
        takes=everything,
    )
    run(ours_text, [*arrays.values(), *outs], grid=-(-size // 64), block=64)
    numbas(loop, list(arrays.values()), theirs)
    for one, mine, other in zip(expressions, outs, theirs, strict=True):
        if not same(mine, other):
            wrong = int(
                np.argmax([not same(mine[i : i + 1], other[i : i + 1]) for i in range(size)])
            )
            values = {name: array[wrong] for name, array in arrays.items()}
            raise AssertionError(f"{one} of {values}: {mine[wrong]}, Numba has {other[wrong]}")


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_operators(one, other):
    a, b = all_pairs(one, other)
    ours = [op for op in (*OPERATORS, *COMPARISONS) if resolve(op, one, other) is not None]
    shifts = [op for op in ours if op in ("<<", ">>")]
    compare([f"a {op} b" for op in ours if op not in shifts], {"a": a, "b": b})
    if shifts:  # by more bits than there are, processors differ
        fits = (b.astype(np.int64) >= 0) & (b.astype(np.int64) < 64)
        compare([f"a {op} b" for op in shifts], {"a": a[fits], "b": b[fits]})


@pytest.mark.parametrize("one", [BOOL, INT8, INT32, INT64, UINT32, FLOAT32])
def test_single_operands(one):
    a = np.array(edges(one), one)
    expressions = ["+a", "-a", "not a", "a and 5", "a or 7", "3 if a else 2.5", "a < 3 < 5"]
    expressions += ["min(a, 5)", "max(a, 2.5)"] if one != BOOL else []
    expressions += ["~a"] if one.kind != "f" else []
    expressions += ["abs(a)"] if one != BOOL else []
    expressions += ["float(a)", "bool(a)", "np.float32(a)", "np.float64(a)"] if one != BOOL else []
    compare(expressions, {"a": a[~np.isnan(a)] if one.kind == "f" else a})


@pytest.mark.parametrize("one", [INT8, INT32, INT64, UINT64])
def test_conversions_between_whole_numbers_wrap(one):
    a = np.array(edges(one), one)
    names = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    compare([f"np.{name}(a)" for name in names], {"a": a})


def test_floats_become_whole_numbers_towards_zero():
    a = np.array([0.0, 0.5, -0.5, 1.9, -1.9, 100.7, -100.7, 1e9], np.float64)
    compare(["int(a)", "np.int32(a)", "np.int64(a)", "round(a)", "a // 2", "a % 3"], {"a": a})


def test_floats_beyond_a_whole_type_saturate_as_on_the_device():
    """NaN is the sign bit alone where 64 bits take part (PTX ISA, `cvt`)."""
    a = np.array([1e20, -1e20, np.nan, np.inf, 3e9], np.float64)
    out, wide = np.zeros(5, np.int32), np.zeros(5, np.int64)
    text = kernel(
        "i = cuda.threadIdx.x",
        "out[i] = numba.int32(a[i])",
        "wide[i] = int(a[i])",
        takes="a, out, wide",
    )
    run(text, [a, out, wide], block=5)
    top, most = 2**31 - 1, 2**63 - 1
    assert out.tolist() == [top, -(2**31), -(2**31), top, top]
    assert wide.tolist() == [most, -(2**63), -(2**63), most, 3_000_000_000]


def test_floats_beyond_a_byte_are_the_low_half_of_16_bits():
    """libNVVM of CUDA 13.0 makes `cvt.rzi.s16` and `cvt.rzi.u16` of a conversion to a byte."""
    a = np.array([320.7, -100.5, 70000, -320.7, math.nan], np.float32)
    signed, unsigned = np.zeros(5, np.int8), np.zeros(5, np.uint8)
    text = kernel(
        "i = cuda.threadIdx.x",
        "signed[i] = numba.int8(a[i])",
        "unsigned[i] = numba.uint8(a[i])",
        takes="a, signed, unsigned",
    )
    run(text, [a, signed, unsigned], block=5)
    assert signed.tolist() == [64, -100, -1, -64, 0]
    assert unsigned.tolist() == [64, 0, 255, 0, 0]


@pytest.mark.parametrize("base", [INT32, FLOAT32])
def test_powers(base):
    a = np.array([0, 1, 2, 3, 5, 7, 11], base)
    compare(["a ** 2", "a ** 3", "a ** 0", "pow(a, 2)"], {"a": a})


def test_products_of_int32_do_not_wrap():
    """Numba's own simulator says 605032704."""
    out = np.zeros(1, np.int64)
    run(kernel("out[0] = a * a", takes="a, out"), [np.int32(70_000), out], block=1)
    assert out[0] == 4_900_000_000


NAMES = st.sampled_from(["a", "b", "c", "d", "1", "2", "3", "2.5", "True"])
EXPRESSIONS = st.recursive(
    NAMES,
    lambda part: st.one_of(
        st.builds("({} {} {})".format, part, st.sampled_from(["+", "-", "*"]), part),
        st.builds("({} {} {})".format, part, st.sampled_from(COMPARISONS), part),
        st.builds("({} if {} else {})".format, part, part, part),
        st.builds("({} {} {})".format, part, st.sampled_from(["and", "or"]), part),
        st.builds(
            "min({}, {})".format,
            NAMES.filter(lambda x: x != "True"),
            NAMES.filter(lambda x: x != "True"),
        ),
        st.builds("np.int32({})".format, NAMES),
        st.builds("np.float32({})".format, NAMES),
        st.builds("(-{})".format, NAMES.filter(lambda x: x != "True")),
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("cases", [4, pytest.param(40, marks=pytest.mark.long)])
def test_any_expression(cases):
    """Types and values together; all of a batch in one compilation by Numba."""
    random = np.random.default_rng(3)
    arrays = {
        "a": random.integers(-100, 100, 40).astype(np.int32),
        "b": random.integers(0, 200, 40).astype(np.uint32),
        "c": random.normal(size=40).astype(np.float32),
        "d": random.normal(size=40),
    }

    @settings(max_examples=cases, deadline=None, database=None)
    @given(st.lists(EXPRESSIONS, min_size=8, max_size=16))
    def check(expressions):
        compare(expressions, arrays)

    check()
