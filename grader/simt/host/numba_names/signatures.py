"""Explicit signatures of `cuda.jit`: what they require of arguments, and conversions of numbers.

A signature is a text, Numba's object or the stand-in's, or a tuple of types; a list holds several.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.simt.errors import InvalidLaunch
from grader.simt.host.numba_names.scalar_types import record_dtype
from grader.simt.launches.arguments import type_of
from grader.simt.numba.reading.source import ExplicitSignature
from grader.simt.numba.reading.typing_rules import EXACT, UNSAFE, rank, rating
from grader.simt.program.types import NAMES, Array, RecordType, Scalar, Type, number


class SignatureType(NamedTuple):
    """The type that a parameter takes; a `dtype` of None is not checked."""

    dtype: Scalar | None
    ndim: int


Signature = tuple[SignatureType, ...]


def signatures(given: Any) -> list[Signature]:
    """Read the signatures that `cuda.jit` was given."""
    if given is None:
        return []
    many = given if isinstance(given, list) else [given]
    return [_read(signature) for signature in many]


def types_of(signature: Signature) -> list[Type] | None:
    """Return the types of its arguments; None unless they are numbers and arrays."""
    if any(parameter.dtype is None for parameter in signature):
        return None
    return [_type(parameter) for parameter in signature]


def _type(wanted: SignatureType) -> Type:
    assert wanted.dtype is not None
    if wanted.ndim:
        return Array(wanted.dtype, wanted.ndim, "global")
    return RecordType(wanted.dtype, "global") if wanted.dtype.names else wanted.dtype


def keys(given: Any) -> list[Any]:
    """Return the key of each signature: its text, or the types of its parameters."""
    many = given if isinstance(given, list) else [given]
    return [getattr(signature, "args", signature) for signature in many if signature is not None]


def explicit(given: Any) -> list[ExplicitSignature]:
    """Read the signatures of a device function, with its result."""
    many = given if isinstance(given, list) else [given]
    return [
        ExplicitSignature(_result(signature), _numbers(_read(signature)))
        for signature in many
        if signature is not None
    ]


def _numbers(signature: Signature) -> tuple[Scalar | None, ...]:
    return tuple(None if parameter.ndim else parameter.dtype for parameter in signature)


def _result(given: Any) -> Scalar | None:
    """Return the result type of a signature; None if it is not a number."""
    if not isinstance(given, str):
        kind = getattr(given, "return_type", None)
        return None if kind is None else _read_type(kind).dtype
    tree = ast.parse(given.strip(), mode="eval").body
    return _of_node(tree.func).dtype if isinstance(tree, ast.Call) else None


def fit_arguments(known: Sequence[Signature], name: str, arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments, with numbers converted as the signature requires.

    Raises:
        TypeError: no signature takes them, or several do equally well.
    """
    if not known:
        return list(arguments)
    given = [_observed_type(argument) for argument in arguments]
    rated = [(_rating(signature, given), signature) for signature in known]
    fitting = [(rating, signature) for rating, signature in rated if rating is not None]
    if not fitting:
        shown = ", ".join(map(_describe, arguments))
        raise TypeError(f"No matching definition: no signature of {name} takes ({shown})")
    least, best = min(fitting, key=lambda pair: pair[0])
    if len({signature for rating, signature in fitting if rating == least}) > 1:
        shown = ", ".join(map(_describe, arguments))
        raise TypeError(f"Ambiguous overloading for {name} ({shown})")
    return [_convert(parameter, value) for parameter, value in zip(best, arguments, strict=True)]


def _observed_type(value: Any) -> SignatureType:
    """Return the type of an argument."""
    if isinstance(value, np.ndarray):
        return SignatureType(value.dtype, value.ndim)
    try:
        kind = type_of(value)
    except InvalidLaunch:
        return SignatureType(None, 0)
    return SignatureType(kind.dtype if isinstance(kind, RecordType) else number(kind), 0)


def _rating(signature: Signature, given: Sequence[SignatureType]) -> tuple[int, ...] | None:
    """Rate the conversions, the worst ones first; None if they are impossible."""
    if len(signature) != len(given):
        return None
    ranks = list(map(_rank, signature, given))
    return None if max(ranks, default=EXACT) > UNSAFE else rating(ranks)


def _rank(wanted: SignatureType, given: SignatureType) -> int:
    if wanted.dtype is None:
        return EXACT
    if given.dtype is None:  # before any comparison: NumPy takes None for float64
        return UNSAFE + 1
    if wanted == given:
        return EXACT
    return UNSAFE + 1 if wanted.ndim or given.ndim else rank(given.dtype, wanted.dtype)


def _convert(wanted: SignatureType, value: Any) -> Any:
    if wanted.dtype is None or wanted.ndim or isinstance(value, (np.ndarray, np.void)):
        return value
    return np.array(value).astype(wanted.dtype)[()]


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{', '.join(':' * value.ndim)}]"
    return type(value).__name__


def _read(given: Any) -> Signature:
    if isinstance(given, str):
        return _of_text(given)
    args = given if isinstance(given, tuple) else getattr(given, "args", None)
    if args is None:
        raise TypeError(f"{given!r} is not a signature of a kernel")
    return tuple(map(_read_type, args))


def _read_type(kind: Any) -> SignatureType:
    """Return what a type object stands for, ours or Numba's."""
    ndim = int(getattr(kind, "ndim", 0) or 0)
    inner = kind.dtype if hasattr(kind, "ndim") else kind  # a tuple's type has a dtype too
    record = record_dtype(inner)
    dtype = inner if isinstance(inner, np.dtype) else record or NAMES.get(str(inner))
    return SignatureType(dtype, ndim)


def _of_text(text: str) -> Signature:
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise TypeError(f"{text!r} is not a signature") from None
    match tree:
        case ast.Call(args=parts) | ast.Tuple(elts=parts):
            return tuple(map(_of_node, parts))
        case _:
            return (_of_node(tree),)


def _of_node(node: ast.expr) -> SignatureType:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return SignatureType(NAMES.get(name), 0)
        case ast.Subscript(value=base, slice=ast.Tuple(elts=axes)):
            return SignatureType(_of_node(base).dtype, len(axes))
        case ast.Subscript(value=base):
            return SignatureType(_of_node(base).dtype, 1)
        case _:
            return SignatureType(None, 0)
