"""Explicit signatures of `cuda.jit`: what they ask of arguments, and numbers made to fit.

A signature is a text, Numba's object or the stand-in's, or a tuple of types; a list holds several.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.simt.types import NAMES, Scalar


class Wanted(NamedTuple):
    """What a parameter takes; `dtype` is None for what is not checked."""

    dtype: Scalar | None
    ndim: int


Signature = tuple[Wanted, ...]


def signatures(given: Any) -> list[Signature]:
    """Those that `cuda.jit` was given."""
    if given is None:
        return []
    many = given if isinstance(given, list) else [given]
    return [_read(one) for one in many]


def fitted(known: Sequence[Signature], name: str, arguments: Sequence[Any]) -> list[Any]:
    """The arguments, numbers as the signature has them.

    Raises:
        TypeError: no signature takes them.
    """
    if not known:
        return list(arguments)
    for signature in known:
        if len(signature) == len(arguments) and all(map(_takes, signature, arguments)):
            return [_as(one, value) for one, value in zip(signature, arguments, strict=True)]
    shown = ", ".join(map(_described, arguments))
    raise TypeError(f"no signature of {name} takes ({shown})")


def _takes(wanted: Wanted, value: Any) -> bool:
    array = isinstance(value, np.ndarray)
    if wanted.dtype is None:
        return True
    if not array:
        return wanted.ndim == 0 and np.isscalar(value)
    return bool(wanted.ndim == value.ndim and wanted.dtype == value.dtype)


def _as(wanted: Wanted, value: Any) -> Any:
    if wanted.dtype is None or wanted.ndim or isinstance(value, np.ndarray):
        return value
    return np.array(value).astype(wanted.dtype)[()]


def _described(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[{', '.join(':' * value.ndim)}]"
    return type(value).__name__


def _read(given: Any) -> Signature:
    if isinstance(given, str):
        return _of_text(given)
    args = given if isinstance(given, tuple) else getattr(given, "args", None)
    if args is None:
        raise TypeError(f"{given!r} is no signature of a kernel")
    return tuple(map(_wanted, args))


def _wanted(kind: Any) -> Wanted:
    """What a type object stands for, ours or Numba's."""
    inner = getattr(kind, "dtype", kind)
    ndim = int(getattr(kind, "ndim", 0) or 0)
    dtype = inner if isinstance(inner, np.dtype) else NAMES.get(str(inner))
    return Wanted(dtype, ndim)


def _of_text(text: str) -> Signature:
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise TypeError(f"{text!r} is no signature") from None
    match tree:
        case ast.Call(args=parts) | ast.Tuple(elts=parts):
            return tuple(map(_of_node, parts))
        case _:
            return (_of_node(tree),)


def _of_node(node: ast.expr) -> Wanted:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return Wanted(NAMES.get(name), 0)
        case ast.Subscript(value=base, slice=ast.Tuple(elts=axes)):
            return Wanted(_of_node(base).dtype, len(axes))
        case ast.Subscript(value=base):
            return Wanted(_of_node(base).dtype, 1)
        case _:
            return Wanted(None, 0)
