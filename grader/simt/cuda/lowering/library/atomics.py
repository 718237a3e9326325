"""Atomic functions, with the types that CUDA has each for.

`_block` and `_system` change who sees an operation as one; here all threads of a launch do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.library.overloads import Handler, Overload, kinds, overloaded
from grader.simt.cuda.lowering.types import Arithmetic, Pointer
from grader.simt.cuda.lowering.unit import Unit
from grader.simt.cuda.lowering.values import Plain, Value
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
    does: str, kind: Arithmetic, unit: Unit, node: syntax.Call, given: Sequence[Plain]
) -> Value:
    pointer, *values = given
    by_one = unit.module.known(values[0].node) == 1
    atomic = Atomic(does, kind.dtype, used=unit.unused is not node, by_one=by_one)
    operands = (pointer.node, *(value.node for value in values))
    run = partial(change_target, atomic)
    made = Perform(kind.dtype, f"atomic {does}", run, operands, unit.site(node.place))
    return unit.hold_plain(Plain(kind, made))


_WITHOUT_SCOPE = "hS"
"""Types of which CUDA has no `_block` and no `_system`."""


def _atomic(does: str, scope: str) -> Handler:
    count = CHANGES[does].operands
    types = [letter for letter in _TYPES[does] if not scope or letter not in _WITHOUT_SCOPE]
    return overloaded(
        *(
            Overload((Pointer(kind), *[kind] * count), partial(_change, does, kind))
            for kind in kinds("".join(types))
        )
    )


_NAMES = {does: "CAS" if does == "cas" else does.capitalize() for does in _TYPES}
HANDLERS: dict[str, Handler] = {
    f"atomic{name}{scope}": _atomic(does, scope)
    for does, name in _NAMES.items()
    for scope in ("", "_block", "_system")
}
