"""Forms of `wmma` with drawn matrices in global memory: a kernel for each, of one warp a block."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.gpu.ptx.matrices import draw_numbers

BLOCKS, LANES = 16, 32
_SEED = 81
_BYTES = {"f16": 2, "bf16": 2, "tf32": 4, "f32": 4, "f64": 8, "s8": 1, "s32": 4}
Array = NDArray[Any]


class WholeCase(NamedTuple):
    """A form: its sizes, types of A and B and of the sums, and registers of A, B, and the sums."""

    shape: tuple[int, int, int]
    kind: str
    sums: str
    registers: tuple[int, int, int]

    @property
    def name(self) -> str:
        """Of its kernel."""
        return f"wmma_{self.sizes}_{self.kind}_{self.sums}"

    @property
    def sizes(self) -> str:
        """As the instruction names them."""
        m, n, k = self.shape
        return f"m{m}n{n}k{k}"

    @property
    def counts(self) -> tuple[int, int, int]:
        """Elements of A, B, and the sums."""
        m, n, k = self.shape
        return m * k, k * n, m * n


_FORMS = (
    WholeCase((16, 16, 16), "f16", "f32", (8, 8, 8)),
    WholeCase((32, 8, 16), "f16", "f32", (8, 8, 8)),
    WholeCase((8, 32, 16), "f16", "f32", (8, 8, 8)),
    WholeCase((16, 16, 16), "f16", "f16", (8, 8, 4)),
    WholeCase((16, 16, 16), "bf16", "f32", (4, 4, 8)),
    WholeCase((16, 16, 8), "tf32", "f32", (4, 4, 8)),
    WholeCase((8, 8, 4), "f64", "f64", (1, 1, 2)),
    WholeCase((16, 16, 16), "s8", "s32", (2, 2, 8)),
)
CASES = {case.name: case for case in _FORMS}


def given() -> dict[str, tuple[Array, Array, Array]]:
    """Return A, B, and the sums of each case, as bytes, for all blocks."""
    random, found = np.random.default_rng(_SEED), {}
    for name, case in CASES.items():
        kinds = (case.kind, case.kind, case.sums)
        a, b, c = (
            _bytes(draw_numbers(random, kind, (BLOCKS, count)), kind)
            for kind, count in zip(kinds, case.counts, strict=True)
        )
        found[name] = a, b, c
    return found


def _bytes(codes: Array, kind: str) -> Array:
    narrow: Array = codes.astype(f"u{_BYTES[kind]}").reshape(-1).view(np.uint8)
    return narrow


def results(case: WholeCase, stored: Array) -> Array:
    """Return what was stored as numbers."""
    kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}
    found: Array = stored.view(kind[case.sums])
    return found


def write() -> str:
    """Return the PTX of all kernels; each stores its sums where they were."""
    head = ".version 8.7\n.target sm_90a\n.address_size 64\n"
    return head + "".join(map(_kernel, CASES.values()))


def _kernel(case: WholeCase) -> str:
    _, n, k = case.shape
    plain = case.sums if case.sums in ("f32", "f64") else "b32"
    inner = "f64" if case.kind == "f64" else "b32"
    types = [inner, inner, plain]
    declared = [
        f".reg .{kind} %{letter}<{count}>;"
        for letter, kind, count in zip("abc", types, case.registers, strict=True)
    ]
    a, b, c = (
        "{" + ", ".join(f"%{letter}{at}" for at in range(count)) + "}"
        for letter, count in zip("abc", case.registers, strict=True)
    )
    moved = [
        f"mad.lo.u32 %part, %block, {count * _BYTES[kind]}, 0;\ncvt.u64.u32 %offset, %part;\n"
        f"ld.param.u64 %p{at}, [p{at}];\nadd.s64 %p{at}, %p{at}, %offset;"
        for at, (count, kind) in enumerate(
            zip(case.counts, (case.kind, case.kind, case.sums), strict=True)
        )
    ]
    middle = f"{case.sums}.{case.sums}"
    if case.kind != "f16":
        middle = f"{case.sums}.{case.kind}.{case.kind}.{case.sums}"
    form = f"sync.aligned.row.{case.sizes}.global"
    lines = [
        f".visible .entry {case.name}(.param .u64 p0, .param .u64 p1, .param .u64 p2)",
        "{",
        ".reg .b32 %block, %part;",
        ".reg .b64 %offset, %p0, %p1, %p2;",
        *declared,
        "mov.u32 %block, %ctaid.x;",
        *moved,
        f"wmma.load.a.{form}.{case.kind} {a}, [%p0], {k};",
        f"wmma.load.b.{form.replace('row', 'col')}.{case.kind} {b}, [%p1], {k};",
        f"wmma.load.c.{form}.{case.sums} {c}, [%p2], {n};",
        f"wmma.mma.sync.aligned.row.col.{case.sizes}.{middle} {c}, {a}, {b}, {c};",
        f"wmma.store.d.{form}.{case.sums} [%p2], {c}, {n};",
        "ret;",
        "}",
    ]
    return "\n".join(lines) + "\n"
