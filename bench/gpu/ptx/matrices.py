"""Forms of `mma` with drawn fragments: a kernel for each, of one warp a block.

Every register of a lane has 64 bits in memory, of which its type takes the first ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCKS, LANES = 16, 32
_SEED = 79
_BITS = {
    "f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8,
    "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32,
}  # fmt: skip
_LAYOUTS = {
    "f16": (5, 10), "bf16": (8, 7), "tf32": (8, 10), "f32": (8, 23), "f64": (11, 52),
    "e4m3": (4, 3), "e5m2": (5, 2),
}  # fmt: skip
"""Bits of exponent and fraction."""
_ONE_OF_TWO, _TWO_OF_FOUR = (0x4, 0xE), (0x4, 0x8, 0x9, 0xC, 0xD, 0xE)
"""Four bits of metadata."""
Array = NDArray[Any]


class MatrixCase(NamedTuple):
    """A form.

    Attributes:
        shape: m, n, k.
        kinds: of the result, A, B, and the sums.
        rest: modifiers behind the types, with what stands before them.
        selector: of a sparse one.
    """

    opcode: str
    shape: tuple[int, int, int]
    kinds: tuple[str, str, str, str]
    rest: str = ""
    selector: int | None = None

    @property
    def name(self) -> str:
        """Of its kernel."""
        m, n, k = self.shape
        parts = (self.opcode.replace("::", "_"), f"m{m}n{n}k{k}", *self.kinds, self.rest)
        text = "_".join(parts).replace(".", "_")
        return text.rstrip("_") + ("" if self.selector is None else f"_{self.selector}")

    @property
    def text(self) -> str:
        """The instruction without its operands."""
        m, n, k = self.shape
        head, _, sparse = self.opcode.partition(".")
        middle = f".{sparse}" if sparse else ""
        before = self.rest if self.rest == ".satfinite" else ""
        behind = "" if before else self.rest
        types = ".".join(self.kinds)
        return f"{head}{middle}.sync.aligned.m{m}n{n}k{k}.row.col{before}.{types}{behind}"

    def results(self, words: Array) -> Array:
        """Return what is in words of 64 bits, as numbers."""
        kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}
        narrow = words if self.kinds[0] == "f64" else words.astype(np.uint32)
        found: Array = narrow.view(kind[self.kinds[0]])
        return found

    @property
    def registers(self) -> tuple[int, int, int, int]:
        """How many each lane has of the result, of A, B, and the sums."""
        m, n, k = self.shape
        kept = 2 if "sp" in self.opcode else 1
        sizes = (m * n, m * k // kept, k * n, m * n)
        return tuple(
            -(-size * _BITS[kind] // (LANES * max(32, _BITS[kind])))
            for size, kind in zip(sizes, self.kinds, strict=True)
        )  # type: ignore[return-value]


def _dense() -> list[MatrixCase]:
    found = [
        MatrixCase("mma", (16, 8, k), (d, "f16", "f16", d)) for k in (8, 16) for d in ("f32", "f16")
    ]
    for kind, depths in (("bf16", (8, 16)), ("tf32", (4, 8))):
        found += [MatrixCase("mma", (16, 8, k), ("f32", kind, kind, "f32")) for k in depths]
    for kinds in (("e4m3", "e4m3"), ("e5m2", "e5m2"), ("e4m3", "e5m2"), ("e5m2", "e4m3")):
        for d, k in (("f32", 16), ("f32", 32), ("f16", 16), ("f16", 32)):
            found.append(MatrixCase("mma", (16, 8, k), (d, *kinds, d)))
    f64, shapes = ("f64",) * 4, ((8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16))
    found += [MatrixCase("mma", shape, f64) for shape in shapes]
    for size, kinds in ((8, ("s8", "u8")), (4, ("s4", "u4"))):
        deep = 128 // size
        for a in kinds:
            for b in kinds:
                for shape in ((8, 8, deep), (16, 8, deep), (16, 8, 2 * deep)):
                    found.append(MatrixCase("mma", shape, ("s32", a, b, "s32")))
        a = kinds[0]
        found.append(MatrixCase("mma", (16, 8, deep), ("s32", a, a, "s32"), ".satfinite"))
    for operation in (".xor.popc", ".and.popc"):
        for shape in ((8, 8, 128), (16, 8, 128), (16, 8, 256)):
            found.append(MatrixCase("mma", shape, ("s32", "b1", "b1", "s32"), operation))
    return found


def _sparse() -> list[MatrixCase]:
    found, opcode = [], "mma.sp::ordered_metadata"
    for kind, depth, selectors in (
        ("f16", 16, 4), ("f16", 32, 2), ("bf16", 16, 4), ("bf16", 32, 2),
        ("tf32", 8, 4), ("tf32", 16, 2), ("s8", 32, 2), ("s8", 64, 1), ("u8", 32, 2),
        ("u8", 64, 1), ("e4m3", 64, 1), ("e5m2", 64, 1), ("s4", 64, 2), ("s4", 128, 1),
        ("u4", 64, 2), ("u4", 128, 1),
    ):  # fmt: skip
        sums = "s32" if kind[1:] in ("8", "4") else "f32"
        for selector in range(selectors):
            kinds = (sums, kind, kind, sums)
            found.append(MatrixCase(opcode, (16, 8, depth), kinds, "", selector))
    found.append(MatrixCase(opcode, (16, 8, 32), ("f16", "f16", "f16", "f16"), "", 0))
    found.append(MatrixCase("mma.sp", (16, 8, 32), ("f32", "f16", "f16", "f32"), "", 1))
    return found


CASES = {case.name: case for case in (*_dense(), *_sparse())}


def given() -> dict[str, Array]:
    """Return the registers of each case: (blocks, registers, lanes) of 64 bits."""
    random, found = np.random.default_rng(_SEED), {}
    for name, case in CASES.items():
        parts = []
        for kind, registers in zip(case.kinds[1:], case.registers[1:], strict=True):
            parts.append(_draw(random, kind, registers))
        if case.selector is not None:
            parts.append(_metadata(random, case.kinds[1]))
        found[name] = np.concatenate(parts, axis=1)
    return found


def _draw(random: np.random.Generator, kind: str, registers: int) -> Array:
    """Draw registers of elements."""
    bits = _BITS[kind]
    each = max(1, 32 // bits) if bits < 64 else 1
    whole = draw_numbers(random, kind, (BLOCKS, registers, LANES, each))
    places = np.arange(each, dtype=np.uint64) * np.uint64(bits)
    return np.bitwise_or.reduce(whole << places, axis=-1)


def draw_numbers(random: np.random.Generator, kind: str, shape: tuple[int, ...]) -> Array:
    """Draw numbers of a type as bits; the first axis are blocks."""
    bits = _BITS[kind]
    if kind in _LAYOUTS:
        whole = _floats(random, kind, shape)
    elif kind == "s32":
        whole = random.integers(-(1 << 31), 1 << 31, shape).astype(np.uint64)
        whole[: BLOCKS // 2] = random.integers(-99, 99, shape)[: BLOCKS // 2].astype(np.uint64)
    else:
        whole = random.integers(0, 1 << bits, shape).astype(np.uint64)
    found: Array = whole & np.uint64((1 << bits) - 1 if bits < 64 else 0xFFFFFFFFFFFFFFFF)
    return found


def _floats(random: np.random.Generator, kind: str, shape: Any) -> Array:
    """Draw codes: blocks of normal, far apart, few, tiny, and odd numbers."""
    exponents, fraction = _LAYOUTS[kind]
    bias = (1 << (exponents - 1)) - 1
    signs = random.integers(0, 2, shape).astype(np.uint64) << np.uint64(exponents + fraction)
    digits = random.integers(0, 1 << fraction, shape)
    spread = min(bias - 1, 14) * np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 0, 0]) // 4
    wide = spread.reshape(-1, *(1,) * (len(shape) - 1))
    powers = bias + random.integers(-wide, wide + 1, shape)
    powers[14] = random.integers(0, 3, shape[1:])
    codes = signs | (powers << fraction | digits).astype(np.uint64)
    codes[12][random.random(shape[1:]) < 0.8] = 0
    odd = random.integers(0, 1 << (exponents + fraction), shape[1:]).astype(np.uint64) | signs[15]
    codes[15] = np.where(random.random(shape[1:]) < 0.1, odd, codes[15])
    return codes << np.uint64(13) if kind == "tf32" else codes


def _metadata(random: np.random.Generator, kind: str) -> Array:
    """Draw the places of kept elements: two of four, or one of two for `tf32`."""
    pairs = np.array(_ONE_OF_TWO if kind == "tf32" else _TWO_OF_FOUR, np.uint64)
    nibbles = random.choice(pairs, (BLOCKS, 1, LANES, 8))
    return np.bitwise_or.reduce(nibbles << (np.arange(8, dtype=np.uint64) * np.uint64(4)), axis=-1)


_HEAD = ".version 8.7\n.target sm_90a\n.address_size 64\n"
_REGISTERS = {"f32": "f32", "f64": "f64"}


def _register(kind: str) -> str:
    return _REGISTERS.get(kind, "b32")


def write() -> str:
    """Return the PTX of all kernels."""
    return _HEAD + "".join(map(_kernel, CASES.values()))


def _kernel(case: MatrixCase) -> str:
    counts = dict(zip("dabc", case.registers, strict=True))
    kinds = dict(zip("dabc", case.kinds, strict=True))
    declared = [
        f".reg .{_register(kinds[letter])} %{letter}<{counts[letter]}>;" for letter in "dabc"
    ]
    names = {letter: [f"%{letter}{at}" for at in range(counts[letter])] for letter in "dabc"}
    loads, total = list[str](), sum(counts[letter] for letter in "abc")
    flat = [(letter, each) for letter in "abc" for each in names[letter]]
    if case.selector is not None:
        flat.append(("e", "%e"))
        total += 1
    for at, (letter, each) in enumerate(flat):
        kind = "b32" if letter == "e" else _register(kinds[letter])
        loads.append(f"ld.global.{kind} {each}, [%given+{at * LANES * 8}];")
    stores = [
        f"st.global.{_register(kinds['d'])} [%results+{at * LANES * 8}], {each};"
        for at, each in enumerate(names["d"])
    ]
    groups = ", ".join("{" + ", ".join(names[letter]) + "}" for letter in "dabc")
    behind = "" if case.selector is None else f", %e, {case.selector}"
    lines = [
        f".visible .entry {case.name}(.param .u64 given, .param .u64 results)",
        "{",
        ".reg .b32 %lane, %block, %part, %e;",
        ".reg .b64 %given, %results, %offset;",
        *declared,
        "ld.param.u64 %given, [given];",
        "ld.param.u64 %results, [results];",
        "mov.u32 %lane, %tid.x;",
        "mov.u32 %block, %ctaid.x;",
        f"mad.lo.u32 %part, %block, {total * LANES}, %lane;",
        "mul.wide.u32 %offset, %part, 8;",
        "add.s64 %given, %given, %offset;",
        f"mad.lo.u32 %part, %block, {counts['d'] * LANES}, %lane;",
        "mul.wide.u32 %offset, %part, 8;",
        "add.s64 %results, %results, %offset;",
        *loads,
        f"{case.text} {groups}{behind};",
        *stores,
        "ret;",
        "}",
    ]
    return "\n".join(lines) + "\n"
