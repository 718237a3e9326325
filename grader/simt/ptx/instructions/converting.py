"""Conversion (PTX ISA 9.7.9.21)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions import fp8, rounding
from grader.simt.intrinsics.functions.approximations import flush
from grader.simt.intrinsics.functions.rounding import Mode
from grader.simt.machine.conversion import to_integer
from grader.simt.program.types import FLOAT16, FLOAT32, FLOAT64, UINT16, UINT32, UINT64, Scalar
from grader.simt.ptx.instructions.kinds import (
    WHOLE,
    Compute,
    Form,
    is_float,
    mode_of,
    saturate,
    without_nan_bits,
)
from grader.simt.ptx.instructions.packed import pack
from grader.simt.ptx.values import DTYPES, Vector, from_bfloat, join_halves, split_halves, to_bfloat

_FORMATS = {"e4m3x2": fp8.E4M3, "e5m2x2": fp8.E5M2}


def cvt(_kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `cvt`."""
    if len(modifiers) < 2:
        return None
    if modifiers[0] == "pack":
        return pack(modifiers)
    result, source = modifiers[-2:]
    if {result, source} & _FORMATS.keys():
        return _cvt_bytes(result, source, modifiers)
    if result in ("f16x2", "bf16x2") and source == "f32":
        return _pack(result, modifiers)
    if result == "tf32" and source == "f32":
        return Form(("b32",), ("f32",), partial(_to_tf32, modifiers))
    if result == "bf16" and "sat" in modifiers:
        return None
    if result not in DTYPES or source not in DTYPES or {"f16x2", "bf16x2"} & {result, source}:
        return None
    return Form((result,), (source,), _convert(result, source, modifiers))


def _cvt_bytes(result: str, source: str, modifiers: Sequence[str]) -> Form | None:
    """Make a conversion of two floats of 8 bits."""
    positive = "relu" in modifiers
    if source in _FORMATS and result == "f16x2":
        return Form((result,), (source,), partial(_widen, _FORMATS[source], positive=positive))
    if result not in _FORMATS or source not in ("f32", "f16x2") or "satfinite" not in modifiers:
        return None
    narrow = partial(_narrow, _FORMATS[result], positive=positive)
    if source == "f16x2":
        return Form((result,), (source,), lambda value: narrow(split_halves(value).view(FLOAT16)))
    return Form((result,), ("f32", "f32"), partial(_narrow_two, narrow))


def _narrow(format_: fp8.Format, values: Vector, *, positive: bool) -> Any:
    """Return pairs of floats, (…, 2), as pairs of bytes."""
    if positive:
        values = np.where(values <= 0, values.dtype.type(0), values)
    codes = fp8.encode(values, format_, saturate=True)
    return np.ascontiguousarray(codes).view(np.uint16)[..., 0]


def _narrow_two(narrow: Compute, high: Vector, low: Vector) -> Any:
    return narrow(np.stack(np.broadcast_arrays(low, high), axis=-1))


def _widen(format_: fp8.Format, value: Vector, *, positive: bool) -> Any:
    """Return pairs of bytes as packed halves, exactly."""
    codes = np.ascontiguousarray(value)[..., None].view(np.uint8)
    found = fp8.decode(codes, format_).astype(FLOAT16)
    if positive:
        found = np.where(found <= 0, FLOAT16.type(0), found)
    return join_halves(without_nan_bits(found).view(np.uint16))


def _pack(result: str, modifiers: Sequence[str]) -> Form:
    half = result[:-2]
    one = _convert(half, "f32", modifiers)

    def compute(high: Vector, low: Vector) -> Any:
        shape = np.broadcast_shapes(high.shape, low.shape)
        both = [np.broadcast_to(one(each), shape) for each in (low, high)]
        return join_halves(np.stack(both, axis=-1).view(np.uint16))

    return Form((result,), ("f32", "f32"), compute)


def _to_tf32(modifiers: Sequence[str], value: Vector) -> Any:
    """Round to 10 bits of mantissa: to nearest, ties away from zero or to even, or toward zero."""
    raw = np.ascontiguousarray(value).view(UINT32)
    kept = raw & UINT32.type(0xFFFFE000)
    if "rna" in modifiers:
        return np.where(
            np.isfinite(value), raw + UINT32.type(0x1000) & UINT32.type(0xFFFFE000), kept
        )
    even = (raw >> UINT32.type(13) & UINT32.type(1)) - UINT32.type(1)
    near = raw + UINT32.type(0x1000) + even & UINT32.type(0xFFFFE000)
    found = np.where(np.isinf(value) | ("rz" in modifiers), kept, near)
    found = np.where(np.isnan(value), UINT32.type(0x7FFFE000), found)
    return np.where(value <= 0, UINT32.type(0), found) if "relu" in modifiers else found


