"""`cp.async` and its groups (PTX ISA 9.7.9.25): what is copied is there once it is waited for.

The source is read where the copy begins, and shared memory is written where its threads wait, so
that a wait that is missing or too lax leaves what was there before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from grader.simt.intrinsics import arrivals
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import Mask
from grader.simt.memory.pointers import reach_target
from grader.simt.program.nodes import Do, Expression, Operation, Perform
from grader.simt.program.types import FLOAT32, Nothing, Scalar, VectorType
from grader.simt.ptx.bulk import bulk_copy
from grader.simt.ptx.mbarriers import address_of
from grader.simt.ptx.operands import Lowering
from grader.simt.ptx.syntax import Address, Instruction

_WORD = 4
_SIZES = (4, 8, 16)


class _Copy(NamedTuple):
    mask: Mask
    finish: Callable[[], None]


class _Group(NamedTuple):
    mask: Mask
    copies: tuple[_Copy, ...]


class _Copies:
    """Copies of a chunk's threads that are under way.

    Attributes:
        open: those since the last commit.
        groups: those that were committed, the oldest first.
    """

    def __init__(self) -> None:
        self.open: list[_Copy] = []
        self.groups: list[_Group] = []


def _copies(here: ExecutionPoint) -> _Copies:
    known: _Copies = here.chunk.memory.setdefault(_Copies, _Copies())
    return known


def _is_within(part: Mask, whole: Mask) -> bool:
    return whole.lanes is None or part is whole or not (part.full & ~whole.full).any()


def _begin(
    kind: VectorType | Scalar, here: ExecutionPoint, to: Value, source: Value, *size: Value
) -> None:
    """Read what is copied; bytes from `size` on are zeros."""
    words = kind.size if isinstance(kind, VectorType) else 1
    zeros = (np.zeros((1, 1), FLOAT32),) * words
    reads = here.mask.split(size[0] != 0)[0] if size else here.mask
    found: tuple[Value, ...] = zeros
    if reads is not None:
        cells = reach_target(kind, source, (), here._replace(mask=reads))
        if cells is None:
            return
        value = cells.load()
        found = value if isinstance(value, tuple) else (value,)
    if size:
        found = tuple(
            np.where(size[0] >= _WORD * (at + 1), word, FLOAT32.type(0))
            for at, word in enumerate(found)
        )
    whole: Any = found if isinstance(kind, VectorType) else found[0]

    def finish() -> None:
        cells = reach_target(kind, to, (), here)
        if cells is not None:
            cells.store(whole)

    _copies(here).open.append(_Copy(here.mask, finish))


def _commit(here: ExecutionPoint) -> None:
    copies = _copies(here)
    own = tuple(each for each in copies.open if _is_within(each.mask, here.mask))
    copies.open = [each for each in copies.open if each not in own]
    copies.groups.append(_Group(here.mask, own))


def _wait(most: int, here: ExecutionPoint, *, all_of_them: bool = False) -> None:
    """Finish all groups of these threads but the newest ones."""
    copies = _copies(here)
    own = [each for each in copies.groups if _is_within(each.mask, here.mask)]
    done = own[: max(0, len(own) - most)]
    copies.groups = [each for each in copies.groups if each not in done]
    finished = [each for group in done for each in group.copies]
    if all_of_them:
        finished += [each for each in copies.open if _is_within(each.mask, here.mask)]
        copies.open = [each for each in copies.open if each not in finished]
    for each in finished:
        each.finish()


def _arrive(here: ExecutionPoint, barrier: Value, *, counted: bool) -> None:
    """Let threads arrive at a barrier once all that they copy is there.

    Args:
        here: the threads, and where.
        barrier: its address.
        counted: True if the barrier expects these arrivals already.
    """
    copies = _copies(here)
    own = [each for each in copies.open if _is_within(each.mask, here.mask)]
    copies.open = [each for each in copies.open if each not in own]
    for group in [each for each in copies.groups if _is_within(each.mask, here.mask)]:
        copies.groups.remove(group)
        own += group.copies

    def finish(_mask: Mask) -> None:
        while own:
            own.pop(0).finish()

    one = np.ones((1, 1), dtype=np.int64)
    if not counted:
        arrivals.await_more(here, barrier, one)
    arrivals.report_copy(here, barrier, finish, arrives=one)


def copy_async(lowering: Lowering, instruction: Instruction) -> list[Operation]:
    """Lower `cp.async` of 4, 8 or 16 bytes, `commit_group`, `wait_group` and `wait_all`."""
    modifiers, operands = instruction.modifiers, instruction.operands

    def do(name: str, run: Callable[..., None], *given: Expression) -> list[Operation]:
        return [Do(Perform(Nothing(), name, run, given, lowering.site(instruction)))]

    if "bulk" in modifiers:
        return bulk_copy(lowering, instruction)
    match modifiers[:2]:
        case ("async", "mbarrier"):
            lowering.program.timed = True
            run = partial(_arrive, counted="noinc" in modifiers)
            return do("copy arrive", run, address_of(lowering, operands[0], instruction))
        case ("async", "commit_group"):
            return do("copy commit", _commit)
        case ("async", "wait_all"):
            return do("copy wait", partial(_wait, 0, all_of_them=True))
        case ("async", "wait_group"):
            return do("copy wait", partial(_wait, int(str(operands[0]), 0)))
        case ("async", "ca" | "cg"):
            pass
        case _:
            raise lowering.refuse(instruction)
    to, source, size, *more = operands
    if not isinstance(to, Address) or not isinstance(source, Address):
        raise lowering.refuse(instruction)
    if not isinstance(size, str) or not size[:1].isdecimal() or int(size, 0) not in _SIZES:
        raise lowering.refuse(instruction)
    words = int(size, 0) // _WORD
    kind: VectorType | Scalar = FLOAT32 if words == 1 else VectorType(FLOAT32, words)
    hints = any("cache_hint" in each for each in modifiers)
    given = [lowering.read(each, "u32", instruction) for each in more[: 1 - hints]]
    lowering.program.stores_anywhere = True
    pointers = (
        lowering.pointer(to, "shared", instruction),
        lowering.pointer(source, "global", instruction),
    )
    return do("copy", partial(_begin, kind), *pointers, *given)
