"""Names that are global to a kernel, and members of what they name."""

from __future__ import annotations

import ast
from enum import EnumMeta
from types import FunctionType
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.numba import names
from grader.simt.numba.reading.paths import NONES, dtype_of, number_of
from grader.simt.numba.refused import refuse_elements
from grader.simt.numba.typed import constant
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression, Static
from grader.simt.program.types import NamePath, Nothing


def compile_global(unit: Unit, node: ast.expr, value: Any, label: str) -> Expression:
    """Compile a name that stands for a Python object, or for what it is in a kernel.

    Raises:
        Refused: a kernel cannot use it.
    """
    try:
        typed = names.interpret(value, label, unit.program.function_of)
    except LookupError:
        if isinstance(value, np.ndarray):
            what, instead = refuse_elements(value.dtype)
            what = fact("python.global-array", name=label, reason=what)
            raise unit.refusal(node, what, instead) from None
        if isinstance(value, FunctionType):
            raise unit.typing_error(node, fact("python.plain-function", name=label)) from None
        if hasattr(value, "__cuda_array_interface__"):
            raise unit.refusal(node, fact("not-emulated.captured-array", name=label)) from None
        what = fact("python.global-type", name=label, type=type(value).__name__)
        raise unit.refusal(node, what) from None
    return resolve(unit, typed)


def compile_held(unit: Unit, node: ast.expr, holder: Any, name: str) -> Expression:
    """Compile a member of a module, of an enumeration, or of the limits of a type."""
    label = getattr(holder, "__name__", type(holder).__name__)
    try:
        value = holder[name] if isinstance(holder, EnumMeta) else getattr(holder, name)
    except (AttributeError, KeyError):
        raise unit.refusal(node, fact("python.no-member", holder=label, name=name)) from None
    return compile_global(unit, node, value, f"{label}.{name}")


def resolve(unit: Unit, typed: Expression) -> Expression:
    """Resolve a path that stands for a type, a number or a special value such as `laneid`."""
    if not isinstance(typed.type, NamePath):
        return typed
    dtype = dtype_of(typed.type)
    if dtype is not None:
        return Static(dtype)
    if typed.type in NONES:
        return Static(Nothing())
    value = number_of(typed.type)
    if value is not None:
        return constant(value)
    special = unit.forms.values.get(typed.type.name)
    return special() if special is not None else typed
