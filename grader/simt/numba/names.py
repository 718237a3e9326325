"""What a name that is global to a kernel means: a number, an array, a type, a function, a module.

Numba is not imported: its objects are known by their modules and names.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from enum import Enum, EnumMeta
from types import BuiltinFunctionType, ModuleType
from typing import Any

import numpy as np

from grader.simt.numba.reading.source import Function, of_function
from grader.simt.numba.typed import constant, member
from grader.simt.program import nodes
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import Expression, Static
from grader.simt.program.types import (
    NAMES,
    SCALARS,
    Array,
    DeviceFunction,
    DType,
    NamedTupleClass,
    NamePath,
    Namespace,
    Nothing,
    Text,
    Tuple,
)

_MODULES = {
    "numba": "numba",
    "numba.cuda": "cuda",
    "numba.types": "numba.types",
    "numba.core.types": "numba.types",
    "numba.cuda.types": "cuda.types",
    "numba.cuda.libdevice": "cuda.libdevice",
    "numba.cuda.random": "cuda.random",
    "numba.cuda.bf16": "cuda.bf16",
    "numba.cuda.simulator": "cuda",
    "numpy": "np",
    "math": "math",
    "cmath": "cmath",
    "operator": "operator",
    "builtins": "builtins",
}
"""What modules are called here, by their own names."""

_C_MODULES = ("math", "cmath", "_operator")
_BUILTINS = (
    *("range", "len", "min", "max", "abs", "int", "float", "bool", "round", "pow", "divmod"),
    *("print", "enumerate", "zip", "tuple", "sum", "slice", "complex", "type", "isinstance"),
)
_BY_VALUE = {id(getattr(builtins, name)): name for name in _BUILTINS}


def interpret(
    value: Any, label: str, function_of: Callable[[Any], Function] | None = None
) -> Expression:
    """Interpret a global.

    Args:
        value: a Python object, or already one of our types.
        label: what the source calls it.
        function_of: how to read a function; `source.of_function` if not given.

    Raises:
        LookupError: it is nothing that a kernel can use.
    """
    simple = _simple(value)
    if simple is not None:
        return simple
    if isinstance(value, tuple):
        parts = [interpret(item, label) for item in value]
        kind = Tuple(tuple(part.type for part in parts), getattr(value, "_fields", ()))
        return nodes.Pack(kind, tuple(parts))
    if isinstance(value, np.ndarray) and (value.dtype in SCALARS or value.dtype.names):
        return _array(value, label)
    if isinstance(value, Function):
        return Static(DeviceFunction(value))
    if isinstance(value, EnumMeta):
        return Static(Namespace(value))
    if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        return Static(NamedTupleClass(value))
    path = path_of(value)
    if path is not None:
        return Static(path)
    if isinstance(value, ModuleType):
        return Static(Namespace(value))
    # Numba compiles no function of the CPU's for a kernel that was given signatures.
    if hasattr(value, "py_func") and getattr(value, "_can_compile", True):
        return Static(DeviceFunction((function_of or of_function)(value)))
    raise LookupError


def _simple(value: Any) -> Expression | None:
    """Interpret a number, None, a string or a type."""
    match value:
        case Enum():
            return member(value)
        case bool() | int() | float() | complex():
            return constant(value)
        case np.generic() if value.dtype in NAMES.values():
            return constant(value.item(), value.dtype)
        case None:
            return Static(Nothing())
        case str():
            return Static(Text(value))
        case NamePath() | DType():
            return Static(value)
        case np.dtype() if value in NAMES.values() or value.names:
            return Static(DType(value))
        case _ if _is_record(value):
            return Static(DType(value.dtype))
        case type() if issubclass(value, np.generic):
            dtype = np.dtype(value)
            return Static(DType(dtype)) if dtype in NAMES.values() else None
        case _:
            return None


def _is_record(value: Any) -> bool:
    """Return True for what `from_dtype` makes of a structured dtype."""
    return type(value).__name__ == "Record" and isinstance(value.dtype, np.dtype)


def path_of(value: Any) -> NamePath | None:
    """Return the dotted name of an object of a known library, or None."""
    path = getattr(value, "__simt_path__", None)
    if isinstance(path, str):
        return NamePath(path)
    if id(value) in _BY_VALUE:
        return NamePath(f"builtins.{_BY_VALUE[id(value)]}")
    if isinstance(value, ModuleType):
        name = _MODULES.get(value.__name__)
        return None if name is None else NamePath(name)
    if isinstance(value, np.ufunc) or getattr(value, "__module__", None) == "numpy":
        return NamePath(f"np.{value.__name__}")
    if isinstance(value, BuiltinFunctionType) and value.__module__ in _C_MODULES:
        return NamePath(f"{value.__module__.lstrip('_')}.{value.__name__}")
    module = type(value).__module__ if not hasattr(value, "__module__") else value.__module__
    if isinstance(module, str) and module.split(".")[0] in ("numba", "numba_cuda"):
        return _of_numba(value)
    return None


def _of_numba(value: Any) -> NamePath | None:
    """Return the path of a type of Numba's, or of a name of `numba.cuda` imported by itself."""
    if _MODULES.get(getattr(value, "__module__", "")) == "cuda.random":
        return NamePath(f"cuda.random.{value.__name__}")
    if hasattr(value, "bitwidth") or str(value) in ("boolean", "bool"):
        return NamePath(f"numba.types.{value}")
    name = getattr(value, "__qualname__", None) or getattr(value, "_name", None)
    if name is None and hasattr(value, "_defn"):  # an intrinsic
        name = value._defn.__name__  # noqa: SLF001
    if name is None or hasattr(value, "py_func"):
        return None
    return NamePath(f"cuda.{name}")


def _array(value: np.ndarray[Any, Any], label: str) -> Expression:
    """Make a global array part of the program: constants, row-major, as they are now."""
    declared = DeclaredArray(label, value.dtype, value.shape, data=np.array(value, order="C"))
    return nodes.Memory(Array(value.dtype, value.ndim, "constant", writable=False), declared)


def look_up(values: Mapping[str, Any], name: str) -> Any:
    """Look up a global or a builtin by its name.

    Raises:
        KeyError: it does not exist.
    """
    if name in values:
        return values[name]
    if name in _BUILTINS:
        return NamePath(f"builtins.{name}")
    raise KeyError(name)
