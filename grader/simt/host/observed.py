"""Host arrays that report when they are read or written: pinned memory.

Slices are observed too. What NumPy makes of one is an ordinary array; `np.asarray` is not noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Plain = NDArray[Any]
Touched = Callable[[Plain, bool], None]
"""Receives elements, and True if they are written."""
_LOOKING = (np.shape, np.ndim, np.size, np.empty_like, np.zeros_like, np.ones_like, np.full_like)
"""Functions that read no element."""
_READING = (
    *("__bool__", "__contains__", "__float__", "__format__", "__int__", "__iter__", "__repr__"),
    *("__str__", "argmax", "argmin", "argsort", "astype", "choose", "compress", "copy", "dot"),
    *("flatten", "item", "nonzero", "repeat", "searchsorted", "take", "tobytes", "tofile"),
    "tolist",
)


class Observed(np.ndarray[Any, Any]):
    """An array that reports each access to it."""

    touched: Touched | None = None

    def __array_finalize__(self, obj: Any) -> None:
        """Observe a view of an observed array as well."""
        self.touched = getattr(obj, "touched", None)

    def plain(self) -> Plain:
        """Return the same memory, not observed."""
        return self.view(np.ndarray)

    def tell(self, part: Any, *, written: bool) -> None:
        """Report that elements are read or written."""
        if self.touched is not None:
            self.touched(part, written)

    def __getitem__(self, key: Any) -> Any:
        part = self.plain()[key]
        if not isinstance(part, np.ndarray):
            return self._one(key, part)
        if np.may_share_memory(part, self.plain()):
            found = part.view(Observed)
            found.touched = self.touched
            return found
        self.tell(self.plain(), written=False)
        return part

    def _one(self, key: Any, value: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        at = tuple(slice(one, one + 1 or None) if one is not Ellipsis else one for one in keys)
        self.tell(self.plain()[at], written=False)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        part = self.plain()[key]
        own = isinstance(part, np.ndarray) and np.may_share_memory(part, self.plain())
        self.tell(part if own else self.plain(), written=True)
        self.plain()[key] = _read(value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Report the operands of arithmetic as read and `out` as written."""
        out = options.pop("out", ())
        if method == "at":
            _write(inputs[0])
        given = [_read(one) for one in inputs]
        if out:
            options["out"] = tuple(_write(one) for one in out)
        found = getattr(ufunc, method)(*given, **{k: _read(v) for k, v in options.items()})
        return out[0] if len(out) == 1 else found

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Report all arguments of a NumPy function as read."""
        take = _bare if func in _LOOKING else _read
        return func(*[take(one) for one in args], **{k: take(v) for k, v in kwargs.items()})


def _reading(name: str) -> Callable[..., Any]:
    def method(self: Observed, *args: Any, **kwargs: Any) -> Any:
        self.tell(self.plain(), written=False)
        return getattr(self.plain(), name)(*map(_read, args), **kwargs)

    return method


for _name in _READING:
    setattr(Observed, _name, _reading(_name))


def _bare(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(map(_bare, value))
    return value.plain() if isinstance(value, Observed) else value


def _read(value: Any) -> Any:
    if isinstance(value, (tuple, list)) and any(isinstance(one, Observed) for one in value):
        return type(value)(map(_read, value))
    if not isinstance(value, Observed):
        return value
    value.tell(value.plain(), written=False)
    return value.plain()


def _write(value: Any) -> Any:
    if not isinstance(value, Observed):
        return value
    value.tell(value.plain(), written=True)
    return value.plain()


def observed(array: Plain, touched: Touched) -> Observed:
    """Return a view of an array whose accesses are reported."""
    found = array.view(Observed)
    found.touched = touched
    return found


def bare(array: Any) -> Any:
    """Return an array without observation."""
    return array.plain() if isinstance(array, Observed) else array