def _convert(result: str, source: str, modifiers: Sequence[str]) -> Compute:
    to, given = DTYPES[result], DTYPES[source]
    from_float, to_float = is_float(source), is_float(result)
    read: Compute = from_bfloat if source == "bf16" else lambda value: value
    if from_float and "ftz" in modifiers and source == "f32" and result != "f16":
        read = flush  # what becomes float16 is rounded as it is, on an H200
    if from_float and not to_float:
        whole = next((WHOLE[each] for each in modifiers if each in WHOLE), np.trunc)
        return lambda value: to_integer(whole(read(value).astype(FLOAT64)), to, given)
    if not from_float and not to_float:
        return _saturate_to(to) if "sat" in modifiers else lambda value: value.astype(to)
    return partial(_after, (read, *_steps(result, source, modifiers)))


def _after(steps: Sequence[Compute], value: Vector) -> Any:
    for step in steps:
        value = step(value)
    return value


def _steps(result: str, source: str, modifiers: Sequence[str]) -> list[Compute]:
    """Return what makes a float of one, or of an integer."""
    steps, to = _rounding_steps(result, source, modifiers), DTYPES[result]
    if "sat" in modifiers:
        steps.append(lambda value: saturate(value).astype(to))
    if "relu" in modifiers:
        steps.insert(0, lambda value: np.where(value <= 0, value.dtype.type(0), value))
    if "ftz" in modifiers and result == "f32":
        steps.append(flush)
    if "satfinite" in modifiers:
        steps.append(_limit_bfloat if result == "bf16" else _limit)
    if result == "f16":
        steps.append(without_nan_bits)
    return steps


def _limit(value: Vector) -> Any:
    """Return the largest numbers for infinities."""
    largest = np.copysign(np.finfo(value.dtype).max, value)
    return np.where(np.isinf(value), largest, value)


def _limit_bfloat(bits: Vector) -> Any:
    return np.where(bits & UINT16.type(0x7FFF) == 0x7F80, bits - UINT16.type(1), bits)


def round_to_bfloat(mode: Mode, value: Vector) -> Any:
    """Round numbers of any type to bfloat16 bits; a NaN of 64 bits keeps its upper ones."""
    exact = _to_odd(value) if value.dtype.kind in "iu" else value.astype(FLOAT64)
    near = to_bfloat(exact)
    if value.dtype == FLOAT64:
        raw = np.ascontiguousarray(value).view(UINT64) >> UINT64.type(45)
        upper = (raw >> UINT64.type(3) & UINT64.type(0x8000)) | (raw & UINT64.type(0x7F))
        near = np.where(np.isnan(value), upper.astype(UINT16) | UINT16.type(0x7FC0), near)
    if mode == "rn":
        return near
    back = from_bfloat(near).astype(FLOAT64)
    away = UINT16.type(1) - UINT16.type(2) * ((back > exact) != np.signbit(back)).astype(UINT16)
    leaves = {
        "rd": back > exact, "ru": back < exact, "rz": np.abs(back) > np.abs(exact),
    }[mode]  # fmt: skip
    return np.where(leaves, near + away, near)


def _to_odd(value: Vector) -> Any:
    """Return integers as float64; what is cut off leaves the last bit set."""
    large = np.abs(value.astype(FLOAT64)) > 2.0**40
    last = value.dtype.type(1 << 16 if value.dtype.itemsize == 8 else 0)
    low = value & (last - value.dtype.type(last != 0))
    return np.where(large & (low != 0), value - low | last, value).astype(FLOAT64)


def _rounding_steps(result: str, source: str, modifiers: Sequence[str]) -> list[Compute]:
    """Return what makes floats of a type: rounded off first where they are to be whole."""
    to, given, mode = DTYPES[result], DTYPES[source], mode_of(modifiers)
    given = FLOAT32 if source == "bf16" else given
    steps: list[Compute] = [WHOLE[each] for each in modifiers if each in WHOLE]
    if result == "bf16":
        return [*steps, partial(round_to_bfloat, mode)]
    if mode == "rn" or (is_float(source) and to.itemsize >= given.itemsize):
        return [*steps, lambda value: value.astype(to)]
    return [*steps, rounding.converted(mode, to.name)]


def _saturate_to(dtype: Scalar) -> Compute:
    limits = np.iinfo(dtype)

    def compute(value: Vector) -> Any:
        own = np.iinfo(value.dtype)
        low, high = max(limits.min, own.min), min(limits.max, own.max)
        return np.clip(value, value.dtype.type(low), value.dtype.type(high)).astype(dtype)

    return compute
