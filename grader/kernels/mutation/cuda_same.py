"""Finds the places of a solution in CUDA C++ where a change gives the same kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.kernels.mutation.edits import is_power_of_two
from grader.kernels.mutation.same import SamePlaces
from grader.simt.cuda import syntax, trees


def find_same(nodes: Sequence[syntax.Node]) -> SamePlaces[syntax.Node]:
    """Find them among all nodes of a solution."""
    elections = {*_elections(nodes)}
    scaled = dict(_scaled(nodes))
    maxima = (
        node.condition for node in nodes if isinstance(node, syntax.If) and _keeps_larger(node)
    )
    return SamePlaces(
        comparisons={
            *elections,
            *(each for each in maxima if isinstance(each, syntax.Node)),
            *scaled,
        },
        constants={*_sizes(nodes), *(each for test in elections for each in _electing(test))},
        strides={*_strides(nodes)},
        sizes=set(),
        scaled=scaled,
    )


def _elections(nodes: Sequence[syntax.Node]) -> Iterator[syntax.Binary]:
    """Yield comparisons for equality in the tests of `if`, and in their two parts."""
    for node in nodes:
        if isinstance(node, syntax.If) and isinstance(node.condition, syntax.Binary):
            for part in (node.condition, node.condition.left, node.condition.right):
                if isinstance(part, syntax.Binary) and part.operator == "==":
                    yield part


def _sizes(nodes: Sequence[syntax.Node]) -> Iterator[syntax.Node]:
    """Yield what is in sizes of arrays and in alignments."""
    for node in nodes:
        match node:
            case syntax.ArrayType(size=syntax.Node() as inner):
                yield from trees.walk(inner)
            case syntax.Variable(alignment=syntax.Node() as inner):
                yield from trees.walk(inner)


def _scaled(nodes: Sequence[syntax.Node]) -> Iterator[tuple[syntax.Node, bool]]:
    """Yield what is in the heads of loops that scale their variable; True if it begins to grow."""
    for node in nodes:
        match node:
            case syntax.For(step=syntax.Assignment(operator="*=" | "/=" | "<<=" | ">>=" as how)):
                grows = how in ("*=", "<<=")
                yield from ((inner, grows) for inner in trees.walk(node.initializer))
                if isinstance(node.condition, syntax.Node):
                    yield from ((inner, False) for inner in trees.walk(node.condition))


def _strides(nodes: Sequence[syntax.Node]) -> Iterator[syntax.Node]:
    """Yield divisors that are powers of two, and by how much or how often a variable grows."""
    for node in nodes:
        match node:
            case syntax.Binary(operator="/", right=syntax.IntegerLiteral(value=value) as divisor):
                if is_power_of_two(value):
                    yield divisor
            case syntax.Assignment(operator="+=" | "*=" | "/=" | "<<=" | ">>=", value=value):
                if isinstance(value, syntax.IntegerLiteral):
                    yield value
                elif isinstance(value, syntax.Binary) and value.operator == "*":
                    yield from (value.left, value.right)


def _electing(test: syntax.Binary) -> Iterator[syntax.Node]:
    """Yield what says which thread is elected: 0 in `lane == 0`, 32 and 0 in `t % 32 == 0`."""
    yield from trees.walk(test.right)
    match test.left:
        case syntax.Binary(operator="%", right=divisor):
            yield divisor


def _keeps_larger(node: syntax.If) -> bool:
    """Return True for `if (v > top) { … top = v; }`, which is the same for equal values."""
    match node.condition:
        case syntax.Binary(left=syntax.Name(spelled=a), right=syntax.Name(spelled=b)):
            pairs = ((a, b), (b, a))
            return any(
                isinstance(each, syntax.Assignment)
                and each.operator == "="
                and (_spelled(each.target), _spelled(each.value)) in pairs
                for each in trees.walk(node.then)
            )
    return False


def _spelled(node: syntax.Node) -> str:
    return node.spelled if isinstance(node, syntax.Name) else ""
