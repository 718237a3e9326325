"""Writes expressions of a typed program, with no more parentheses than they need.

A `Read` of another type than its variable may have is shown as the conversion that it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from grader.simt.checks.elements import row_strides
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.type_texts import number_text, type_text
from grader.simt.program.types import BOOL, INT64, Pointer, RecordType, Slice, VectorType
from grader.simt.program.walking import operands

_KEEP, _CHOOSE, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _ATOM = range(10)
_RANKS = {
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "<<", ">>"), _COMPARE),
    **dict.fromkeys(("+", "-"), _SUM),
    **dict.fromkeys(("*", "/", "//", "%"), _PRODUCT),
    "**": _SIGN,
}
"""How tightly an operator binds; where Python and C do not agree, there are parentheses."""
_SIGNS = {"neg": "-", "pos": "+", "~": "~"}
VariableTypes = Mapping[str, frozenset[str]]
"""By variable: the types that it may have, as texts."""


class ExpressionTexts:
    """Writes the expressions of one function, in the order of its text.

    Attributes:
        types: that variables may have here.
        shown: by variable, the type that the text has of it.
    """

    def __init__(self, types: Mapping[str, str], read: frozenset[str]) -> None:
        """Begin a function.

        Args:
            read: the variables that it reads: what else is kept is not shown.
        """
        self.shown = dict(types)
        self.types: dict[str, frozenset[str]] = {}
        self._read = read
        self._numbers: dict[str, int] = {}
        for variable, kind in types.items():
            self.note(variable, kind)

    def note(self, variable: str, kind: str) -> None:
        """Note the type that a variable is set to."""
        self.shown[variable] = kind
        self.types[variable] = frozenset((kind,))

    def join(self, types: VariableTypes) -> None:
        """Note the types that variables may have, too, on another path."""
        for name, kinds in types.items():
            self.types[name] = self.types.get(name, frozenset()) | kinds

    def name(self, variable: str) -> str:
        """Return a variable's name; temporaries are numbered in the order in which they are met."""
        if not nodes.is_temporary(variable):
            return variable
        return f"%{self._numbers.setdefault(variable, len(self._numbers) + 1)}"

    def expression(self, node: Expression, least: int = _CHOOSE) -> str:
        """Return an expression, in parentheses if it binds less tightly than `least`."""
        text, rank = self._ranked(node)
        return text if rank >= least else f"({text})"

    def _ranked(self, node: Expression) -> tuple[str, int]:
        """Return an expression, and how tightly its last operator binds."""
        match node:
            case nodes.Observe(_, operand):
                return self._ranked(operand)
            case nodes.Convert(kind, operand) if type_text(kind) == type_text(operand.type):
                return self._ranked(operand)
            case nodes.Keep(kind, variable, operand):
                text, rank = self._ranked(operand)
                if variable not in self._read:
                    return text, rank
                self.note(variable, type_text(kind))
                return f"{self.name(variable)} := {text}", _KEEP
            case nodes.AddressOf(_, memory):
                return f"&{label_of(memory)}", _SIGN
            case nodes.Convert(Pointer() as kind, operand):
                return f"({type_text(kind)}){self.expression(operand, _ATOM)}", _SIGN
        return self._operator(node)

    def _operator(self, node: Expression) -> tuple[str, int]:
        match node:
            case nodes.Operate(_, name, (left, right)) | nodes.Apply(_, name, _, (left, right)) if (
                name in _RANKS
            ):
                rank = _RANKS[name]
                least = {_COMPARE: _SUM, _SIGN: _ATOM}.get(rank, rank)
                first, second = self.expression(left, least), self.expression(right, rank + 1)
                known = None if _literal(left) else _literal(right)
                if known is not None and known[0] == type_text(left.type):
                    second = str(known[1])
                return f"{first} {name} {second}", rank
            case nodes.Move(_, pointer, index, step) if step == _step_of(pointer):
                first = self.expression(pointer, _SUM)
                return f"{first} + {self.expression(index, _PRODUCT)}", _SUM
            case nodes.Operate(kind, name, (operand,)) if name in _SIGNS:
                if kind == BOOL:
                    return f"not {self.expression(operand, _NOT)}", _NOT
                return f"{_SIGNS[name]}{self.expression(operand, _ATOM)}", _SIGN
            case nodes.Logical(_, parts, conjunction):
                rank, word = (_AND, " and ") if conjunction else (_OR, " or ")
                return word.join(self.expression(part, rank + 1) for part in parts), rank
            case nodes.Choose(_, test, yes, no):
                first, second = self.expression(test, _OR), self.expression(yes, _OR)
                return f"{first} ? {second} : {self.expression(no)}", _CHOOSE
            case nodes.Load(_, place):
                text = self.place(place)
                return text, _SIGN if text.startswith("*") else _ATOM
        return self._atom(node), _ATOM

    def _atom(self, node: Expression) -> str:
        match node:
            case nodes.Number(kind, value) | nodes.Convert(kind, nodes.Number(_, int(value))):
                return number_text(kind, value)
            case nodes.Static(kind):
                return type_text(kind)
            case nodes.Position(_, name):
                return name
            case nodes.Memory(kind, declared):
                axes = "" if declared is None else ", ".join(map(str, declared.shape))
                return f"{type_text(kind).partition('[')[0]}[{axes}]"
            case nodes.Read():
                return self._read_text(node)
            case nodes.Part(_, whole, at):
                names = getattr(whole.type, "names", ())
                return f"{self.expression(whole, _ATOM)}.{names[at] if names else at}"
        return self._called(node)

    def _read_text(self, node: nodes.Read) -> str:
        name, kind = self.name(node.variable), type_text(node.type)
        same = self.types.get(node.variable, frozenset()) <= {kind}
        return name if same else f"{kind}({name})"

    def _called(self, node: Expression) -> str:
        match node:
            case nodes.Move(_, pointer, index, step):
                steps = "" if step == 1 else f"{self.expression(index, _PRODUCT)} * "
                size = self.expression(index) if step == 1 else step
                return f"move({self.expression(pointer)}, {steps}{size} bytes)"
            case nodes.Apply(Slice(there), "slice", _, given):
                bounds = iter([self.expression(bound) for bound in given])
                start, stop, every = (next(bounds) if part else "" for part in there)
                return f"{start}:{stop}{every and f':{every}'}"
            case nodes.Perform(_, "part" | "record", _, (whole, *indices)):
                return self._indexed(whole, indices)
            case nodes.Perform(_, name, _, (whole,)) if name.startswith("field "):
                return f"{self.expression(whole, _ATOM)}.{name.removeprefix('field ')}"
        return f"{_called(node)}({', '.join(map(self.expression, operands(node)))})"

    def place(self, place: nodes.Place) -> str:
        """Return a place in memory."""
        match place:
            case nodes.Element(_, array, indices):
                return self._indexed(array, indices)
            case nodes.FieldOf(_, record, field):
                name = f"byte {field.offset}"
                if isinstance(record.type, RecordType):
                    named = (record.type.dtype.fields or {}).items()
                    name = next((found for found, at in named if at[1] == field.offset), name)
                return f"{self.expression(record, _ATOM)}.{name}"
            case nodes.Target(pointer=pointer):
                return self._pointed(place, pointer)
        raise AssertionError(place)

    def _pointed(self, place: nodes.Place, pointer: Expression) -> str:
        """Return `p[i]` or `*p`, with the type in front where the pointer's is another."""
        kind = type_text(place.kind)
        if not isinstance(pointer.type, Pointer) or type_text(pointer.type.target) != kind:
            return f"*({kind}*){self.expression(pointer, _ATOM)}"
        indices, start = _indices(pointer)
        if indices:
            name = label_of(start.memory) if isinstance(start, nodes.AddressOf) else ""
            axes = "".join(f"[{self.expression(index)}]" for index in indices)
            return f"{name or self.expression(start, _ATOM)}{axes}"
        return f"*{self.expression(pointer, _ATOM)}"

    def _indexed(self, array: Expression, indices: Iterable[Expression]) -> str:
        return f"{self.expression(array, _ATOM)}[{', '.join(map(self.expression, indices))}]"


