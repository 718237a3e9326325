"""The instructions that are compared, with operands drawn for each, edges among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.ptx.instructions.forms import find_form
from grader.simt.ptx.reading import SIZES
from grader.simt.ptx.values import DTYPES

COUNT = 256
"""Operands of each."""
_INTEGERS = ("s16", "u16", "s32", "u32", "s64", "u64")
_WORDS = ("s32", "u32", "s64", "u64")
_BITS = ("b16", "b32", "b64")
_COMPARE = ("eq", "ne", "lt", "le", "gt", "ge")
_UNORDERED = ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")


def names() -> Iterator[str]:
    """Yield every instruction, with its modifiers."""
    for kind in _INTEGERS:
        for name in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max", "mad.lo"):
            yield f"{name}.{kind}"
        yield f"shr.{kind}"
        if kind[0] == "s":
            yield from (f"{name}.{kind}" for name in ("abs", "neg"))
    for kind in ("s16", "u16", "s32", "u32"):
        yield from (f"mul.wide.{kind}", f"mad.wide.{kind}")
    for kind in _WORDS:
        yield from (f"bfe.{kind}", f"bfind.{kind}", f"sad.{kind}", f"mad.hi.{kind}")
        for compare in _COMPARE:
            yield f"setp.{compare}.{kind}"
    yield from ("mul24.lo.s32", "mul24.hi.u32", "add.sat.s32", "sub.sat.s32", "bfind.shiftamt.u32")
    for kind in _BITS:
        yield from (f"{name}.{kind}" for name in ("and", "or", "xor", "not", "cnot", "shl"))
        yield f"selp.{kind}"
    for kind in ("b32", "b64"):
        yield from (f"{name}.{kind}" for name in ("popc", "clz", "brev", "bfi"))
    yield from ("prmt.b32", "bmsk.clamp.b32", "bmsk.wrap.b32")
    yield from (f"shf.{side}.{mode}.b32" for side in "lr" for mode in ("wrap", "clamp"))
    yield from (f"dp4a.{a}.{b}" for a in ("s32", "u32") for b in ("s32", "u32"))
    yield from _floats()
    yield from _conversions()


def _floats() -> Iterator[str]:
    for kind in ("f32", "f64"):
        for mode in ("rn", "rz", "rm", "rp"):
            for name in ("add", "sub", "mul", "fma", "div", "rcp", "sqrt"):
                yield f"{name}.{mode}.{kind}"
        for name in ("abs", "neg", "min", "max", "copysign"):
            yield f"{name}.{kind}"
        for compare in (*_COMPARE, *_UNORDERED):
            yield f"setp.{compare}.{kind}"
        yield f"selp.{kind}"
        for test in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            yield f"testp.{test}.{kind}"
    for name in ("add.rn.ftz", "mul.rn.ftz", "fma.rn.ftz", "add.rn.sat", "fma.rn.sat"):
        yield f"{name}.f32"
    yield from ("min.NaN.f32", "max.NaN.f32", "set.lt.u32.f32", "set.ge.f32.f32")
    for kind in ("f16", "f16x2", "bf16", "bf16x2"):
        yield from (f"fma.rn.{kind}", f"neg.{kind}", f"abs.{kind}")
        yield from (f"min.{kind}", f"max.{kind}")
    for kind in ("f16", "f16x2"):
        yield from (f"add.rn.{kind}", f"sub.rn.{kind}", f"mul.rn.{kind}", f"fma.rn.relu.{kind}")


def _conversions() -> Iterator[str]:
    yield from _to_integers()
    yield from _to_floats()


def _to_integers() -> Iterator[str]:
    for to in ("s8", "u8", *_INTEGERS):
        for source in ("s8", "u8", *_INTEGERS):
            if to != source:
                yield f"cvt.{to}.{source}"
                if not _holds(to, source):
                    yield f"cvt.sat.{to}.{source}"
        for source in ("f32", "f64", "f16"):
            for mode in ("rni", "rzi", "rmi", "rpi"):
                yield f"cvt.{mode}.{to}.{source}"


def _to_floats() -> Iterator[str]:
    for source in _INTEGERS:
        for to in ("f32", "f64", "f16"):
            for mode in ("rn", "rz", "rm", "rp"):
                yield f"cvt.{mode}.{to}.{source}"
    for mode in ("rn", "rz", "rm", "rp"):
        yield f"cvt.{mode}.f32.f64"
    for mode in ("rn", "rz"):
        yield from (f"cvt.{mode}.f16.f32", f"cvt.{mode}.bf16.f32")
        yield from (f"cvt.{mode}.f16x2.f32", f"cvt.{mode}.bf16x2.f32")
    yield from ("cvt.f64.f32", "cvt.f32.f16", "cvt.f64.f16", "cvt.f32.bf16", "cvt.rna.tf32.f32")
    yield from (f"cvt.{mode}.{kind}.{kind}" for mode in ("rni", "rzi") for kind in ("f32", "f64"))


def _holds(to: str, source: str) -> bool:
    """Return True if a type has all numbers of another, so that `.sat` is not allowed."""
    wide, narrow = np.iinfo(DTYPES[to]), np.iinfo(DTYPES[source])
    return wide.min <= narrow.min and narrow.max <= wide.max


class Case(NamedTuple):
    """An instruction with its operands.

    Attributes:
        name: the instruction.
        results, operands: the type of each.
        given: (operands, COUNT) uint64: bits, in the lower ones.
    """

    name: str
    results: tuple[str, ...]
    operands: tuple[str, ...]
    given: NDArray[np.uint64]


def cases() -> Iterator[Case]:
    """Yield all instructions; the operands are always the same."""
    for number, name in enumerate(dict.fromkeys(names())):
        opcode, *modifiers = name.split(".")
        form = next(
            (
                found
                for count in range(2, 6)
                if (found := find_form(opcode, modifiers, count)) is not None
            ),
            None,
        )
        if form is None:
            raise LookupError(name)
        random = np.random.default_rng(number)
        given = [_draw(kind, at, opcode, random) for at, kind in enumerate(form.operands)]
        results = form.results[:1]
        yield Case(name, results, form.operands, np.stack(given))


_EDGES: dict[str, tuple[float, ...]] = {
    "f16": (0.0, -0.0, 1, -1, 65504, -65504, 6e-8, 6e-5, np.inf, -np.inf, np.nan, 0.5, 2.5),
    "f32": (0.0, -0.0, 1, -1, 3.4028235e38, 1e-45, -1e-45, 1.1754944e-38, np.inf, -np.inf, np.nan,
            0.5, 1.5, 2.5, -2.5, 2147483648.0, 4294967296.0, 65504, 65520),
    "f64": (0.0, -0.0, 1, -1, 1.7976931348623157e308, 5e-324, np.inf, -np.inf, np.nan, 0.5, 2.5,
            2.0**63, 2.0**64, 2.0**-1022, 3.4028235677973366e38),
}  # fmt: skip


def _draw(kind: str, place: int, opcode: str, random: np.random.Generator) -> NDArray[Any]:
    """Draw operands of a type: bits of all sizes, and edges."""
    size = SIZES[kind]
    if kind == "pred":
        return random.integers(0, 2, COUNT).astype(np.uint64)
    bits = random.integers(0, 1 << 63, COUNT, dtype=np.uint64) * np.uint64(2)
    bits += random.integers(0, 2, COUNT).astype(np.uint64)
    bits >>= random.integers(0, 8 * size, COUNT).astype(np.uint64) + np.uint64(64 - 8 * size)
    negative = random.random(COUNT) < 0.4
    mask = np.uint64((1 << 8 * size) - 1)
    bits = np.where(negative, ~bits & mask, bits)
    if kind[0] != "f" and kind not in ("bf16", "bf16x2", "tf32"):
        edges = np.array([0, 1, int(mask), 1 << 8 * size - 1, (1 << 8 * size - 1) - 1], np.uint64)
        bits[: len(edges)] = random.permutation(edges)
        if kind == "u32" and place and opcode in ("shl", "shr", "shf", "bfe", "bfi", "bmsk"):
            bits[COUNT // 4 :] = random.integers(0, 70, COUNT - COUNT // 4)
        return bits
    return _floats_of(kind, bits, random)


def _floats_of(kind: str, bits: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    if kind in ("bf16", "f16x2", "bf16x2", "tf32"):
        return bits
    dtype = np.dtype(f"f{SIZES[kind]}")
    usual = random.normal(0, 1, COUNT) * 10.0 ** random.integers(-3, 4, COUNT)
    found = usual.astype(dtype).view(f"u{dtype.itemsize}").astype(np.uint64)
    edges = np.array(_EDGES[kind], dtype).view(f"u{dtype.itemsize}").astype(np.uint64)
    found[: 3 * len(edges)] = random.permutation(np.repeat(edges, 3))
    found[-COUNT // 4 :] = bits[-COUNT // 4 :]
    return found
