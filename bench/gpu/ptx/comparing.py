"""Compares the recorded results with what the emulator computes, bit for bit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.ptx.instructions import CARRIED, COUNT, Case, find_case, form_of
from grader.simt.ptx.reading import SIZES
from grader.simt.ptx.values import DTYPES

RECORD = Path(__file__).parents[3] / "tests" / "data" / "ptx" / "forms.npz"
_DEVICE = "device"


def emulate(case: Case) -> NDArray[np.uint64]:
    """Return what the emulator gives, as bits."""
    form = form_of(case.name)
    assert form is not None  # as the case was made
    given = [
        _from_bits(bits, kind)[None, :]
        for bits, kind in zip(case.given, case.operands, strict=True)
    ]
    with np.errstate(all="ignore"):
        found = form.compute(*given)
    carried = found[1] if form.sets_carry else np.zeros(1, np.bool_)
    if form.sets_carry:
        found = found[0]
    elif len(form.results) == 2:
        found = found[0] + 2 * found[1].astype(np.uint8)
    flat = np.ascontiguousarray(np.broadcast_to(found, given[0].shape))[0]
    if flat.dtype == np.bool_:
        return flat.astype(np.uint64)
    narrow = flat.view(f"u{flat.dtype.itemsize}")
    mark = np.uint64(CARRIED).astype(narrow.dtype)
    return np.where(carried, narrow ^ mark, narrow).reshape(-1).astype(np.uint64)


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


def load_names() -> list[str]:
    """Return the instructions that are recorded."""
    return [name for name in np.load(RECORD).files if name != _DEVICE]


def save(cases: Iterable[Case], found: Mapping[str, Any], device: str) -> None:
    """Keep what a GPU gave for each case, in as many bytes as its result has."""
    named = {
        case.name: found[case.name].astype(f"u{SIZES[case.results[0]]}") for case in cases
    }  # fmt: skip
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(RECORD, **named, **{_DEVICE: np.array(device)})


def compare() -> list[tuple[str, int, str]]:
    """Return the instructions that differ: name, how many results, and the first one."""
    record, differing = np.load(RECORD), []
    for name in load_names():
        case = find_case(name)
        if case is None:
            differing.append((name, COUNT, "refused"))
            continue
        wanted, found = record[name].astype(np.uint64), emulate(case)
        same = wanted == found
        same |= _is_nan(wanted, case.results[0]) & _is_nan(found, case.results[0])
        if not same.all():
            at = int(np.flatnonzero(~same)[0])
            given = ", ".join(hex(int(each)) for each in case.given[:, at])
            example = f"({given}): {int(found[at]):#x} instead of {int(wanted[at]):#x}"
            differing.append((name, int((~same).sum()), example))
    return differing
