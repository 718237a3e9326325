"""Edits of a kernel in CUDA C++, by the places of its syntax tree.

The tree knows where a node begins, so an end is found in the text. What comes from a macro stands
elsewhere in the text and is left alone. No edit is made where the change gives the same kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grader.kernels.cuda_submission import read_cuda_submission
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
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.places import Place
from grader.text_places import TextPlaces


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


_BARRIERS = ("__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block")
_HUGE_NAMES = ("INFINITY", "INT_MAX", "INT_MIN", "FLT_MAX", "UINT_MAX")
_WIDE = ("int32", "int64", "uint32")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_HALF = "#include <cuda_fp16.h>\n"
_ROUNDED = "__half2float(__float2half({}))"
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F']+|\d[\d']*)[uUlL]*")
_FLOAT = re.compile(r"[\d.]+(?:[eE][+-]?\d+)?[fF]?")
_WORD = re.compile(r"(?:\w|::|\.\w)+")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def cuda_edits(problem: Problem, source: str) -> Iterator[Edit]:
    """Yield the edits of a solution in CUDA C++, in the order of its lines, rule by rule."""
    yield from _CudaEdits(problem, source).list_all()


class _Names(NamedTuple):
    """What the kernel's parameters are: arrays, and numbers that the launch gives."""

    arrays: dict[str, Argument]
    sizes: dict[str, str]
    numbers: dict[str, Argument]


