"""Conversions to and from floats of 8 bits, by their codes: `__nv_cvt_float_to_fp8`, ...."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.conversions import convert, number
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
from grader.simt.program.nodes import Choose, Expression, Operate
from grader.simt.program.types import BOOL

_FORMATS = (E4M3, E5M2)
"""By their numbers, as `__nv_fp8_interpretation_t` has them."""


def _by_format(kind: Plain, make: Callable[[Format], Sequence[Expression]]) -> list[Expression]:
    """Return what is made for the format that a number says, which may be a variable's."""
    known = folding.fold(kind.node)
    if known in (0, 1):
        return list(make(_FORMATS[known]))
    first = Operate(BOOL, "==", (kind.node, number(UNSIGNED, 0).node))
    pairs = zip(*map(make, _FORMATS), strict=True)
    return [Choose(yes.type, first, yes, no) for yes, no in pairs]


def _encode(word: Arithmetic, unit: CudaUnit, node: syntax.Call, given: Sequence[Any]) -> Value:
    value, saturate, kind = given
    saturates = folding.fold(saturate.node)
    if saturates not in (0, 1):
        raise unit.refusal(node, fact("cpp.fp8-mode"))
    numbers = numbers_in(value)

    def make(format_: Format) -> list[Expression]:
        return [encode_parts(numbers, format_, word, saturate=saturates == 1)]

    return Plain(word, *_by_format(kind, make))


def _decode(raw: StructType, unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
    code, kind = given

    def make(format_: Format) -> list[Expression]:
        floats = decode_parts(code.node, format_, len(raw.members))
        return [convert(unit, node, each, HALF).node for each in floats]

    made = make_encoded(raw, [Plain(HALF, each) for each in _by_format(kind, make)])
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
