"""FP8 of tests/data/ptx/fp8: conversions, and products of `mma`; what they are given, and give."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "fp8"
Array = NDArray[Any]
_SEED = 78
_SHIFT = {"e4m3": (3, 7), "e5m2": (2, 15)}
"""Bits of the fraction, and the bias of the exponent."""
_LARGEST = {"e4m3": 448.0, "e5m2": 57344.0}


class Fp8Case(NamedTuple):
    """A kernel with its arrays; the last one is stored.

    Attributes:
        threads: of one block each, of as many blocks as it takes.
    """

    given: tuple[Array, ...]
    stored: Array
    threads: int = 128

    @property
    def blocks(self) -> int:
        """How many there are."""
        return -(-self.stored.size // self.threads) if len(self.given) == 1 else 1


def value(code: int, kind: str) -> float:
    """Return what a code is."""
    digits, bias = _SHIFT[kind]
    exponent, fraction = code >> digits & (1 << (7 - digits)) - 1, code & ((1 << digits) - 1)
    sign = -1.0 if code >> 7 else 1.0
    if kind == "e4m3" and code & 0x7F == 0x7F:
        return float("nan")
    if kind == "e5m2" and exponent == 31:
        return float("nan") if fraction else sign * float("inf")
    if not exponent:
        return float(sign * fraction * 2.0 ** (1 - bias - digits))
    return float(sign * (1 + fraction * 2.0**-digits) * 2.0 ** (exponent - bias))


def nearest(number: float, kind: str) -> int:
    """Return the code nearest to a number, by trying all: of two, the even one; it saturates."""
    if np.isnan(number):
        return 0x7F
    sign = 0x80 if np.signbit(number) else 0
    size = abs(number)
    if size >= _LARGEST[kind]:
        return sign | (0x7E if kind == "e4m3" else 0x7B)
    codes = [code for code in range(128) if np.isfinite(value(code, kind))]
    apart = [(abs(value(code, kind) - size), code % 2, code) for code in codes]
    return sign | min(apart)[2]


def cases() -> dict[str, Fp8Case]:
    """Return every kernel's arrays."""
    random = np.random.default_rng(_SEED)
    every = np.arange(1 << 16, dtype=np.uint16)
    near = np.array([value(code, kind) for kind in _SHIFT for code in range(256)])
    near = near[np.isfinite(near)]
    above = np.nextafter(near.astype(np.float32), np.float32(np.inf))
    others = [np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-30, 0.0, -0.0, 464.0, 61440.0]
    drawn = random.standard_normal(1000) * 100, random.standard_normal(1000)
    floats = np.concatenate([near, above, (near[1:] + near[:-1]) / 2, others, *drawn])
    floats = np.resize(floats, floats.size // 2 * 2).astype(np.float32)
    found = dict[str, Fp8Case]()
    for name in ("narrow_e4m3", "narrow_e5m2", "narrow_e4m3_relu"):
        found[name] = Fp8Case((floats,), np.zeros(floats.size // 2, np.uint16))
    for name in ("halves_e4m3", "halves_e5m2", "halves_e5m2_relu"):
        found[name] = Fp8Case((every,), np.zeros(every.size // 2, np.uint16))
    for name in ("wide_e4m3", "wide_e5m2", "wide_e4m3_relu"):
        found[name] = Fp8Case((every,), np.zeros(every.size, np.uint32))
    for name in ("mma_e4m3", "mma_e5m2_e4m3"):
        left, right = (random.integers(0, 0x50, count, dtype=np.uint8) for count in (512, 256))
        left |= random.integers(0, 2, 512, dtype=np.uint8) << 7
        sums = random.integers(-9, 9, 128).astype(np.float32)
        found[name] = Fp8Case((left, right, sums), np.zeros(128, np.float32), 32)
    return found


def compute(name: str, case: Fp8Case) -> Array:
    """Compute what a kernel stores: codes by trying all, sums in double precision, rounded once."""
    kind, relu = name.split("_")[1], name.endswith("relu")
    if name.startswith("mma"):
        return _multiply(name.split("_")[1:], case)
    if name.startswith("wide"):
        codes = case.given[0].view(np.uint8)
        table = np.array([value(code, kind) for code in range(256)])
        values = table[codes]
        values = np.where(relu & (values < 0), 0.0, values).astype(np.float16)
        bits = np.where(np.isnan(values), np.uint16(0x7FFF), values.view(np.uint16))
        bits = np.where(relu & (bits == 0x8000), np.uint16(0), bits)
        return bits.astype(np.uint16).view(np.uint32)
    given = case.given[0].view(np.float16 if name.startswith("halves") else np.float32)
    distinct, where = np.unique(given.view(f"u{given.itemsize}"), return_inverse=True)
    numbers = distinct.view(given.dtype).astype(np.float64)
    numbers = np.where(relu & (numbers <= 0), 0.0, numbers)
    codes = np.array([nearest(float(number), kind) for number in numbers], np.uint8)[where]
    pairs = codes.reshape(-1, 2)
    if name.startswith("narrow"):  # the first operand is the upper one
        pairs = pairs[:, ::-1]
    return np.ascontiguousarray(pairs).view(np.uint16)[:, 0]


def _multiply(kinds: list[str], case: Fp8Case) -> Array:
    left, right, sums = case.given
    a, b, c = np.zeros((16, 32)), np.zeros((32, 8)), np.zeros((16, 8))
    for thread in range(32):
        group, place = thread // 4, thread % 4
        for register in range(4):
            row, column = group + register // 2 * 8, place * 2 + register % 2
            c[row, column] = sums[thread * 4 + register]
            for byte in range(4):
                code = int(left[(thread * 4 + register) * 4 + byte])
                at = (group + register % 2 * 8, place * 4 + byte + register // 2 * 16)
                a[at] = value(code, kinds[0])
                if register < 2:
                    code = int(right[(thread * 2 + register) * 4 + byte])
                    b[place * 4 + byte + register * 16, group] = value(code, kinds[-1])
    total, found = a @ b + c, np.zeros(128, np.float32)
    for thread in range(32):
        for register in range(4):
            at = (thread // 4 + register // 2 * 8, thread % 4 * 2 + register % 2)
            found[thread * 4 + register] = total[at]
    return found


def read() -> str:
    """Return the PTX of all kernels."""
    return (FOLDER / "fp8.ptx").read_text()
