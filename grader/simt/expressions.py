"""Types expressions and makes them ready to be evaluated, or says where they cannot be."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Sequence
from enum import Enum, EnumMeta
from typing import Any

import numpy as np

from grader.simt import names
from grader.simt.errors import Refused
from grader.simt.folding import LARGEST
from grader.simt.intrinsics import INTRINSICS, SPECIAL
from grader.simt.intrinsics.complexes import PARTS, conjugate
from grader.simt.operations import Operations
from grader.simt.refused import REFUSED, elements_refused, instead_of
from grader.simt.typed import (
    Evaluate,
    Frame,
    Typed,
    Value,
    as_type,
    constant,
    converted,
    is_value,
    packed,
    zero_of,
)
from grader.simt.types import (
    INT64,
    SCALARS,
    Array,
    Conflict,
    Constant,
    Device,
    DType,
    Holder,
    Member,
    Nothing,
    Opaque,
    Path,
    Scalar,
    Text,
    Tuple,
    described,
    number,
)

_ALIKE = 0.75
"""How much of a name another one shares that may have been meant."""
_FORMS: dict[type[ast.expr], str] = {
    ast.Constant: "_literal",
    ast.Name: "_name",
    ast.Attribute: "_attribute",
    ast.Subscript: "element",
    ast.BinOp: "_binary",
    ast.UnaryOp: "_unary",
    ast.Compare: "_comparison",
    ast.BoolOp: "_logical",
    ast.IfExp: "_conditional",
    ast.Call: "_call",
    ast.Tuple: "_tuple",
}

"""Which method makes a form ready."""


class Expressions(Operations):
    """Expressions without brackets; `Indexing` adds those."""

    def value(self, node: ast.expr) -> Typed:
        """Any expression.

        Raises:
            Refused: it is not emulated.
            NotTyped: its parts do not fit.
        """
        form = _FORMS.get(type(node))
        if form is None:
            raise self.unavailable(node)
        made: Typed = getattr(self, form)(node)
        return made

    def _tuple(self, node: ast.Tuple) -> Typed:
        return packed([self.value(one) for one in node.elts])

    def element(self, node: ast.Subscript) -> Typed:
        """What stands before brackets, indexed."""
        raise NotImplementedError

    def subscripts(self, node: ast.AST, typed: Sequence[Typed]) -> list[Evaluate]:
        """Whole numbers, and tuples of them, as indices."""
        raise NotImplementedError

    def narrowed(self, node: ast.AST, typed: Typed, dtype: Scalar) -> Evaluate:
        """Cast, with a warning where a whole number does not fit."""
        raise NotImplementedError

    def attribute_of_array(self, node: ast.Attribute, base: Typed, kind: Array) -> Typed:
        """`a.shape` and the like."""
        raise NotImplementedError

    def unavailable(self, node: ast.AST) -> Refused:
        """The error for a form that is not emulated."""
        unknown = f"{type(node).__name__} is not available in a kernel", ""
        return self.refused(node, *REFUSED.get(type(node), unknown))

    def _literal(self, node: ast.Constant) -> Typed:
        match node.value:
            case bool() | float() | complex():
                return constant(node.value)
            case int() as whole if abs(whole) < LARGEST:
                return constant(whole)
            case None:
                return Typed(Nothing())
            case str() as text:
                return Typed(Text(text))
            case _:
                raise self.refused(node, "this is no number that a kernel can use")

    def _name(self, node: ast.Name) -> Typed:
        name = node.id
        if name in self.assigned:
            return self._variable(node)
        try:
            value = names.names_of(self.function.names, name)
        except KeyError:
            known = sorted({*self.assigned, *map(str, self.function.names)})
            close = difflib.get_close_matches(name[:40], known, 1)
            instead = f"did you mean {close[0]}?" if close else "assign it, or pass it"
            if names.dtype_of(Path(f"numba.{name}")) is not None:
                instead = f"from numba import {name}"
            raise self.not_typed(node, f"the name {name} is not known", instead) from None
        return self._global(node, value, name)

    def _global(self, node: ast.expr, value: Any, label: str) -> Typed:
        try:
            typed = names.meaning(value, label, self.program.function_of)
        except LookupError:
            if isinstance(value, np.ndarray):
                raise self.refused(node, f"{label}: {elements_refused(value.dtype)}") from None
            what = f"{label} is a {type(value).__name__}, which a kernel cannot use"
            raise self.refused(node, what, "numbers, tuples and arrays can be global") from None
        return self._static(typed)

    def held(self, node: ast.expr, holder: Any, name: str) -> Typed:
        """A member of a module or of an enumeration."""
        try:
            value = holder[name] if isinstance(holder, EnumMeta) else getattr(holder, name)
        except (AttributeError, KeyError):
            raise self.refused(node, f"{holder.__name__} has no {name}") from None
        return self._global(node, value, f"{holder.__name__}.{name}")

    def _member_value(self, node: ast.expr, base: Typed, enum: type[Enum]) -> Typed:
        if isinstance(base.type, Member) and base.type.whole:
            return Typed(INT64, base.evaluate)
        values = np.array([one.value for one in enum])
        if values.dtype not in SCALARS or values.ndim != 1:
            raise self.refused(node, f"the values of {enum.__name__} are not all numbers")
        return Typed(values.dtype, lambda frame, mask: values.take(base.evaluate(frame, mask)))

    def _static(self, typed: Typed) -> Typed:
        """A path that stands for a type, a number or a value of the machine's."""
        if not isinstance(typed.type, Path):
            return typed
        dtype = names.dtype_of(typed.type)
        if dtype is not None:
            return Typed(dtype)
        value = names.number_of(typed.type)
        if value is not None:
            return constant(value)
        special = SPECIAL.get(typed.type.name)
        return special() if special is not None else typed

    def _variable(self, node: ast.Name) -> Typed:
        name = node.id
        if self.env is None:  # nobody comes here
            return constant(0)
        kind = self.env.get(name)
        if kind is None:
            raise self.refused(node, f"{name} has no value yet", "assign it before")
        if isinstance(kind, Conflict):
            what = f"{name} is {described(kind.first)} on one way and {described(kind.second)}"
            raise self.not_typed(node, f"{what} on another", "take a name for each")
        if not is_value(kind):
            return Typed(kind)
        if isinstance(kind, Constant):
            return constant(kind.value)
        dtype, empty = number(kind), zero_of(kind)

        def read(frame: Frame, _mask: Any) -> Value:
            value = frame.values.get(name)
            if value is None:
                return empty
            if dtype is None:
                return as_type(value, kind)
            return value if value.dtype == dtype else converted(value, dtype)

        return Typed(kind, read)

    def _attribute(self, node: ast.Attribute) -> Typed:
        base = self.value(node.value)
        match base.type:
            case Path(name):
                return self._static(self._member(node, f"{name}.{node.attr}"))
            case Holder(value):
                return self.held(node, value, node.attr)
            case Member(enum) if node.attr == "value":
                return self._member_value(node, base, enum)
            case Array() as kind:
                return self.attribute_of_array(node, base, kind)
            case Tuple(names=fields) if node.attr in fields:
                return self.item(base, fields.index(node.attr))
            case Opaque(kind):
                return Typed(Path(f"{kind}.{node.attr}"))
            case DType(dtype) if node.attr in ("itemsize", "bitwidth"):
                size = dtype.itemsize * (8 if node.attr == "bitwidth" else 1)
                return constant(size)
            case np.dtype(kind="c") if node.attr in PARTS:
                return PARTS[node.attr](base)
            case other:
                raise self.refused(node, f"{described(other)} has no {node.attr} in a kernel")

    def _member(self, node: ast.Attribute, path: str) -> Typed:
        typed = Typed(Path(path))
        known = [*INTRINSICS, *SPECIAL]
        if (
            any(one == path or one.startswith(f"{path}.") for one in known)
            or names.dtype_of(Path(path)) is not None
            or names.number_of(Path(path)) is not None
            or path in ("cuda.types", "numba.types", "numba.cuda")
        ):
            return Typed(Path("cuda")) if path == "numba.cuda" else typed
        close = difflib.get_close_matches(path, known, 1, _ALIKE)
        instead = f"did you mean {close[0]}?" if close else instead_of(path)
        raise self.refused(node, f"{path} is not emulated", instead)

    def _call(self, node: ast.Call) -> Typed:
        if any(isinstance(one, ast.Starred) for one in node.args):
            return self._call(self._spread(node))
        if isinstance(node.func, ast.Attribute) and node.func.attr == "conjugate":
            return conjugate(self.number(node.func.value)[0])
        callee = self.value(node.func)
        match callee.type:
            case Path(name) if name in INTRINSICS:
                return INTRINSICS[name](self, node)
            case Path(name):
                raise self.refused(node, f"{name} cannot be called")
            case DType(dtype):
                return self._conversion(node, dtype)
            case Device(function):
                given = [self.value(one) for one in self.in_order(node, function)]
                return self.call(node, function, given)
            case other:
                raise self.refused(node, f"{described(other)} cannot be called")

    def _spread(self, node: ast.Call) -> ast.Call:
        """The same call, with each part of a tuple that has a star as an argument."""
        given: list[ast.expr] = []
        for one in node.args:
            if not isinstance(one, ast.Starred):
                given.append(one)
                continue
            kind = self.value(one.value).type
            if not isinstance(one.value, ast.Name) or not isinstance(kind, Tuple):
                raise self.refused(one, "* takes a tuple by its name", "assign it to a name before")
            for place in range(len(kind.items)):
                part = ast.Subscript(one.value, ast.Constant(place), ast.Load())
                given.append(ast.fix_missing_locations(ast.copy_location(part, one)))
        return ast.copy_location(ast.Call(node.func, given, node.keywords), node)

    def in_order(self, node: ast.Call, function: Any) -> list[ast.expr]:
        """The arguments of a call by place."""
        given = list(node.args)
        named = {one.arg or "": one.value for one in node.keywords}
        defaults = dict(
            zip(reversed(function.parameters), reversed(function.node.args.defaults), strict=False)
        )
        for name in function.parameters[len(given) :]:
            if name not in named and name not in defaults:
                raise self.refused(node, f"{function.name} needs {name}")
            given.append(named.pop(name) if name in named else defaults[name])
        if named or len(given) > len(function.parameters):
            raise self.refused(node, f"{function.name} takes {len(function.parameters)} arguments")
        return given

    def _conversion(self, node: ast.Call, dtype: Scalar) -> Typed:
        if len(node.args) != 1 or node.keywords:
            raise self.refused(node, f"{dtype.name}(…) takes one number")
        typed, _ = self.number(node.args[0])
        return Typed(dtype, self.narrowed(node, typed, dtype))
