"""Structs of CUDA's headers that are numbers by their bits: floats of 8 bits, and raw types.

A raw type is what its number's bits are called (`__half_raw`); of both, each converts to the other.
A float of 8 bits has no arithmetic: it is made of a number, rounded and saturated, and read as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from grader.simt.cuda.lowering.model.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP8,
    HALF,
    RAW,
    RAW_PAIRS,
    UNSIGNED_SHORT,
    Arithmetic,
    StructType,
    numbers_of,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.intrinsics.functions.bfloat16 import from_bits, to_bits
from grader.simt.intrinsics.functions.fixed_signatures import Vector
from grader.simt.intrinsics.functions.fp8 import E4M3, E5M2, Format, decode, encode
from grader.simt.program.nodes import Apply, Convert, Expression
from grader.simt.program.types import FLOAT32, UINT8, UINT16

FORMATS: dict[str, Format] = {"e4m3": E4M3, "e5m2": E5M2}


def format_of(kind: StructType) -> Format:
    """Return the format of a float of 8 bits, or of several."""
    return FORMATS[kind.name.rpartition("_")[2]]


def read_number(value: Value) -> Plain | None:
    """Return the number that a struct is by its bits; None if it is none, or several."""
    if not isinstance(value, Aggregate):
        return None
    if value.type in RAW:
        (bits,) = _plain(value.members)
        return from_raw(RAW[value.type], bits.node)
    if isinstance(value.type, StructType) and FP8.get(value.type) == 1:
        return read_all(value)[0]
    return None


def read_pair(value: Value) -> Aggregate | None:
    """Return the pair of numbers that a raw type is by its bits; None for all others."""
    if not isinstance(value, Aggregate) or value.type not in RAW_PAIRS:
        return None
    pair = RAW_PAIRS[value.type]
    bits = zip(numbers_of(pair), _plain(value.members), strict=True)
    return Aggregate(pair, tuple(from_raw(kind, each.node) for kind, each in bits))


def read_all(value: Aggregate) -> list[Plain]:
    """Return the floats that a struct of floats of 8 bits holds."""
    assert isinstance(value.type, StructType)  # the caller has looked
    (word,) = _plain(value.members)
    return decode_parts(word.node, format_of(value.type), FP8[value.type])


def parts_in(value: Aggregate) -> list[Plain]:
    """Return the numbers of a struct that is several by its bits; none of all others."""
    if isinstance(value.type, StructType) and FP8.get(value.type, 1) > 1:
        return read_all(value)
    pair = read_pair(value)
    return _plain(pair.members) if pair else []


def decode_parts(word: Expression, format_: Format, count: int) -> list[Plain]:
    """Return the floats in the bytes of a word."""

    def part(at: int, value: Vector) -> Vector:
        found: Vector = (value >> value.dtype.type(8 * at)).astype(np.uint8)
        return found

    codes = (
        Apply(UINT8, "byte", partial(part, at), (word,)) if count > 1 else word
        for at in range(count)
    )
    read = partial(decode, format_=format_)
    return [Plain(FLOAT, Apply(FLOAT32, "from fp8", read, (code,))) for code in codes]


def encode_parts(
    numbers: Sequence[Plain], format_: Format, word: Arithmetic, *, saturate: bool
) -> Expression:
    """Return a word whose bytes are numbers, rounded to 8 bits."""
    write = partial(encode, format_=format_, saturate=saturate)
    codes = [Apply(UINT8, "to fp8", write, (each.node,)) for each in numbers]
    if len(codes) == 1:
        return codes[0]

    def join(*parts: Vector) -> Vector:
        joined = sum(part.astype(word.dtype) << (8 * at) for at, part in enumerate(parts))
        return np.asarray(joined).astype(word.dtype)

    return Apply(word.dtype, "to word", join, tuple(codes))


def make_encoded(kind: StructType, given: Sequence[Value]) -> Aggregate | None:
    """Make a struct of this module of numbers; None if these are not what it is made of."""
    numbers = [each for value in given for each in numbers_in(value)]
    types = {each.type for each in numbers}
    if kind in RAW or kind in RAW_PAIRS:
        wanted = (RAW[kind],) if kind in RAW else numbers_of(RAW_PAIRS[kind])
        if tuple(each.type for each in numbers) != wanted:
            return None
        return Aggregate(kind, tuple(to_raw(each) for each in numbers))
    if len(numbers) != FP8[kind] or len(types) != 1:
        return None
    if not types <= {HALF, BFLOAT, DOUBLE}:
        numbers = [Plain(FLOAT, Convert(FLOAT32, each.node)) for each in numbers]
    (word,) = numbers_of(kind)
    made = encode_parts(numbers, format_of(kind), word, saturate=True)
    return Aggregate(kind, (Plain(word, made),))


def numbers_in(value: Value) -> list[Plain]:
    """Return the numbers of a value that was loaded; of bits, what they stand for."""
    if isinstance(value, Plain):
        return [value]
    single, pair = read_number(value), read_pair(value)
    if single is not None:
        return [single]
    if pair is not None:
        return _plain(pair.members)
    return _plain(value.members) if isinstance(value, Aggregate) else []


def from_raw(kind: Arithmetic, bits: Expression) -> Plain:
    """Return the number that 16 bits are."""
    if kind is BFLOAT:
        return Plain(kind, Apply(kind.dtype, "from bits", from_bits, (bits,)))
    return Plain(kind, Apply(kind.dtype, "bits", partial(_view, dtype=kind.dtype), (bits,)))


def to_raw(value: Plain) -> Plain:
    """Return the 16 bits of a number."""
    bits = to_bits if value.type is BFLOAT else partial(_view, dtype=UINT16)
    return Plain(UNSIGNED_SHORT, Apply(UINT16, "bits", bits, (value.node,)))


def _view(value: Vector, dtype: np.dtype[np.generic]) -> Vector:
    return value.view(dtype)


def _plain(values: Sequence[Value]) -> list[Plain]:
    return [each for each in values if isinstance(each, Plain)]
