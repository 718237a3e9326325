"""A pair of 16-bit numbers as the word that it is: what shuffles and atomics take."""

from __future__ import annotations

from collections.abc import Callable

from grader.simt.cuda.lowering.model.encoded import from_raw, to_raw
from grader.simt.cuda.lowering.model.types import StructType, numbers_of
from grader.simt.cuda.lowering.model.values import Aggregate, Plain
from grader.simt.intrinsics.functions.pairs import high_bits, join_bits, low_bits
from grader.simt.program.nodes import Apply, Expression
from grader.simt.program.types import UINT16, UINT32


def to_word(value: Aggregate) -> Expression:
    """Return the 32 bits of a pair."""
    bits = (to_raw(part).node for part in value.members if isinstance(part, Plain))
    return Apply(UINT32, "to word", join_bits, tuple(bits))


def from_word(
    hold: Callable[[Expression], Expression], kind: StructType, word: Expression
) -> Aggregate:
    """Return the pair that 32 bits are; `hold` has them computed once."""
    held = hold(word)
    pairs = zip(numbers_of(kind), (low_bits, high_bits), strict=True)
    members = (
        from_raw(number, Apply(UINT16, "from word", take, (held,))) for number, take in pairs
    )
    return Aggregate(kind, tuple(members))
