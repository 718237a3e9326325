"""Which loops may go on with only the warps that are still in them: see `lockstep.gathering`.

Nothing in such a loop looks at other threads, and it sets no variable that holds memory.
"""

from __future__ import annotations

from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import Array, Pointer, RecordType, Tuple, Type
from grader.simt.program.walking import (
    Names,
    names_set,
    own_operations,
    walk_block,
    walk_statements,
)

_WITHOUT_OWNER = ("global", "constant")
"""Spaces whose memory is not a block's or a thread's own."""


def find_gathered(
    function: nodes.Function, left: dict[int, Names]
) -> dict[int, tuple[Names, Names]]:
    """Return the loops of a function whose warps may be gathered.

    Args:
        function: without a recorder that follows its variables, else there are none.
        left: for each loop (by id), the variables that are needed once threads have left it.

    Returns:
        For each (by id), the variables that it names, and those that are needed after it.
    """
    if function.follow is not None:
        return {}
    loops = (loop for loop in walk_statements(function.body) if isinstance(loop, nodes.Loop))
    return {
        id(loop): (_names(loop), left[id(loop)])
        for loop in loops
        if _sets_numbers(loop) and _is_alone((loop,), is_kernel=function.is_kernel, known={})
    }


def _names(loop: nodes.Loop) -> Names:
    read = (node.variable for node in walk_block((loop,)) if isinstance(node, nodes.Read))
    return names_set((loop,)) | frozenset(read)


def _sets_numbers(loop: nodes.Loop) -> bool:
    """Return True if no round of a loop sets a variable to memory, or returns memory."""
    inner = tuple(walk_statements((*loop.body, *loop.otherwise)))
    operations = [each for statement in inner for each in own_operations(statement)]
    values = [
        *(
            each.value
            for each in (*loop.enter, *loop.step, *operations)
            if isinstance(each, nodes.Set)
        ),
        *(
            each.value
            for each in inner
            if isinstance(each, nodes.Return) and each.value is not None
        ),
    ]
    return all(_is_plain(value.type) for value in values)


def _is_alone(block: nodes.Block, *, is_kernel: bool, known: dict[int, bool]) -> bool:
    """Return True if nothing in a block looks at other threads or at memory that has an owner."""
    if not is_kernel and any(isinstance(each, nodes.Exit) for each in walk_statements(block)):
        return False
    return all(_expression_is_alone(node, known) for node in walk_block(block))


def _expression_is_alone(node: Expression, known: dict[int, bool]) -> bool:
    if isinstance(node.type, Pointer) and node.type.space not in _WITHOUT_OWNER:
        return False
    match node:
        case nodes.Perform():
            return node.alone and not node.exits
        case nodes.Memory(kind):
            return _has_no_owner(kind)
        case nodes.Read(kind):
            return _is_plain(kind) or _has_no_owner(kind)
        case nodes.Call(_, function):
            if id(function) not in known:
                known[id(function)] = True  # one that calls itself looks at what it looks at
                alone = _is_alone(function.body, is_kernel=False, known=known)
                known[id(function)] = alone and not function.exits
            return known[id(function)]
    return True


def _is_plain(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_is_plain, kind.items))
    return not isinstance(kind, (Array, RecordType))


def _has_no_owner(kind: Type) -> bool:
    """Return True for memory that is not a block's or a thread's own."""
    return isinstance(kind, (Array, RecordType)) and kind.space in _WITHOUT_OWNER
