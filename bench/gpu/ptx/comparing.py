"""Compares the recorded results with what the emulator computes, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.ptx.instructions import Case, cases
from grader.simt.ptx.instructions.forms import find_form
from grader.simt.ptx.reading import SIZES
from grader.simt.ptx.values import DTYPES

RECORD = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "forms.npz"


def emulate(case: Case) -> NDArray[np.uint64]:
    """Return what the emulator gives, as bits."""
    opcode, *modifiers = case.name.split(".")
    form = find_form(opcode, modifiers, 1 + len(case.operands))
    assert form is not None  # as the case was made
    given = [
        _from_bits(bits, kind)[None, :]
        for bits, kind in zip(case.given, case.operands, strict=True)
    ]
    with np.errstate(all="ignore"):
        found = form.compute(*given)
    if len(form.results) == 2:
        found = found[0]
    flat = np.ascontiguousarray(np.broadcast_to(found, given[0].shape))[0]
    if flat.dtype == np.bool_:
        return flat.astype(np.uint64)
    return flat.view(f"u{flat.dtype.itemsize}").astype(np.uint64)


def _from_bits(bits: NDArray[np.uint64], kind: str) -> NDArray[Any]:
    if kind == "pred":
        return bits != 0
    narrow: NDArray[Any] = bits.astype(f"u{SIZES[kind]}").view(DTYPES[kind])
    return narrow


def _is_nan(bits: NDArray[np.uint64], kind: str) -> NDArray[np.bool_]:
    """Return where a result is NaN, whose other bits are not promised."""
    if kind not in ("f16", "f32", "f64"):
        return np.zeros(bits.shape, np.bool_)
    return np.isnan(bits.astype(f"u{SIZES[kind]}").view(f"f{SIZES[kind]}"))


def compare() -> list[tuple[str, int, str]]:
    """Return the instructions that differ: name, how many results, and the first one."""
    record, differing = np.load(RECORD), []
    for case in cases():
        wanted, found = record[case.name], emulate(case)
        same = wanted == found
        same |= _is_nan(wanted, case.results[0]) & _is_nan(found, case.results[0])
        if not same.all():
            at = int(np.flatnonzero(~same)[0])
            given = ", ".join(hex(int(each)) for each in case.given[:, at])
            example = f"({given}): {int(found[at]):#x} instead of {int(wanted[at]):#x}"
            differing.append((case.name, int((~same).sum()), example))
    return differing
