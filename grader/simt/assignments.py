"""Assignments: to names, which may be merged for threads that are elsewhere, and to elements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import numpy as np

from grader.simt.chunk import Here
from grader.simt.counters import Site
from grader.simt.indexing import Indexing
from grader.simt.masks import Mask
from grader.simt.operations import OPERATORS
from grader.simt.refused import REFUSED
from grader.simt.typed import (
    Evaluate,
    Execute,
    Frame,
    Typed,
    Value,
    cast,
    is_value,
    merged,
)
from grader.simt.types import (
    Conflict,
    Range,
    Scalar,
    Tuple,
    Type,
    described,
    number,
)


class Assignments(Indexing):
    """What is stored, and where."""

    def _assign(self, node: ast.Assign) -> Execute:
        first = node.targets[0]
        self.naming = first.id if isinstance(first, ast.Name) else ""
        typed = self.value(node.value)
        self._check_value(node, typed.type)
        stores = [self.target(one, typed.type, node) for one in node.targets]
        evaluate = typed.evaluate

        def execute(frame: Frame, mask: Mask) -> Mask:
            value = evaluate(frame, mask)
            for store in stores:
                store(frame, mask, value)
            return mask

        return execute

    def _assign_annotated(self, node: ast.AnnAssign) -> Execute:
        if node.value is None:
            return lambda _frame, mask: mask
        plain = ast.copy_location(ast.Assign([node.target], node.value), node)
        self.liveness.kept[id(plain)] = self.liveness.kept[id(node)]
        return self._assign(plain)

    def _check_value(self, node: ast.stmt, kind: Type) -> None:
        """A name can also stand for a type or a function; for a loop's numbers it cannot."""
        if isinstance(kind, (Range, Conflict)):
            raise self.refused(node, f"{described(kind)} cannot be kept in a variable")

    def target(
        self, target: ast.expr, kind: Type, node: ast.stmt
    ) -> Callable[[Frame, Mask, Value], None]:
        """Stores a value of a type."""
        match target:
            case ast.Name(id=name):
                return self._variable_target(name, kind, node)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self._unpacked(target, parts, kind, node)
            case ast.Subscript():
                place = self.place(target)
                holder = Typed(kind, lambda frame, _mask: frame.values["="])
                self.dtype(target, kind)
                store = self.store(place, self.narrowed(target, holder, place.kind.dtype))

                def keep(frame: Frame, mask: Mask, value: Value) -> None:
                    frame.values["="] = value
                    store(frame, mask)

                return keep
            case _:
                raise self.refused(target, "this cannot be assigned to", "use a name or a[i]")

    def _variable_target(
        self, name: str, kind: Type, node: ast.stmt
    ) -> Callable[[Frame, Mask, Value], None]:
        if self.env is not None:
            self.env[name] = kind
        if not is_value(kind):
            return lambda _frame, _mask, _value: None
        if name not in self.liveness.kept.get(id(node), ()):

            def replace(frame: Frame, _mask: Mask, value: Value) -> None:
                frame.values[name] = value

            return replace

        def merge(frame: Frame, mask: Mask, value: Value) -> None:
            try:
                frame.values[name] = merged(mask, value, frame.values.get(name))
            except NotImplementedError:
                if not frame.chunk.waits_for(mask):
                    frame.values[name] = value
                    return
                what = f"{name} is one array in some threads and another one in others"
                raise self.refused(node, what, "index each array in its own branch") from None

        return merge

    def _unpacked(
        self, target: ast.expr, parts: Sequence[ast.expr], kind: Type, node: ast.stmt
    ) -> Callable[[Frame, Mask, Value], None]:
        if not isinstance(kind, Tuple) or len(kind.items) != len(parts):
            raise self.not_typed(target, f"{described(kind)} is not {len(parts)} values")
        stores = [self.target(part, one, node) for part, one in zip(parts, kind.items, strict=True)]

        def unpack(frame: Frame, mask: Mask, value: Value) -> None:
            for store, one in zip(stores, value, strict=True):
                store(frame, mask, one)

        return unpack

    def _assign_augmented(self, node: ast.AugAssign) -> Execute:
        operator = OPERATORS.get(type(node.op))
        if operator is None:
            raise self.refused(node, *REFUSED[type(node.op)])
        if isinstance(node.target, ast.Subscript):
            place = self.place(node.target)

            def change(old: Typed) -> Evaluate:
                typed = self.operation(node, operator, old, self.value(node.value))
                return self.narrowed(node.target, typed, place.kind.dtype)

            update = self.update(place, change)

            def execute(frame: Frame, mask: Mask) -> Mask:
                update(frame, mask)
                return mask

            return execute
        if not isinstance(node.target, ast.Name):
            raise self.refused(node, "this cannot be assigned to", "use a name or a[i]")
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        typed = self.operation(node, operator, self.value(read), self.value(node.value))
        store = self._variable_target(node.target.id, typed.type, node)
        evaluate = typed.evaluate

        def assign(frame: Frame, mask: Mask) -> Mask:
            store(frame, mask, evaluate(frame, mask))
            return mask

        return assign

    def narrowed(self, node: ast.AST, typed: Typed, dtype: Scalar) -> Evaluate:
        """Cast, with a warning where a whole number does not fit; unsigned ones may wrap."""
        given = number(typed.type)
        if given is not None and given.kind == "c" and dtype.kind not in "cb":
            raise self.not_typed(node, f"{given.name} as {dtype.name}", "take .real of it")
        evaluate = cast(typed, dtype)
        if given is None or given.kind not in "iu" or dtype.kind not in "iu":
            return evaluate
        if given.itemsize <= dtype.itemsize or dtype.kind == "u":
            return evaluate
        wide, limits, site = cast(typed, given), np.iinfo(dtype), self.site(node)

        def narrow(frame: Frame, mask: Mask) -> Value:
            value = wide(frame, mask)
            least, most = frame.chunk.patterns.of(value).bounds
            if least < limits.min or most > limits.max:
                _report_overflow(frame, mask, value, dtype, site)
            return value.astype(dtype)

        return narrow


def _report_overflow(frame: Frame, mask: Mask, value: Value, dtype: Scalar, site: Site) -> None:
    limits = np.iinfo(dtype)
    beyond = (value < limits.min) | (value > limits.max)
    beyond = beyond if mask.lanes is None else beyond & mask.lanes
    if beyond.any():
        first = int(np.broadcast_to(value, beyond.shape)[beyond][0])
        message = f"{first} does not fit {dtype.name} and wraps to {_wrapped(first, dtype)}"
        Here(frame.chunk, mask, site).report("warning", beyond, message, topic="overflow")


def _wrapped(value: int, dtype: Scalar) -> int:
    return int(np.array([value]).astype(dtype)[0])
