"""Arithmetic that a loop does not change, which is computed once, not in every round."""

from __future__ import annotations

from collections.abc import Container, Iterable

from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import Constant, number
from grader.simt.program.walking import (
    Names,
    inner_blocks,
    names_read,
    names_set,
    operands,
    own_expressions,
)

_OPERATORS = frozenset(("+", "-", "*", "/", "&", "|", "^", "<<", ">>"))
"""Those that report nothing and depend on no mask."""


def find_invariants(
    block: nodes.Block, checked: Container[int] = (), changed: Names | None = None
) -> dict[int, tuple[str, ...]]:
    """Return arithmetic on variables that the innermost loop around it leaves as they are.

    Args:
        checked: operations (by id) that may report something.
        changed: what the innermost loop around them sets; None outside of loops.

    Returns:
        The variables, by the id of the outermost operator.
    """
    found: dict[int, tuple[str, ...]] = {}
    for statement in block:
        own = changed
        if isinstance(statement, nodes.Loop):
            own = names_set((statement,))
        if own is not None:
            found |= _in_expressions(own_expressions(statement), checked, own)
        for inner in inner_blocks(statement):
            found |= find_invariants(inner, checked, own)
    return found


def _in_expressions(
    expressions: Iterable[Expression], checked: Container[int], changed: Names
) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for node in expressions:
        if isinstance(node, nodes.Operate) and _is_plain(node, checked):
            names = names_read((node,))
            if names and not names & changed and not isinstance(node.type, Constant):
                found[id(node)] = tuple(names)
                continue
        found |= _in_expressions(operands(node), checked, changed)
    return found


def _is_plain(node: Expression, checked: Container[int]) -> bool:
    match node:
        case nodes.Operate(_, operator, parts):
            calm = operator in _OPERATORS and id(node) not in checked
            return calm and all(_is_plain(part, checked) for part in parts)
        case nodes.Convert(_, operand, None):
            return _is_plain(operand, checked)
        case nodes.Read(kind, name):
            return number(kind) is not None and not nodes.is_temporary(name)
    return isinstance(node, nodes.Number)
