"""Conversions to and from floats of 8 bits, by their codes: `__nv_cvt_float_to_fp8`, ...."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.conversions import convert
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, overloaded
from grader.simt.cuda.lowering.model.encoded import (
    decode_parts,
    encode_parts,
    make_encoded,
    numbers_in,
)
from grader.simt.cuda.lowering.model.types import (
    BFLOAT,
    BFLOAT2,
    DOUBLE,
    FLOAT,
    HALF,
    HALF2,
    RAW,
    RAW_PAIRS,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_SHORT,
    VECTORS,
    Arithmetic,
    CType,
    StructType,
)
from grader.simt.cuda.lowering.model.values import Plain, Value
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions.fp8 import E4M3, E5M2, Format

_FORMATS = (E4M3, E5M2)
"""By their numbers, as `__nv_fp8_interpretation_t` has them."""


def _constant(unit: CudaUnit, node: syntax.Call, given: Plain) -> int:
    known = folding.fold(given.node)
    if known not in (0, 1):
        raise unit.refusal(node, fact("cpp.fp8-mode"))
    return int(known)


def _format(unit: CudaUnit, node: syntax.Call, given: Plain) -> Format:
    return _FORMATS[_constant(unit, node, given)]


def _encode(word: Arithmetic, unit: CudaUnit, node: syntax.Call, given: Sequence[Any]) -> Value:
    value, saturate, kind = given
    format_ = _format(unit, node, kind)
    saturates = _constant(unit, node, saturate) == 1
    return Plain(word, encode_parts(numbers_in(value), format_, word, saturate=saturates))


def _decode(raw: StructType, unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
    code, kind = given
    floats = decode_parts(code.node, _format(unit, node, kind), len(raw.members))
    made = make_encoded(raw, [convert(unit, node, each, HALF) for each in floats])
    assert made is not None  # of as many halves as it has
    return made


_RAW_HALF = next(raw for raw, kind in RAW.items() if kind is HALF)
_RAW_HALF2 = next(raw for raw, kind in RAW_PAIRS.items() if kind is HALF2)
_SOURCES: dict[str, CType] = {
    "float": FLOAT, "double": DOUBLE, "halfraw": HALF, "bfloat16raw": BFLOAT,
    "float2": VECTORS["float2"], "double2": VECTORS["double2"], "halfraw2": HALF2,
    "bfloat16raw2": BFLOAT2,
}  # fmt: skip


def _encoder(source: CType) -> Handler:
    word = UNSIGNED_SHORT if isinstance(source, StructType) else UNSIGNED_CHAR
    return overloaded(LibraryOverload((source, UNSIGNED, UNSIGNED), partial(_encode, word)))


HANDLERS: dict[str, Handler] = {
    **{
        f"__nv_cvt_{name}_to_fp8{'x2' if isinstance(kind, StructType) else ''}": _encoder(kind)
        for name, kind in _SOURCES.items()
    },
    "__nv_cvt_fp8_to_halfraw": overloaded(
        LibraryOverload((UNSIGNED_CHAR, UNSIGNED), partial(_decode, _RAW_HALF))
    ),
    "__nv_cvt_fp8x2_to_halfraw2": overloaded(
        LibraryOverload((UNSIGNED_SHORT, UNSIGNED), partial(_decode, _RAW_HALF2))
    ),
}
NEEDS = dict.fromkeys(HANDLERS, "cuda_fp8.h")
"""The header that declares them."""
