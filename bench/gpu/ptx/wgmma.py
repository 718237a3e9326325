"""`wgmma` of tests/data/ptx/wgmma: what shared memory holds, descriptors, and what comes out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.gpu.ptx.fp8 import value

FOLDER = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "wgmma"
HALF_BYTES = 16384
"""Of shared memory for A, and for B."""
WIDTH, THREADS = 32, 128
"""Columns of the product, and threads."""
_SEED = 77
_E4M3 = (0x00, 0x38, 0x40, 0x44, 0x48, 0xB8, 0xC0, 0x30, 0xC4, 0x3C)
_E5M2 = (0x00, 0x3C, 0x40, 0x42, 0x44, 0xBC, 0xC0, 0x38, 0xC2, 0x3E)
_FEW = {"e4m3": _E4M3, "e5m2": _E5M2}
"""Codes of 0, 1, 2, 3, 4, -1, -2, 0.5, -3, 1.5."""
_FINITE = {"e4m3": 0x7F, "e5m2": 0x7C}
"""The codes below are finite."""
_ROWS = {0: 16, 3: 32, 2: 64, 1: 128}
"""Bytes of a row, by the mode of a descriptor."""
Array = NDArray[Any]


class WgmmaCase(NamedTuple):
    """A product.

    Attributes:
        kernel: such as `ss_f16_01`: A in shared memory or registers, types, what is turned.
        kinds: of A and B.
        left, right: descriptors, from the beginning of shared memory.
        sums: the type of the accumulators.
        exact: True for small integers, whose sums need no rounding.
        adds: False to begin at zero.
    """

    kernel: str
    kinds: tuple[str, str]
    left: int
    right: int
    sums: str = "f32"
    exact: bool = True
    adds: bool = True


class Given(NamedTuple):
    """What a case is given: shared memory, accumulators, and registers of A, of each thread."""

    memory: Array
    sums: Array
    registers: Array


def describe(start: int, leading: int, stride: int, mode: int) -> int:
    """Return a descriptor of a matrix at a place of shared memory, by its strides in bytes."""
    return start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | mode << 62


def _plain(start: int, mode: int) -> int:
    """Return the descriptor of a matrix with K contiguous, as it is usually laid out."""
    row = _ROWS[mode]
    return describe(start, 16 if mode else 1024, 8 * row if mode else 256, mode)


def _turned(start: int, mode: int) -> int:
    """Return the same with M or N contiguous."""
    row = _ROWS[mode]
    return describe(start, 16 * row if mode else 1024, 8 * row if mode else 128, mode)


def _make() -> dict[str, WgmmaCase]:
    found = dict[str, WgmmaCase]()
    half, same = HALF_BYTES, {"f16": "f16", "bf16": "bf16", "tf32": "tf32", "e4m3": "e4m3"}
    for mode in range(4):
        left, right = _plain(0, mode), _plain(half, mode)
        for kernel, kinds in (
            ("ss_f16_00", ("f16", "f16")), ("ss_bf16_00", ("bf16", "bf16")),
            ("ss_tf32", ("tf32", "tf32")), ("ss_e4m3", ("e4m3", "e4m3")),
            ("ss_e5m2_e4m3", ("e5m2", "e4m3")), ("ss_s8", ("s8", "s8")),
            ("ss_u8_s8", ("u8", "s8")), ("ssh_f16_00", ("f16", "f16")),
        ):  # fmt: skip
            sums = "s32" if "s8" in kernel else "f16" if "ssh" in kernel else "f32"
            found[f"{kernel}_m{mode}"] = WgmmaCase(kernel, kinds, left, right, sums)
        for turned in ("01", "10", "11"):
            a = _turned(0, mode) if turned[0] == "1" else left
            b = _turned(half, mode) if turned[1] == "1" else right
            found[f"ss_f16_{turned}_m{mode}"] = WgmmaCase(f"ss_f16_{turned}", ("f16",) * 2, a, b)
        for kind in same:
            kernel = f"rs_{kind}_0" if kind.endswith("f16") else f"rs_{kind}"
            found[f"{kernel}_m{mode}"] = WgmmaCase(kernel, (kind, kind), 0, right)
        found[f"rs_f16_1_m{mode}"] = WgmmaCase("rs_f16_1", ("f16",) * 2, 0, _turned(half, mode))
        found[f"rs_s8_m{mode}"] = WgmmaCase("rs_s8", ("s8", "s8"), 0, right, "s32")
        odd = describe(half + 2048, 3072, 512, mode)
        a = describe(1024, 2048, 384, mode)
        found[f"odd_m{mode}"] = WgmmaCase("ss_f16_00", ("f16",) * 2, a, odd)
        a = describe(1024, 2048, 1024 if mode else 384, mode)
        found[f"oddt_m{mode}"] = WgmmaCase("ss_f16_11", ("f16",) * 2, a, odd)
    for mode, steps in ((1, 4), (2, 2)):
        for step in range(1, steps):  # along K, within a row of the swizzle
            a, b = _plain(32 * step, mode), _plain(half + 32 * step, mode)
            found[f"step_m{mode}_{step}"] = WgmmaCase("ss_f16_00", ("f16",) * 2, a, b)
    a, b = _plain(0, 1), _plain(half, 1)
    found["zero"] = WgmmaCase("ss_f16_00", ("f16",) * 2, a, b, adds=False)
    for kernel, kinds in (
        ("ss_f16_00", ("f16", "f16")), ("ss_bf16_00", ("bf16", "bf16")),
        ("ss_tf32", ("tf32", "tf32")), ("ss_e4m3", ("e4m3", "e4m3")),
        ("ss_e5m2_e4m3", ("e5m2", "e4m3")), ("ssh_f16_00", ("f16", "f16")),
        ("ssh_e4m3", ("e4m3", "e4m3")), ("rs_e4m3", ("e4m3", "e4m3")),
    ):  # fmt: skip
        sums = "f16" if "ssh" in kernel else "f32"
        left = 0 if kernel[:2] == "rs" else a
        found[f"{kernel}_random"] = WgmmaCase(kernel, kinds, left, b, sums, exact=False)
    return found


CASES = _make()


def given() -> dict[str, Given]:
    """Return what each case is given."""
    random, found = np.random.default_rng(_SEED), {}
    for name, case in CASES.items():
        halves = [_fill(random, kind, HALF_BYTES, case.exact) for kind in case.kinds]
        count = THREADS * WIDTH // 2
        sums = random.integers(-9, 9, count)
        dtype = {"f32": np.float32, "s32": np.int32, "f16": np.float16}[case.sums]
        whole = sums.astype(dtype) if case.exact else random.standard_normal(count).astype(dtype)
        registers = _fill(random, case.kinds[0], 16 * THREADS, case.exact)
        found[name] = Given(np.concatenate(halves), whole, registers)
    return found


def _fill(random: np.random.Generator, kind: str, count: int, exact: bool) -> Array:  # noqa: FBT001
    """Return random bytes, as elements of a type."""
    if kind in _FEW:
        finite = [at for at in range(256) if at % 128 < _FINITE[kind]]
        codes = _FEW[kind] if exact else finite
        return random.choice(np.array(codes, np.uint8), count)
    if kind in ("s8", "u8"):
        return random.integers(0, 256, count, dtype=np.uint8)
    size = 4 if kind == "tf32" else 2
    numbers = random.integers(-4, 5, count // size).astype(np.float32)
    if not exact:
        numbers = random.standard_normal(count // size).astype(np.float32)
    if kind == "bf16":
        return (numbers.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
    return numbers.astype(np.float16 if kind == "f16" else np.float32).view(np.uint8)


def _value(kind: str, raw: Array) -> float:
    """Return what the bytes of an element are."""
    if kind in _FEW:
        return value(int(raw[0]), kind)
    if kind == "bf16":
        return float((raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32)[0])
    if kind == "tf32":
        return float((raw.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)[0])
    return float(raw.view({"f16": np.float16, "s8": np.int8, "u8": np.uint8}[kind])[0])


_ITEM = {"f16": 2, "bf16": 2, "tf32": 4}


def _element(memory: Array, descriptor: int, kind: str, at: tuple[int, int, bool]) -> float:
    """Return an element of a matrix in shared memory: its row (of M or N), its K, if turned."""
    row, deep, turned = at
    item = _ITEM.get(kind, 1)
    start, leading, stride = ((descriptor >> bit & 0x3FFF) << 4 for bit in (0, 16, 32))
    mode = descriptor >> 62
    width = _ROWS[mode]
    if not turned:
        byte = deep * item
        inner = row % 8 * width + byte if mode else byte // 16 * leading + row % 8 * 16 + byte % 16
        place = start + row // 8 * stride + inner
    else:
        byte = row * item
        if mode:
            place = start + byte // width * leading + byte % width + deep // 8 * stride
            place += deep % 8 * width
        else:
            place = start + byte // 16 * stride + byte % 16 + deep // 8 * leading + deep % 8 * 16
    place ^= (place >> 7 & {0: 0, 1: 7, 2: 3, 3: 1}[mode]) << 4
    return _value(kind, memory[place : place + item])


def compute(case: WgmmaCase, data: Given) -> Array:
    """Multiply element by element; return the accumulators of each thread, in double precision."""
    left, right = case.kinds
    item = _ITEM.get(left, 1)
    depth = 32 // item
    turned = re.search(r"_([01]+)$", case.kernel)
    bits = turned[1] if turned else "00"
    a, b = np.zeros((64, depth)), np.zeros((WIDTH, depth))
    for deep in range(depth):
        for row in range(WIDTH):
            at = (row, deep, bits[-1] == "1")
            b[row, deep] = _element(data.memory, case.right, right, at)
        for row in range(64):
            if case.kernel.startswith("rs"):
                a[row, deep] = _of_registers(data.registers, left, row, deep)
            else:
                at = (row, deep, bits[0] == "1")
                a[row, deep] = _element(data.memory, case.left, left, at)
    sign = -1 if case.kernel in ("ss_f16_11", "ss_bf16_00") else 1
    product = sign * (a @ b.T)
    thread, number = np.meshgrid(np.arange(THREADS), np.arange(WIDTH // 2), indexing="ij")
    rows = thread // 32 * 16 + thread % 32 // 4 + 8 * (number // 2 % 2)
    columns = number // 4 * 8 + thread % 4 * 2 + number % 2
    before = data.sums.reshape(THREADS, -1).astype(np.float64) if case.adds else 0.0
    return product[rows, columns] + before


def _of_registers(registers: Array, kind: str, row: int, deep: int) -> float:
    """Return an element of A from the registers of the threads that hold it."""
    item = _ITEM.get(kind, 1)
    each = 4 // item
    thread = row // 16 * 32 + row % 8 * 4 + deep // each % 4
    number = row % 16 // 8 + deep // (4 * each) * 2
    place = (thread * 4 + number) * 4 + deep % each * item
    return _value(kind, registers[place : place + item])


def read() -> str:
    """Return the PTX of all kernels."""
    return (FOLDER / "products.ptx").read_text()