class _CudaEdits:
    """The tree of a solution, with what its names are."""

    def __init__(self, problem: Problem, source: str) -> None:
        self._problem, self._source = problem, source
        self._places = TextPlaces(source)
        submission = read_cuda_submission(problem, source)
        self._kernel = submission.declared
        declarations = submission.source.tree.declarations
        # what a header has is not the solution's
        self._nodes = [node for node in trees.walk(*declarations) if not node.place.path]
        self._names = self._name_parameters()
        self._floats = {
            node.name
            for node in self._nodes
            if isinstance(node, (syntax.Variable, declared.Parameter))
            and isinstance(node.type, syntax.NamedType)
            and node.type.name.spelled in ("float", "double")
        }
        self._same = find_same(self._nodes)

    def list_all(self) -> Iterator[Edit]:
        """Yield all edits."""
        yield from self._numbers()
        for node in self._nodes:
            yield from self._constants(node)
            yield from self._statements(node)
        yield from self._tickets()

    def _constants(self, node: syntax.Node) -> Iterator[Edit]:
        match node:
            case syntax.IntegerLiteral() if node not in self._same.constants:
                yield from self._integer(node)
            case syntax.FloatLiteral(value=value) if is_huge(value):
                yield from self._huge(node)
            case syntax.Name(spelled=name) if name in _HUGE_NAMES:
                yield from self._swap("padding", node.place, name, "0")

    def _statements(self, node: syntax.Node) -> Iterator[Edit]:
        match node:
            case syntax.Binary():
                yield from self._binary(node)
            case syntax.ExpressionStatement(expression=syntax.Call() as call):
                yield from self._barrier(call)
            case syntax.If() | syntax.Conditional():
                yield from self._guard(node)
            case syntax.Assignment(operator="+=", target=syntax.Name(spelled=name)):
                if name in self._floats:
                    yield from self._half(node, name)
            case syntax.Index(object=syntax.Name(spelled=name)):
                yield from self._narrow(node, name)

    def _name_parameters(self) -> _Names:
        problem, names = self._problem, _Names({}, {}, {})
        known = {argument.name: argument for argument in problem.arguments}
        for name, parameter in zip(problem.parameter_names, self._kernel.parameters, strict=True):
            argument = known.get(name)
            if argument is None:
                names.sizes[parameter.name] = name
            elif argument.value is None:
                names.arrays[parameter.name] = argument
            else:
                names.numbers[parameter.name] = argument
        return names

    def _numbers(self) -> Iterator[Edit]:
        """Set scalar arguments and sizes at the top of the kernel."""
        assert self._kernel.body is not None
        top = self._at(self._kernel.body.place) + 1
        used = {node.spelled for node in self._nodes if isinstance(node, syntax.Name)}
        for own, argument in self._names.numbers.items():
            if own in used:
                value = first_value(argument, self._problem)
                yield edit("argument", top, top, f" {own} = {value!r};")
        for own, name in self._names.sizes.items():
            if own not in used:
                continue
            first, most = self._problem.shapes[0][name], reach(name, self._problem)
            yield edit("argument", top, top, f" {own} = {first};")
            if find_bound(name, self._problem) > most:
                yield edit("extent", top, top, f" {own} = {own} < {most} ? {own} : {most};")

    def _integer(self, node: syntax.IntegerLiteral) -> Iterator[Edit]:
        match = _INTEGER.match(self._source, self._at(node.place))
        if match is None:
            return
        if is_huge(node.value):
            yield edit("padding", *match.span(), "0")
        for other in self._same.list_others(node, node.value):
            yield edit("constant", *match.span(), str(other))

    def _huge(self, node: syntax.FloatLiteral) -> Iterator[Edit]:
        match = _FLOAT.match(self._source, self._at(node.place))
        if match is not None:
            yield edit("padding", *match.span(), "0.0f")

    def _binary(self, node: syntax.Binary) -> Iterator[Edit]:
        if node in self._same.comparisons:
            return
        if node.operator in _COMPARISONS:
            zero = isinstance(node.right, syntax.IntegerLiteral) and node.right.value == 0
            for other in other_comparisons(node.operator, zero=zero):
                yield from self._swap("compare", node.place, node.operator, other)
        elif node.operator == "&" and isinstance(node.right, syntax.IntegerLiteral):
            mask = re.compile(rf"&\s*{_INTEGER.pattern}").match(self._source, self._at(node.place))
            if mask is not None:
                yield edit("drop", *mask.span(), "")
        elif node.operator == "&&" and self._has(node.place, "&&"):
            at = self._at(node.place)
            yield edit("drop", at, at + 2, "|| true ||")

    def _barrier(self, call: syntax.Call) -> Iterator[Edit]:
        if isinstance(call.function, syntax.Name) and call.function.spelled in _BARRIERS:
            span = self._call_span(call)
            if span is not None:
                yield edit("drop", *span, "")

    def _guard(self, node: syntax.If | syntax.Conditional) -> Iterator[Edit]:
        if isinstance(node, syntax.Conditional):
            if self._has(node.place, "?"):
                at = self._at(node.place)
                yield edit("drop", at, at, "|| true ")
            return
        start = self._source.find("(", self._at(node.place))
        end = self._closing(start)
        if node.otherwise is not None or node.constexpr or node.initializer or end < 0:
            return
        ends = isinstance(node.then, syntax.Return)
        yield edit("drop", start + 1, end, "false" if ends else "true")

    def _half(self, node: syntax.Assignment, name: str) -> Iterator[Edit]:
        start = self._at(node.place)
        end = self._end_of_value(start + 2)
        if not self._has(node.place, "+=") or end < 0:
            return
        value = self._source[start + 2 : end].strip()
        total = "= " + _ROUNDED.format(f"{name} + ({value})")
        for new in (total, "+= " + _ROUNDED.format(value)):
            pieces = [Piece(start, end, new)]
            if "cuda_fp16.h" not in self._source:
                pieces.insert(0, Piece(0, 0, _HALF))
            yield Edit("half", tuple(pieces))

    def _narrow(self, node: syntax.Index, name: str) -> Iterator[Edit]:
        argument = self._names.arrays.get(name)
        start = self._at(node.place)
        end = self._closing(start)
        if argument is None or isinstance(node.index, syntax.IntegerLiteral) or end < 0:
            return
        kinds = {8: "signed char", 16: "short"}
        bits = index_bits(argument, self._problem, None)
        if bits:
            index = self._source[start + 1 : end]
            yield edit("narrow", start + 1, end, f"({kinds[bits]})({index})")
        begin = start - len(name)
        read = argument.role == "input" and self._source[:begin].rstrip()[-1:] != "&"
        if read and argument.dtype in _WIDE and self._source[begin:start] == name:
            yield edit("narrow", begin, begin, "(signed char)")

    def _tickets(self) -> Iterator[Edit]:
        """Put the block's index in place of what an atomic returned, where that is used."""
        dropped = {
            id(node.expression)
            for node in self._nodes
            if isinstance(node, syntax.ExpressionStatement)
        }
        for node in self._nodes:
            match node:
                case syntax.Call(function=syntax.Name(spelled="atomicAdd" | "atomicInc")):
                    span = self._call_span(node)
                    if id(node) in dropped or span is None:
                        continue
                    for axis in axes_of(self._problem):
                        text = self._source[slice(*span)]
                        yield edit("ticket", *span, f"({text} * 0 + blockIdx.{axis})")

    def _swap(self, rule: str, place: Place, old: str, new: str) -> Iterator[Edit]:
        if self._has(place, old):
            yield edit(rule, self._at(place), self._at(place) + len(old), new)

    def _call_span(self, call: syntax.Call) -> tuple[int, int] | None:
        start = self._at(call.place)
        name = _WORD.match(self._source, start)
        opening = -1 if name is None else self._source.find("(", name.end())
        if name is None or self._source[name.end() : opening].strip():
            return None
        end = self._closing(opening)
        return None if end < 0 else (start, end + 1)

    def _closing(self, opening: int) -> int:
        """Return where the bracket that opens there is closed; -1 for none."""
        if opening < 0 or self._source[opening : opening + 1] not in _CLOSING:
            return -1
        waiting: list[str] = []
        for at in range(opening, len(self._source)):
            character = self._source[at]
            if character in _CLOSING:
                waiting.append(_CLOSING[character])
            elif waiting and character == waiting[-1]:
                waiting.pop()
                if not waiting:
                    return at
        return -1

    def _end_of_value(self, start: int) -> int:
        """Return where the value of an assignment ends: at a semicolon, a comma or a bracket."""
        at = start
        while at < len(self._source):
            character = self._source[at]
            if character in _CLOSING:
                at = self._closing(at)
                if at < 0:
                    return -1
            elif character in ";,)}":
                return at
            at += 1
        return -1

    def _has(self, place: Place, text: str) -> bool:
        return self._source.startswith(text, self._at(place))

    def _at(self, place: Place) -> int:
        return self._places.offset(place.line, place.column)
