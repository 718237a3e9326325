"""Edits of a kernel in Python, by the places of its syntax tree.

No edit is made where the change gives the same kernel.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from grader.kernels.mutation.edits import (
    Edit,
    Piece,
    SamePlaces,
    axes_of,
    edit,
    find_bound,
    first_value,
    index_bits,
    is_huge,
    is_power_of_two,
    other_comparisons,
    reach,
)
from grader.kernels.problem import Argument, Problem
from grader.text_places import TextPlaces


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


_BARRIERS = ("syncthreads", "syncwarp", "threadfence", "threadfence_block", "threadfence_system")
_SPELLED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


def python_edits(problem: Problem, source: str) -> Iterator[Edit]:
    """Yield the edits of a solution in Python, in the order of its lines, rule by rule."""
    yield from _PythonEdits(problem, source).list_all()


class _PythonEdits:
    """The tree of a solution, with what its names are."""

    def __init__(self, problem: Problem, source: str) -> None:
        self._problem, self._source = problem, source
        self._places = TextPlaces(source)
        tree = ast.parse(source)
        self._functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        self._constants = [node for node in tree.body if isinstance(node, ast.Assign)]
        kernel = next(node for node in self._functions if node.name == problem.kernel)
        self._kernel = kernel
        asked = {argument.name: argument for argument in problem.arguments}
        names = (parameter.arg for parameter in kernel.args.args)
        self._arguments: dict[str, Argument] = {
            own: asked[name]
            for own, name in zip(names, problem.parameter_names, strict=True)
            if name in asked
        }
        self._dropped = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        self._same = find_same(tree)

    def list_all(self) -> Iterator[Edit]:
        """Yield all edits."""
        yield from self._arguments_as_constants()
        for node in ast.walk(self._kernel):
            yield from self._extent(node)
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                yield from self._narrow(node, node.value.id)
        for function in self._functions:
            yield from self._half(function)
        for root in (*self._constants, *(s for f in self._functions for s in f.body)):
            for node in ast.walk(root):
                yield from self._everywhere(node)

    def _everywhere(self, node: ast.AST) -> Iterator[Edit]:
        match node:
            case ast.Constant():
                yield from self._constant(node)
            case ast.Attribute(attr="inf"):
                yield self._replace("padding", node, "0")
            case ast.Compare():
                yield from self._compare(node)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="atomic"))):
                yield from self._ticket(node)
            case _:
                yield from self._drop(node)

    def _drop(self, node: ast.AST) -> Iterator[Edit]:
        """Drop a barrier, a mask, or a guard."""
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name in _BARRIERS:
                yield self._replace("drop", node, "pass")
            case ast.If(orelse=[]) if not isinstance(node.test, ast.Constant):
                ends = len(node.body) == 1 and isinstance(node.body[0], ast.Return)
                yield self._replace("drop", node.test, "False" if ends else "True")
            case ast.BoolOp(values=values):
                for value in values:
                    neutral = str(isinstance(node.op, ast.And))
                    yield self._replace("drop", value, neutral)
            case ast.keyword(arg="mask"):
                yield self._replace("drop", node.value, "None")
            case ast.BinOp(op=ast.BitAnd(), right=ast.Constant()):
                yield self._replace("drop", node, self._text(node.left))

    def _ticket(self, node: ast.Call) -> Iterator[Edit]:
        if node in self._dropped or ast.unparse(node.func).split(".")[-1] not in ("add", "inc"):
            return
        for axis in axes_of(self._problem):
            yield self._replace("ticket", node, f"({self._text(node)} * 0 + cuda.blockIdx.{axis})")

    def _arguments_as_constants(self) -> Iterator[Edit]:
        for name, argument in self._arguments.items():
            if argument.value is None:
                continue
            value = first_value(argument, self._problem)
            whole = value == int(value) and not (argument.dtype or "").startswith("float")
            text = str(int(value)) if whole else repr(float(value))
            uses = [
                node
                for node in ast.walk(self._kernel)
                if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
            ]
            if uses:
                yield Edit("argument", tuple(Piece(*self._span(node), text) for node in uses))

    def _extent(self, node: ast.AST) -> Iterator[Edit]:
        """Clamp `a.shape[0]`, `a.size` and `len(a)`."""
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=name), attr="shape"),
                slice=ast.Constant(value=int(axis)),
            ) if name in self._arguments:
                sizes = self._arguments[name].shape[axis : axis + 1 or None]
            case (
                ast.Attribute(value=ast.Name(id=name), attr="size")
                | ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])
            ) if name in self._arguments:
                sizes = self._arguments[name].shape
            case _:
                return
        size = " * ".join(f"({size})" for size in sizes)
        most = reach(size, self._problem)
        if find_bound(size, self._problem) > most:
            yield self._replace("extent", node, f"min({self._text(node)}, {most})")

    def _narrow(self, node: ast.Subscript, name: str) -> Iterator[Edit]:
        argument = self._arguments.get(name)
        if argument is None or argument.value is not None:
            return
        several = isinstance(node.slice, ast.Tuple)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for axis, index in enumerate(indices):
            bits = index_bits(argument, self._problem, axis if several else None)
            if bits and not isinstance(index, (ast.Constant, ast.Slice)):
                yield self._wrap("narrow", index, f"np.int{bits}({{}})")
        if isinstance(node.ctx, ast.Load) and argument.dtype in ("int32", "int64", "uint32"):
            yield self._wrap("narrow", node, "np.int8({})")

    def _half(self, function: ast.FunctionDef) -> Iterator[Edit]:
        floats = {
            target.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and _is_float(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(function):
            match node:
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()) if name in floats:
                    total = f"{name} = np.float32(np.float16({name} + ({self._text(node.value)})))"
                    yield self._with_numpy(Edit("half", (Piece(*self._span(node), total),)))
                    yield self._wrap("half", node.value, "np.float32(np.float16({}))")

    def _constant(self, node: ast.Constant) -> Iterator[Edit]:
        value = node.value
        if isinstance(value, (bool, str)) or value is None or node in self._same.constants:
            return
        if isinstance(value, (int, float)) and is_huge(value):
            yield self._replace("padding", node, "0")
        if isinstance(value, int):
            for other in self._same.list_others(node, value):
                yield self._replace("constant", node, str(other))

    def _compare(self, node: ast.Compare) -> Iterator[Edit]:
        if node in self._same.comparisons:
            return
        sides = [node.left, *node.comparators]
        for operator, (left, right) in zip(node.ops, pairwise(sides), strict=True):
            spelled = _SPELLED.get(type(operator), "")
            start, end = self._span(left)[1], self._span(right)[0]
            at = self._source.find(spelled, start, end) if spelled else -1
            zero = isinstance(right, ast.Constant) and right.value == 0
            for other in other_comparisons(spelled, zero=zero) if at >= 0 else ():
                yield edit("compare", at, at + len(spelled), other)

    def _wrap(self, rule: str, node: ast.AST, pattern: str) -> Edit:
        return self._with_numpy(self._replace(rule, node, pattern.format(self._text(node))))

    def _with_numpy(self, made: Edit) -> Edit:
        if any(line.startswith("import numpy as np") for line in self._source.splitlines()):
            return made
        return Edit(made.rule, (Piece(0, 0, "import numpy as np\n"), *made.pieces))

    def _replace(self, rule: str, node: ast.AST, new: str) -> Edit:
        return edit(rule, *self._span(node), new)

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self._source[start:end]

    def _span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, (ast.expr, ast.stmt))
        return self._places.span(node)


def _is_float(node: ast.expr) -> bool:
    """Return True if an expression is plainly a float."""
    match node:
        case ast.Constant(value=float()):
            return True
        case ast.Call(func=ast.Name(id="float32") | ast.Attribute(attr="float32")):
            return True
    return False
