"""Bulk copies of tests/data/ptx/reductions that reduce: what is there, what comes, what is left."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.gpu.ptx.tensors import TensorCase

FOLDER = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "reductions"
BYTES, THREADS = 2048, 32
"""That are copied; threads of a block."""
_SEED = 80
_GLOBAL = (
    "add_u32", "add_s32", "add_u64", "add_f32", "add_f64", "add_f16", "add_bf16", "min_s32",
    "max_u32", "min_s64", "max_u64", "min_f16", "max_f16", "min_bf16", "max_bf16", "inc_u32",
    "dec_u32", "and_b32", "or_b64", "xor_b32",
)  # fmt: skip
_SHARED = (
    "add_u32", "add_s32", "add_u64", "min_s32", "max_u32", "inc_u32", "dec_u32", "and_b32",
    "or_b32", "xor_b32",
)  # fmt: skip
_TENSOR = {"u32": 2, "s32": 3, "u64": 4, "s64": 5, "f16": 6, "f32": 7, "f64": 8, "bf16": 9}
"""`CUtensorMapDataType`."""
_OF_TENSORS = (
    "add_u32", "add_s32", "add_u64", "add_f16", "add_f32", "add_bf16", "min_s32", "max_s64",
    "min_u64", "max_u32", "min_f16", "max_bf16", "inc_u32", "dec_u32", "and_u32", "or_u64",
    "xor_u32",
)  # fmt: skip
Bytes = NDArray[np.uint8]


class Reduction(NamedTuple):
    """One: where it goes, what it does, and the type of its elements."""

    where: str
    does: str
    type: str

    @property
    def kernel(self) -> str:
        """That does it."""
        return f"{self.where}_{self.does}" + ("" if self.where == "tensor" else f"_{self.type}")

    @property
    def tensor(self) -> TensorCase:
        """The box, over two edges of a tensor."""
        return TensorCase(_TENSOR[self.type], (37, 20), (16, 8), (24, 15))


CASES = {
    f"{where}_{name}": Reduction(where, *name.split("_"))
    for where, names in (("global", _GLOBAL), ("shared", _SHARED), ("tensor", _OF_TENSORS))
    for name in names
}


def given() -> dict[str, tuple[Bytes, Bytes]]:
    """Return what is copied in each case, and what is there before."""
    random, found = np.random.default_rng(_SEED), {}
    for name, case in CASES.items():
        size = BYTES if case.where != "tensor" else case.tensor.strides[-1]
        found[name] = _draw(random, case.type, BYTES), _draw(random, case.type, size)
    return found


def _draw(random: np.random.Generator, kind: str, size: int) -> Bytes:
    """Draw bytes; floats are ordinary ones in the first half."""
    whole = random.integers(0, 256, size, dtype=np.uint8)
    half = size // 2
    if kind[-3:] in ("f16", "f32", "f64"):
        item = int(kind[-2:]) // 8
        usual = random.standard_normal(half // item)
        if kind == "bf16":
            words = (usual.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            whole[:half] = words.view(np.uint8)
        else:
            whole[:half] = usual.astype(f"f{item}").view(np.uint8)
    elif kind[1:] == "32":
        few = random.integers(0, 9, half // 4).astype(np.uint32)
        whole[:half] = few.view(np.uint8)
    return whole


def read() -> str:
    """Return the PTX of all of them."""
    return (FOLDER / "reductions.ptx").read_text()
