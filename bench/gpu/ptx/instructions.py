"""The instructions that are compared, with operands drawn for each, edges among them."""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from grader.simt.ptx.instructions.forms import find_form
from grader.simt.ptx.instructions.kinds import Form
from grader.simt.ptx.reading import SIZES

COUNT = 128
"""Operands of each."""
CARRIED = 0x9E3779B97F4A7C15
"""By this a result differs in the record if it leaves a carry."""


class Case(NamedTuple):
    """An instruction with its operands.

    Attributes:
        name: the instruction.
        results, operands: the type of each; the last ones may be the carry flag.
        given: (operands, COUNT) uint64: bits, in the lower ones.
    """

    name: str
    results: tuple[str, ...]
    operands: tuple[str, ...]
    given: NDArray[np.uint64]
    reads_carry: bool = False
    sets_carry: bool = False


def find_case(name: str) -> Case | None:
    """Return an instruction with its operands, the same each time; None if it is refused."""
    form = form_of(name)
    if form is None:
        return None
    opcode = name.partition(".")[0]
    random = np.random.default_rng(crc32(name.encode()))
    given = [_draw(kind, at, opcode, random) for at, kind in enumerate(form.operands)]
    for at, kind in enumerate(form.operands[1:], start=1):
        if kind == form.operands[0]:  # some are equal
            given[at][at::8] = given[0][at::8]
    carry = (form.reads_carry, form.sets_carry)
    return Case(name, form.results, form.operands, np.stack(given), *carry)


def form_of(name: str) -> Form | None:
    """Return what the emulator computes; behind a colon are the parts of operands."""
    (opcode, *modifiers), parts = name.partition(":")[0].split("."), name.partition(":")[2]
    selectors = tuple(parts.split(",")) if parts else ()
    for count in [len(selectors)] if selectors else range(2, 6):
        found = find_form(opcode, tuple(modifiers), count, selectors)
        if found is not None:
            return found
    return None


_EDGES: dict[str, tuple[float, ...]] = {
    "f16": (0.0, -0.0, 1, -1, 65504, -65504, 6e-8, 6e-5, np.inf, -np.inf, np.nan, 0.5, 2.5),
    "bf16": (0.0, -0.0, 1, -1, 3.3895e38, 1e-40, -1e-40, np.inf, -np.inf, np.nan, 0.5, 2.5),
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
    if opcode == "fns" and place:
        return random.integers(-9 * (place - 1), 32 if place == 1 else 10, COUNT).astype(np.uint64)
    if kind in ("f16x2", "bf16x2"):
        low, high = (_draw(kind[:-2], place, opcode, random) for _ in range(2))
        return random.permutation(high) << np.uint64(16) | low
    if kind == "b32" and opcode in _OF_PARTS:
        bytes_ = random.integers(0, 256, (COUNT, 4), dtype=np.uint8)
        extreme = random.choice(np.array([0, 1, 0x7F, 0x80, 0xFF], np.uint8), bytes_.shape)
        parts = np.where(random.random(bytes_.shape) < 0.4, extreme, bytes_)
        return parts.view(np.uint32)[:, 0].astype(np.uint64)
    bits = random.integers(0, 1 << 63, COUNT, dtype=np.uint64) * np.uint64(2)
    bits += random.integers(0, 2, COUNT).astype(np.uint64)
    bits >>= random.integers(0, 8 * size, COUNT).astype(np.uint64) + np.uint64(64 - 8 * size)
    negative = random.random(COUNT) < 0.4
    mask = np.uint64((1 << 8 * size) - 1)
    bits = np.where(negative, ~bits & mask, bits)
    if kind[0] != "f" and kind != "bf16":
        edges = np.array([0, 1, int(mask), 1 << 8 * size - 1, (1 << 8 * size - 1) - 1], np.uint64)
        bits[: len(edges)] = random.permutation(edges)
        if (
            kind == "u32"
            and place
            and opcode in ("shl", "shr", "shf", "bfe", "bfi", "bmsk", "szext")
        ):
            bits[COUNT // 4 :] = random.integers(0, 70, COUNT - COUNT // 4)
        return bits
    return _floats_of(kind, bits, random)


def _floats_of(kind: str, bits: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    usual = random.normal(0, 1, COUNT) * 10.0 ** random.integers(-3, 4, COUNT)
    found, edges = (_bits_of(kind, np.asarray(each)) for each in (usual, _EDGES[kind]))
    found[: 3 * len(edges)] = random.permutation(np.repeat(edges, 3))
    found[-COUNT // 4 :] = bits[-COUNT // 4 :]
    return found


def _bits_of(kind: str, values: NDArray[Any]) -> NDArray[np.uint64]:
    if kind == "bf16":
        wide = values.astype(np.float32).view(np.uint32)
        return (wide >> 16).astype(np.uint64)
    dtype = np.dtype(f"f{SIZES[kind]}")
    return values.astype(dtype).view(f"u{dtype.itemsize}").astype(np.uint64)


_OF_PARTS = frozenset({
    "add", "min", "max", "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset",
    *(f"{name}{count}" for name in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset")
      for count in "24"),
})  # fmt: skip
"""Those that look at halves and bytes of words of `b32`."""
