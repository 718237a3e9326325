"""Finds the places of a Python solution where a change gives the same kernel."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from grader.kernels.mutation.edits import is_power_of_two
from grader.kernels.mutation.same import SamePlaces


def find_same(tree: ast.Module) -> SamePlaces[ast.AST]:
    """Find them in a solution with its constants and helper functions."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    nodes = [node for root in functions for node in ast.walk(root)]
    elections = {*_elections(nodes)}
    scaled = {each: grows for root in functions for each, grows in _list_scaled(root)}
    named = [node for node in tree.body if isinstance(node, ast.Assign)]
    return SamePlaces(
        comparisons={*elections, *_maxima(nodes), *scaled},
        constants={*_unchanged(nodes), *(each for test in elections for each in _electing(test))},
        strides={each for node in ast.walk(tree) for each in _strides(node)},
        sizes={*_steps(nodes), *_sizes(nodes, named)},
        scaled=scaled,
    )


def _unchanged(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield axes and sizes of arrays."""
    for node in nodes:
        match node:
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
                yield index
            case ast.Call(func=ast.Attribute(attr="grid" | "gridsize" | "array")):
                yield from (inner for each in node.args for inner in ast.walk(each))


def _sizes(nodes: Sequence[ast.AST], named: Sequence[ast.Assign]) -> Iterator[ast.AST]:
    """Yield what a name holds that is nothing but the size of an array."""
    sizes = {
        inner
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "array"
        for inner in ast.walk(node)
    }
    uses = [node for root in named for node in ast.walk(root.value)]
    used = {node.id for node in (*nodes, *uses) if isinstance(node, ast.Name) and node not in sizes}
    for root in named:
        if isinstance(root.targets[0], ast.Name) and root.targets[0].id not in used:
            yield from ast.walk(root.value)


def _steps(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """Yield steps, as in `for step in (16, 8, 4, 2, 1)`."""
    for node in nodes:
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
            yield from node.iter.elts


def _maxima(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """Yield the test of `if v > top: … top = v`, which is the same for equal values."""
    for node in nodes:
        match node:
            case ast.If(test=ast.Compare(left=ast.Name(id=a), comparators=[ast.Name(id=b)])):
                texts = {ast.unparse(each) for each in node.body}
                if texts & {f"{a} = {b}", f"{b} = {a}"}:
                    yield node.test


def _elections(nodes: Sequence[ast.AST]) -> Iterator[ast.Compare]:
    """Yield comparisons for equality in the tests of `if`, and in their parts joined by `and`."""
    for node in nodes:
        if isinstance(node, ast.If):
            for part in node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]:
                match part:
                    case ast.Compare(ops=[ast.Eq()]):
                        yield part


def _electing(test: ast.Compare) -> Iterator[ast.AST]:
    """Yield what says which thread is elected: 0 in `lane == 0`, 32 and 0 in `t % 32 == 0`."""
    yield from ast.walk(test.comparators[0])
    match test.left:
        case ast.BinOp(op=ast.Mod(), right=divisor):
            yield divisor


def _strides(node: ast.AST) -> Iterator[ast.AST]:
    """Yield divisors that are powers of two, and by how much or how often a variable grows."""
    match node:
        case ast.BinOp(op=ast.FloorDiv(), right=ast.Constant(value=value) as divisor):
            if is_power_of_two(value):
                yield divisor
        case ast.AugAssign(
            op=ast.Add() | ast.Mult() | ast.FloorDiv() | ast.LShift() | ast.RShift(), value=by
        ):
            yield from _factors(by)
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[_, _, step])):
            yield from _factors(step)


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            yield from (left, right)
        case _:
            yield node


def _list_scaled(root: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """Yield what `step` begins and ends with in `step = 16; while step > 0: …; step //= 2`.

    With it, whether it begins to grow.
    """
    for loop in ast.walk(root):
        if not isinstance(loop, ast.While):
            continue
        for node in loop.body:
            match node:
                case ast.AugAssign(
                    target=ast.Name(id=name),
                    op=ast.Mult() | ast.FloorDiv() | ast.LShift() | ast.RShift() as how,
                ):
                    grows = isinstance(how, (ast.Mult, ast.LShift))
                    yield from ((inner, False) for inner in ast.walk(loop.test))
                    yield from ((first, grows) for first in _first_values(root, name))


def _first_values(root: ast.AST, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(root):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant() as value):
                if target == name:
                    yield value
