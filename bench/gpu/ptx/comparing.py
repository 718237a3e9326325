"""Compares the recorded results with what the emulator computes, bit for bit.

What the hardware approximates has to be near; infinities, zeros, and NaN have to be the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.ptx.instructions import CARRIED, COUNT, Case, find_case, form_of
from grader.simt.ptx.reading import SIZES
from grader.simt.ptx.values import DTYPES, from_bfloat

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
    return np.isnan(_numbers(bits, kind))


def _numbers(bits: NDArray[np.uint64], kind: str) -> NDArray[np.float64]:
    """Return floats as float64; of packed ones, (2, …)."""
    if kind.endswith("x2"):
        halves = np.stack([bits & np.uint64(0xFFFF), bits >> np.uint64(16)])
        return _numbers(halves, kind[:-2])
    if kind == "bf16":
        return from_bfloat(bits.astype(np.uint16)).astype(np.float64)
    narrow: Any = bits.astype(f"u{SIZES[kind]}").view(f"f{SIZES[kind]}")
    with np.errstate(invalid="ignore"):
        return np.asarray(narrow, np.float64)


_NEAR = {"f16": 2.0**-9.9, "bf16": 2.0**-6.9, "f32": 2.0**-22, "f64": 2.0**-20}
"""How far from each other two approximations may be, as a part of the number."""
_TANH = 2.0**-16
_ABSOLUTE = {"sin": 2.0**-20.5, "cos": 2.0**-20.5, "lg2": 2.0**-21}
"""Of these, whatever the number is."""


def _are_near(
    name: str, kind: str, wanted: NDArray[np.uint64], found: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Return which results of what the hardware approximates are near."""
    opcode, *modifiers = name.split(".")
    if "approx" not in modifiers and "full" not in modifiers:
        return np.zeros(wanted.shape, np.bool_)
    there, here = (_numbers(each, kind) for each in (wanted, found))
    share = max(_NEAR[kind.removesuffix("x2")], _TANH if opcode == "tanh" else 0)
    with np.errstate(invalid="ignore"):
        near = np.abs(there - here) <= share * np.abs(there) + _ABSOLUTE.get(opcode, 0)
    near |= (there == here) & (np.signbit(there) == np.signbit(here))
    near |= np.isnan(there) & np.isnan(here)
    return near.all(axis=0) if near.ndim > 1 else near


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
        same |= _are_near(name, case.results[0], wanted, found)
        if not same.all():
            at = int(np.flatnonzero(~same)[0])
            given = ", ".join(hex(int(each)) for each in case.given[:, at])
            example = f"({given}): {int(found[at]):#x} instead of {int(wanted[at]):#x}"
            differing.append((name, int((~same).sum()), example))
    return differing
