"""Atomic functions, with the types that CUDA has each for.

`_block` and `_system` change who sees an operation as one; here all threads of a launch do. But one
of a block orders only its threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from grader.simt.checks.fences import BLOCK, DEVICE, Strength
from grader.simt.cuda import syntax
from grader.simt.cuda.libraries import is_in_library
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.conversions import from_stored, to_stored
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, kinds, overloaded
from grader.simt.cuda.lowering.model.types import (
    BFLOAT,
    BFLOAT2,
    HALF2,
    UNSIGNED,
    UNSIGNED_SHORT,
    Arithmetic,
    PointerTo,
    StructType,
)
from grader.simt.cuda.lowering.model.values import Plain, Value
from grader.simt.cuda.lowering.model.words import from_word, to_word
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.atomic import CHANGES, Atomic, change_target
from grader.simt.program.nodes import Perform

_TYPES = {
    "add": "iuQfdh",
    "sub": "iu",
    "exch": "iuQf",
    "min": "iuqQ",
    "max": "iuqQ",
    "inc": "u",
    "dec": "u",
    "cas": "iuQS",
    "and": "iuqQ",
    "or": "iuqQ",
    "xor": "iuqQ",
}


def _change(
    does: str,
    kind: Arithmetic,
    unit: CudaUnit,
    node: syntax.Call,
    given: Sequence[Plain],
    *,
    scope: int = DEVICE,
) -> Plain:
    pointer, *values = given
    by_one = folding.fold(values[0].node) == 1
    unit.module.program.atomic = True
    used = unit.unused is not node
    strength = Strength(scope, bare=is_in_library(node.place))  # its orders are fences
    atomic = Atomic(does, kind.dtype, used=used, by_one=by_one, strength=strength)
    operands = (pointer.node, *(value.node for value in values))
    run = partial(change_target, atomic)
    made = Perform(kind.dtype, f"atomic {does}", run, operands, unit.site(node.place))
    return unit.hold_plain(Plain(kind, made))


def _add_bfloat(unit: CudaUnit, node: syntax.Call, given: Sequence[Plain]) -> Value:
    pointer, value = given
    bits = Plain(UNSIGNED_SHORT, to_stored(BFLOAT, value.node))
    found = _change("add bfloat16", UNSIGNED_SHORT, unit, node, (pointer, bits))
    return Plain(BFLOAT, from_stored(BFLOAT, found.node))


def _add_pair(
    does: str, kind: StructType, unit: CudaUnit, node: syntax.Call, given: Sequence[Any]
) -> Value:
    """Add to a pair: in one access, though CUDA promises only that each half is atomic."""
    pointer, value = given
    word = Plain(UNSIGNED, to_word(value))
    return from_word(unit.hold, kind, _change(does, UNSIGNED, unit, node, (pointer, word)).node)


_NARROW_ADDITIONS = (
    LibraryOverload((PointerTo(BFLOAT), BFLOAT), _add_bfloat),
    LibraryOverload((PointerTo(HALF2), HALF2), partial(_add_pair, "add half2", HALF2)),
    LibraryOverload((PointerTo(BFLOAT2), BFLOAT2), partial(_add_pair, "add bfloat162", BFLOAT2)),
)
_WITHOUT_SCOPE = "hS"
"""Types of which CUDA has no `_block` and no `_system`."""


def _atomic(does: str, scope: str) -> Handler:
    count = CHANGES[does].operands
    types = [letter for letter in _TYPES[does] if not scope or letter not in _WITHOUT_SCOPE]
    within = BLOCK if scope == "_block" else DEVICE
    return overloaded(
        *(
            LibraryOverload(
                (PointerTo(kind), *[kind] * count), partial(_change, does, kind, scope=within)
            )
            for kind in kinds("".join(types))
        ),
        *(_NARROW_ADDITIONS if does == "add" and not scope else ()),
    )


_NAMES = {does: "CAS" if does == "cas" else does.capitalize() for does in _TYPES}
HANDLERS: dict[str, Handler] = {
    f"atomic{name}{scope}": _atomic(does, scope)
    for does, name in _NAMES.items()
    for scope in ("", "_block", "_system")
}
