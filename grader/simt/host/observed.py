"""Host arrays that report when they are read or written: pinned memory.

Slices are observed too. What NumPy makes of one is an ordinary array; `np.asarray` is not noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

PlainArray = NDArray[Any]
Touched = Callable[[PlainArray, bool], None]
"""Receives elements, and True if they are written."""
_LOOKING = (np.shape, np.ndim, np.size, np.empty_like, np.zeros_like, np.ones_like, np.full_like)
"""Functions that read no element."""
_READING = (
    *("__bool__", "__contains__", "__float__", "__format__", "__int__", "__iter__", "__repr__"),
    *("__str__", "argmax", "argmin", "argsort", "astype", "choose", "compress", "copy", "dot"),
    *("flatten", "item", "nonzero", "repeat", "searchsorted", "take", "tobytes", "tofile"),
    "tolist",
)


class ObservedArray(np.ndarray[Any, Any]):
    """An array that reports each access to it."""

    touched: Touched | None = None

    def __array_finalize__(self, obj: Any) -> None:
        """Observe a view of an observed array as well."""
        self.touched = getattr(obj, "touched", None)

    def unobserved(self) -> PlainArray:
        """Return the same memory, not observed."""
        return self.view(np.ndarray)

    def tell(self, part: Any, *, written: bool) -> None:
        """Report that elements are read or written."""
        if self.touched is not None:
            self.touched(part, written)

    def __getitem__(self, key: Any) -> Any:
        part = self.unobserved()[key]
        if not isinstance(part, np.ndarray):
            return self._observe_element(key, part)
        if np.may_share_memory(part, self.unobserved()):
            found = part.view(ObservedArray)
            found.touched = self.touched
            return found
        self.tell(self.unobserved(), written=False)
        return part

    def _observe_element(self, key: Any, value: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        at = tuple(slice(part, part + 1 or None) if part is not Ellipsis else part for part in keys)
        self.tell(self.unobserved()[at], written=False)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        part = self.unobserved()[key]
        own = isinstance(part, np.ndarray) and np.may_share_memory(part, self.unobserved())
        self.tell(part if own else self.unobserved(), written=True)
        self.unobserved()[key] = _read(value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Report the operands of arithmetic as read and `out` as written."""
        out = options.pop("out", ())
        if method == "at":
            _write(inputs[0])
        given = [_read(value) for value in inputs]
        if out:
            options["out"] = tuple(_write(array) for array in out)
        found = getattr(ufunc, method)(*given, **{k: _read(v) for k, v in options.items()})
        return out[0] if len(out) == 1 else found

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Report all arguments of a NumPy function as read."""
        take = _unwrap if func in _LOOKING else _read
        return func(
            *[take(argument) for argument in args], **{k: take(v) for k, v in kwargs.items()}
        )


def _observe_reads(name: str) -> Callable[..., Any]:
    def method(self: ObservedArray, *args: Any, **kwargs: Any) -> Any:
        self.tell(self.unobserved(), written=False)
        return getattr(self.unobserved(), name)(*map(_read, args), **kwargs)

    return method


for _name in _READING:
    setattr(ObservedArray, _name, _observe_reads(_name))


def _unwrap(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(map(_unwrap, value))
    return value.unobserved() if isinstance(value, ObservedArray) else value


def _read(value: Any) -> Any:
    if isinstance(value, (tuple, list)) and any(isinstance(part, ObservedArray) for part in value):
        return type(value)(map(_read, value))
    if not isinstance(value, ObservedArray):
        return value
    value.tell(value.unobserved(), written=False)
    return value.unobserved()


def _write(value: Any) -> Any:
    if not isinstance(value, ObservedArray):
        return value
    value.tell(value.unobserved(), written=True)
    return value.unobserved()


def observe(array: PlainArray, touched: Touched) -> ObservedArray:
    """Return a view of an array whose accesses are reported."""
    found = array.view(ObservedArray)
    found.touched = touched
    return found


def unwrap(array: Any) -> Any:
    """Return an array without observation."""
    return array.unobserved() if isinstance(array, ObservedArray) else array
