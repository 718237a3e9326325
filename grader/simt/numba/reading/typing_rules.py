"""How Numba types an operation: conversions by rank, signatures by operator, the best of them wins.

The rules are data. That they are Numba's is what tests/grader/simt/test_typing.py proves, by asking
Numba. Knows nothing of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
    COMPLEX,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    REAL,
    SCALARS,
    SIGNED,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    UNSIGNED,
    Scalar,
)

EXACT, PROMOTE, SAFE, UNSAFE = range(4)
"""How good a conversion is; the best signature has the fewest bad ones."""

_STEPS: tuple[tuple[Scalar, Scalar, int], ...] = (
    *((source, target, PROMOTE) for source, target in pairwise(SIGNED)),
    *((source, target, PROMOTE) for source, target in pairwise(UNSIGNED)),
    (BOOL, INT8, SAFE), (BOOL, UINT8, SAFE),
    (UINT8, INT16, SAFE), (UINT16, INT32, SAFE), (UINT32, INT64, SAFE),
    (INT8, FLOAT16, SAFE), (INT16, FLOAT32, SAFE), (INT32, FLOAT64, SAFE),
    (INT16, FLOAT16, UNSAFE), (INT32, FLOAT32, UNSAFE),
    (INT64, FLOAT64, SAFE), (UINT64, FLOAT64, SAFE),
    (FLOAT16, FLOAT32, PROMOTE), (FLOAT32, FLOAT64, PROMOTE), (COMPLEX64, COMPLEX128, PROMOTE),
)  # fmt: skip
"""From, to, and how good; the way back is unsafe. All others are chains of these."""
_ONE_WAY = ((FLOAT32, COMPLEX64, SAFE), (FLOAT64, COMPLEX128, SAFE))
"""Without a way back."""


def _ranks() -> dict[tuple[Scalar, Scalar], int]:
    """Compute the worst step of the best chain between any target types."""
    rank = {(scalar, scalar): EXACT for scalar in SCALARS}
    for source, target, step in _STEPS:
        rank[source, target], rank[target, source] = step, UNSAFE
    rank.update({(source, target): step for source, target, step in _ONE_WAY})
    for middle, source, target in product(SCALARS, repeat=3):
        if (source, middle) in rank and (middle, target) in rank:
            by_way_of = max(rank[source, middle], rank[middle, target])
            rank[source, target] = min(by_way_of, rank.get((source, target), UNSAFE))
    return rank


RANK = _ranks() | {
    (BFLOAT16, BFLOAT16): EXACT,
    **{(BFLOAT16, wide): SAFE for wide in REAL},
    **{(BFLOAT16, other): UNSAFE for other in (*SIGNED, *UNSIGNED, FLOAT16)},
    **{(other, BFLOAT16): UNSAFE for other in (*SIGNED, *UNSIGNED, FLOAT16, *REAL)},
    **{(narrow, BFLOAT16): SAFE for narrow in (INT8, UINT8)},
}
"""bfloat16 has conversions of its own, which do not chain."""
_NO_CAST = {(INT8, BFLOAT16), (UINT8, BFLOAT16), (BFLOAT16, FLOAT16)}
"""Conversions that Numba chooses, and then cannot compile."""
_NO_CODE = {("ffs", (narrow,)) for narrow in (INT8, INT16, UINT8, UINT16)}
"""Signatures for which the same holds."""


class OperatorSignature(NamedTuple):
    """Operands are converted to `operands`; the result is `result`."""

    result: Scalar
    operands: tuple[Scalar, ...]


_MACHINE = (INT64, UINT64)


def _widen_integers(*operands: Scalar) -> Scalar:
    """Return 64 bits for integers, signed if any operand is."""
    return INT64 if any(operand.kind == "i" for operand in operands) else UINT64


_WHOLE = tuple(
    OperatorSignature(_widen_integers(a, b), (a, b)) for a, b in product(_MACHINE, repeat=2)
)
_REAL = tuple(OperatorSignature(dtype, (dtype, dtype)) for dtype in REAL)
_COMPLEX = tuple(OperatorSignature(dtype, (dtype, dtype)) for dtype in COMPLEX)
_OF_COMPLEX = tuple(zip(REAL, COMPLEX, strict=True))
_SHIFT = tuple(
    OperatorSignature(_widen_integers(dtype), (dtype, count))
    for dtype in (*SIGNED, *UNSIGNED)
    for count in (UINT64, INT64)
)
_BITS = (OperatorSignature(BOOL, (BOOL, BOOL)), *_WHOLE)
_BFLOAT = OperatorSignature(BFLOAT16, (BFLOAT16, BFLOAT16))
_BFLOAT_TEST = OperatorSignature(BOOL, (BFLOAT16, BFLOAT16))
_BFLOAT_ONE = OperatorSignature(BFLOAT16, (BFLOAT16,))
_COMPARE = tuple(
    OperatorSignature(BOOL, (dtype, dtype)) for dtype in (BOOL, *SIGNED, *UNSIGNED, *REAL)
)
_EQUAL = (*_COMPARE, *(OperatorSignature(BOOL, (dtype, dtype)) for dtype in COMPLEX))
_POWER = (
    *_WHOLE,
    *(OperatorSignature(real, (real, whole)) for real in REAL for whole in (INT32, INT64, UINT64)),
    *_REAL,
    *_COMPLEX,
)
_SIGN = (
    *(OperatorSignature(_widen_integers(dtype), (dtype,)) for dtype in (*UNSIGNED, *SIGNED)),
    *(OperatorSignature(dtype, (dtype,)) for dtype in (*REAL, *COMPLEX)),
    OperatorSignature(INT64, (BOOL,)),
)
_SIZE = (
    *(OperatorSignature(dtype, (dtype,)) for dtype in (*SIGNED, *UNSIGNED, *REAL)),
    *(OperatorSignature(part, (dtype,)) for part, dtype in _OF_COMPLEX),
)
_FROM_WHOLE = tuple(OperatorSignature(FLOAT64, (dtype,)) for dtype in _MACHINE)
_ONE_REAL = (*_FROM_WHOLE, *(OperatorSignature(dtype, (dtype,)) for dtype in REAL))
_TWO_REAL = (*(OperatorSignature(FLOAT64, (dtype, dtype)) for dtype in _MACHINE), *_REAL)
_TEST_REAL = tuple(OperatorSignature(BOOL, (dtype,)) for dtype in (*_MACHINE, *REAL))

SIGNATURES: dict[str, tuple[OperatorSignature, ...]] = {
    **dict.fromkeys(("%", "//"), (*_WHOLE, *_REAL)),
    **dict.fromkeys(("+", "-", "*"), (*_WHOLE, *_REAL, *_COMPLEX, _BFLOAT)),
    "/": (
        *(OperatorSignature(FLOAT64, (a, b)) for a, b in product(_MACHINE, repeat=2)),
        *(*_REAL, *_COMPLEX, _BFLOAT),
    ),
    "**": _POWER,
    **dict.fromkeys(("<<", ">>"), _SHIFT),
    **dict.fromkeys(("&", "|", "^"), _BITS),
    **dict.fromkeys(("<", "<=", ">", ">="), (*_COMPARE, _BFLOAT_TEST)),
    **dict.fromkeys(("==", "!="), (*_EQUAL, _BFLOAT_TEST)),
    **dict.fromkeys(("neg", "pos"), (*_SIGN, _BFLOAT_ONE)),
    "~": (
        OperatorSignature(BOOL, (BOOL,)),
        *(OperatorSignature(_widen_integers(dtype), (dtype,)) for dtype in (*UNSIGNED, *SIGNED)),
    ),
    "abs": _SIZE,
    "divmod": tuple(OperatorSignature(dtype, (dtype, dtype)) for dtype in (*_MACHINE, *REAL)),
    "range": tuple(OperatorSignature(dtype, (dtype,)) for dtype in (INT32, INT64, UINT64)),
    "range 2": tuple(OperatorSignature(dtype, (dtype,) * 2) for dtype in (INT32, INT64, UINT64)),
    "range 3": tuple(OperatorSignature(dtype, (dtype,) * 3) for dtype in (INT32, INT64, UINT64)),
    "round": (OperatorSignature(INT64, (FLOAT32,)), OperatorSignature(INT64, (FLOAT64,))),
    "round 2": tuple(OperatorSignature(dtype, (dtype, INT64)) for dtype in REAL),
    "math of one": _ONE_REAL,
    "math of one or bfloat16": (*_ONE_REAL, _BFLOAT_ONE),
    "math of two": _TWO_REAL,
    "math of two reals": _REAL,
    "math test": _TEST_REAL,
    "math.pow": (*_REAL, *(OperatorSignature(dtype, (dtype, INT32)) for dtype in REAL)),
    "math.ldexp": tuple(OperatorSignature(dtype, (dtype, INT32)) for dtype in REAL),
    "real": tuple(OperatorSignature(dtype, (dtype,)) for dtype in REAL),
    "fma": tuple(OperatorSignature(dtype, (dtype,) * 3) for dtype in REAL),
    "bits of one": tuple(
        OperatorSignature(dtype, (dtype,)) for dtype in (INT8, INT16, INT32, INT64, *UNSIGNED)
    ),
    "ffs": tuple(
        OperatorSignature(UINT32, (dtype,)) for dtype in (INT8, INT16, INT32, INT64, *UNSIGNED)
    ),
    "brev": tuple(OperatorSignature(dtype, (dtype,)) for dtype in (UINT32, UINT64)),
    **{
        f"complex {count}": tuple(OperatorSignature(dtype, (dtype,) * count) for dtype in COMPLEX)
        for count in (1, 2)
    },
    "complex test": tuple(OperatorSignature(BOOL, (dtype,)) for dtype in COMPLEX),
    "complex abs": tuple(OperatorSignature(part, (dtype,)) for part, dtype in _OF_COMPLEX),
    "complex of reals": tuple(
        OperatorSignature(dtype, (part, part)) for part, dtype in _OF_COMPLEX
    ),
    **{f"half {count}": (OperatorSignature(FLOAT16, (FLOAT16,) * count),) for count in (1, 2, 3)},
    "half test": (OperatorSignature(BOOL, (FLOAT16, FLOAT16)),),
    "match": tuple(
        OperatorSignature(INT32, (INT32, dtype)) for dtype in (INT32, INT64, FLOAT32, FLOAT64)
    ),
}
"""In Numba's order: of equally good ones, the first is taken."""