def label_of(memory: nodes.Memory) -> str:
    """Name an array that the kernel declares."""
    return "dynamic" if memory.declared is None else memory.declared.label


def _indices(pointer: Expression) -> tuple[list[Expression], Expression]:
    """Take an address apart into indices of an array, the first axis first, and where it begins."""
    moves: list[nodes.Move] = []
    start = pointer
    while isinstance(start, nodes.Move):
        moves.insert(0, start)
        start = start.pointer
    declared = start.memory.declared if isinstance(start, nodes.AddressOf) else None
    if declared is not None and len(moves) == len(declared.shape):
        steps = [stride * declared.dtype.itemsize for stride in row_strides(declared.shape)]
        if steps == [move.step for move in moves]:
            return [move.index for move in moves], start
    if moves and moves[-1].step == _step_of(moves[-1].pointer):
        return [moves[-1].index], moves[-1].pointer
    return [], pointer


def _literal(node: Expression) -> tuple[str, int] | None:
    """Return type and value of an integer that its type can have; None for anything else."""
    match node:
        case nodes.Number(kind, int(value)) | nodes.Convert(kind, nodes.Number(_, int(value))):
            fits = (
                isinstance(kind, np.dtype)
                and kind.kind in "iu"
                and 0 <= value <= np.iinfo(kind).max
            )
            return (type_text(kind), value) if fits else None
    return None


def _step_of(pointer: Expression) -> int:
    """Return the bytes from one element to the next; 0 if that is not known."""
    match pointer.type:
        case Pointer(VectorType(dtype, size)):
            return int(dtype.itemsize) * size
        case Pointer(Pointer()):
            return int(INT64.itemsize)
        case Pointer(np.dtype() as dtype):
            return int(dtype.itemsize)
    return 0


def _called(node: Expression) -> str:
    match node:
        case nodes.Pack(kind):
            return type_text(kind) if isinstance(kind, VectorType) else ""
        case nodes.Convert(kind):
            return type_text(kind)
        case nodes.Call(_, function):
            return function.name
        case nodes.Operate(_, name) | nodes.Apply(_, name) | nodes.Perform(_, name):
            return name.replace(" ", "_")
    return type(node).__name__.lower()
