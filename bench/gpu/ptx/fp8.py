"""Conversions of FP8 of tests/data/ptx/fp8: what they are given."""

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
    return found


def read() -> str:
    """Return the PTX of all kernels."""
    return (FOLDER / "fp8.ptx").read_text()