_NO_UNSAFE = frozenset({"<<", ">>", "&", "|", "^", "~"})
_HALF = {
    **dict.fromkeys(("+", "-", "*", "/"), OperatorSignature(FLOAT16, (FLOAT16, FLOAT16))),
    **dict.fromkeys(
        ("<", "<=", ">", ">=", "==", "!="), OperatorSignature(BOOL, (FLOAT16, FLOAT16))
    ),
    **dict.fromkeys(("neg", "pos", "abs", "half of one"), OperatorSignature(FLOAT16, (FLOAT16,))),
}
"""float16 has signatures of its own, for two of a kind."""


@cache
def resolve(operation: str, *operands: Scalar) -> OperatorSignature | None:
    """Return the signature that Numba chooses for these operands; None if there is none.

    Args:
        operation: a key of `SIGNATURES`.
        operands: the types as they are before conversion.
    """
    half = _HALF.get(operation)
    if (
        half is not None
        and all(_fits_half(operand) for operand in operands)
        and FLOAT16 in operands
    ):
        return half
    best: tuple[tuple[int, int, int], OperatorSignature] | None = None
    for signature in SIGNATURES.get(operation, ()):
        if len(signature.operands) != len(operands):
            continue
        if BFLOAT16 in signature.operands and BFLOAT16 not in operands:
            continue  # it is no reason to compute in bfloat16
        ranks = list(map(rank, operands, signature.operands))
        if max(ranks) > (SAFE if operation in _NO_UNSAFE else UNSAFE):
            continue
        how_bad = rating(ranks)
        if best is None or how_bad < best[0]:
            best = how_bad, signature
    if best is None or not all(map(can_cast, operands, best[1].operands)):
        return None
    if (operation, best[1].operands) in _NO_CODE:
        return None
    return best[1]


def can_cast(given: Scalar, wanted: Scalar) -> bool:
    """Return True if Numba converts a number to another type where a function wants it."""
    return rank(given, wanted) <= UNSAFE and (given, wanted) not in _NO_CAST


def rank(given: Scalar, wanted: Scalar) -> int:
    """Return how good a conversion is; beyond `UNSAFE` if it is impossible."""
    return RANK.get((given, wanted), UNSAFE + 1)


def rating(ranks: Sequence[int]) -> tuple[int, int, int]:
    """Rate some conversions together; the smallest rating is the best."""
    return ranks.count(UNSAFE), ranks.count(SAFE), ranks.count(PROMOTE)


def _fits_half(operand: Scalar) -> bool:
    return RANK.get((operand, FLOAT16), UNSAFE) <= SAFE
