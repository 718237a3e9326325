"""Arrays on a device that is not there: copies, slices, and which elements anybody wrote.

An element of a `device_array` that is read back and that nobody wrote is told to `History`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import mul
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from grader.simt.host.scalar_types import dtype_of


class Told(Protocol):
    """Is told of elements that the host took back and nobody wrote."""

    def __call__(self, missing: int, size: int, first: tuple[int, ...], address: int) -> None:
        """How many of how many, and the first of them: index, and byte from the first element."""


class History:
    """The memory behind device arrays: whom to tell of elements that were never written.

    Attributes:
        told: of the launch that ought to have written them; None before any.
    """

    def __init__(self) -> None:
        self.told: Told | None = None


class DeviceArray:
    """What `to_device` and `device_array` give.

    Attributes:
        base: its elements.
        written: which of them somebody wrote; None: all.
    """

    def __init__(
        self,
        base: NDArray[Any],
        written: NDArray[np.bool_] | None = None,
        history: History | None = None,
    ) -> None:
        self.base = base
        self.written = written
        self.history = history or History()

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes."""
        return self.base.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, by axis."""
        return self.base.strides

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of its elements."""
        return self.base.dtype

    @property
    def size(self) -> int:
        """How many elements."""
        return self.base.size

    @property
    def flags(self) -> Any:
        """How its elements lie: NumPy's own."""
        return self.base.flags

    @property
    def ndim(self) -> int:
        """How many axes."""
        return self.base.ndim

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.base.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.base.nbytes

    alloc_size = nbytes

    @property
    def T(self) -> DeviceArray:  # noqa: N802 - NumPy's name
        """Its transpose, see `transpose`."""
        return self.transpose()

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name} of a device array is not emulated")

    def __len__(self) -> int:
        return len(self.base)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        """What NumPy makes of it: a copy on the host."""
        found = self.copy_to_host()
        return found if dtype is None else found.astype(dtype)

    def __getitem__(self, index: Any) -> Any:
        part = self._seen(lambda one: one[index])
        return part if isinstance(part.base, np.ndarray) else self._element(part)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.base[index] = value.base if isinstance(value, DeviceArray) else value
        if self.written is not None:
            self.written[index] = _written_of(value)

    setitem = __setitem__
    getitem = __getitem__

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> NDArray[Any]:  # noqa: ARG002
        """Its elements, in a new array or in one that is given.

        Raises:
            ValueError, TypeError: that one is of another shape or type.
            NotImplementedError: its elements lie backwards, as with Numba.
        """
        if any(one < 0 for one in self.strides):
            raise NotImplementedError(
                f"D->H copy not implemented for negative strides: {self.strides}"
            )
        self._tell()
        if ary is None:
            return self.base.copy(order="K")
        self._see_that_it_fits(ary)
        ary[...] = self.base
        return ary  # type: ignore[no-any-return]

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:  # noqa: ARG002
        """Take over the elements of an array, of the host or of a device."""
        given = ary if isinstance(ary, DeviceArray) else np.asarray(ary)
        self._see_that_it_fits(given)
        self[...] = given

    def is_c_contiguous(self) -> bool:
        """Whether its rows lie one after another."""
        return bool(self.base.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        """Whether its columns lie one after another."""
        return bool(self.base.flags.f_contiguous)

    def reshape(self, *shape: Any, **options: Any) -> DeviceArray:
        """The same elements in another shape."""
        return self._seen(lambda one: one.reshape(*shape, **options))

    def ravel(self, order: Any = "C", stream: Any = 0) -> DeviceArray:  # noqa: ARG002
        """The same elements in one row."""
        return self._seen(lambda one: one.reshape(-1, order=order))

    def transpose(self, axes: Any = None) -> DeviceArray:
        """Its two axes exchanged: a copy in row order, as Numba makes it on the device.

        Raises:
            NotImplementedError: it has more or fewer axes, as with Numba.
            ValueError: these are not its axes.
        """
        if axes and tuple(axes) == tuple(range(self.ndim)):
            return self
        if self.ndim != 2:  # noqa: PLR2004
            raise NotImplementedError("transposing a non-2D DeviceNDArray isn't supported")
        if axes is not None and set(axes) != {0, 1}:
            raise ValueError(f"invalid axes list {axes!r}")
        return self._seen(lambda one: one.T.copy())

    def squeeze(self, axis: Any = None, stream: Any = 0) -> DeviceArray:  # noqa: ARG002
        """Without axes of one element."""
        return self._seen(lambda one: one.squeeze(axis))

    def view(self, dtype: Any) -> DeviceArray:
        """Its bytes as another type."""
        seen = self.base.view(dtype_of(dtype))
        if self.written is None or seen.shape == self.base.shape:
            return DeviceArray(seen, self.written, self.history)
        self.written[...] = True  # elements of another size: no longer known
        return DeviceArray(seen, None, self.history)

    def split(self, section: int, stream: Any = 0) -> Iterator[DeviceArray]:  # noqa: ARG002
        """Parts of so many elements."""
        for first in range(0, self.size, section):
            yield self[first : first + section]

    def bind(self, stream: Any = 0) -> DeviceArray:  # noqa: ARG002
        """Itself: all streams are one."""
        return self

    def _seen(self, how: Callable[[NDArray[Any]], Any]) -> DeviceArray:
        written = None if self.written is None else how(self.written)
        return DeviceArray(how(self.base), written, self.history)

    def _element(self, part: DeviceArray) -> Any:
        part._tell()
        return part.base

    def _tell(self) -> None:
        """Report what nobody wrote and is now taken back."""
        if self.written is None or self.history.told is None:
            return
        missing = np.argwhere(~np.asarray(self.written))
        if len(missing):
            first = tuple(int(one) for one in missing[0])
            address = sum(map(mul, first, self.strides))
            self.history.told(len(missing), max(1, self.size), first, address)

    def _see_that_it_fits(self, other: Any) -> None:
        if tuple(other.shape) != self.shape:
            raise ValueError(f"incompatible shape: {tuple(other.shape)} vs. {self.shape}")
        if other.dtype != self.dtype:
            raise TypeError(f"incompatible dtype: {other.dtype} vs. {self.dtype}")


class MappedArray(np.ndarray[Any, Any]):
    """Memory that host and device see both: `mapped_array`, `managed_array`."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name} of a mapped array is not emulated")

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> NDArray[Any]:  # noqa: ARG002
        """A copy of it."""
        if ary is None:
            return np.array(self)
        ary[...] = self
        return ary  # type: ignore[no-any-return]

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:  # noqa: ARG002
        """Take over the elements of another array."""
        self[...] = np.asarray(ary)


def _written_of(value: Any) -> Any:
    if isinstance(value, DeviceArray) and value.written is not None:
        return value.written
    return True


def see_that_it_is_whole(array: NDArray[Any]) -> None:
    """See that its elements lie one after another, as Numba wants them.

    Raises:
        ValueError: they do not.
    """
    if array.size == 0:
        return
    bare = array[tuple(slice(None) if stride else 0 for stride in array.strides)]  # not broadcast
    if not (bare.flags.c_contiguous or bare.flags.f_contiguous):
        raise ValueError(
            "the array's elements do not lie one after another; np.ascontiguousarray(…) copies it"
        )


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> DeviceArray:  # noqa: ARG001, FBT001, FBT002
    """A copy of an array on the device."""
    if isinstance(obj, DeviceArray):
        return obj
    if to is not None:
        to.copy_to_device(obj)
        return to  # type: ignore[no-any-return]
    array = np.asarray(obj)
    see_that_it_is_whole(array)
    return DeviceArray(array.copy(order="K")) if copy else _nothing_in(array.shape, array.dtype)


def device_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Any = None,
    order: Any = "C",
    stream: Any = 0,  # noqa: ARG001
) -> DeviceArray:
    """Memory that nobody wrote yet; it holds zeros, which a real device does not promise."""
    _refuse_strides(strides)
    return _nothing_in(shape, dtype_of(dtype), order)


def device_array_like(ary: Any, stream: Any = 0) -> DeviceArray:  # noqa: ARG001
    """Memory for as much as another array holds."""
    base = _alike(ary)
    return DeviceArray(base, np.zeros_like(base, np.bool_))


def host_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Any = None,
    order: Any = "C",
    **_options: Any,
) -> NDArray[Any]:
    """`pinned_array`: memory of the host."""
    _refuse_strides(strides)
    return np.zeros(shape, dtype_of(dtype), order=order)


def host_array_like(ary: Any, **_options: Any) -> NDArray[Any]:
    """`pinned_array_like`."""
    return _alike(ary)


def mapped_array(
    shape: Any,
    dtype: Any = np.float64,
    strides: Any = None,
    order: Any = "C",
    **_options: Any,
) -> MappedArray:
    """Memory that both sides see."""
    _refuse_strides(strides)
    return np.zeros(shape, dtype_of(dtype), order=order).view(MappedArray)


def mapped_array_like(ary: Any, **_options: Any) -> MappedArray:
    """As much of it as another array holds."""
    return _alike(ary).view(MappedArray)


def _alike(ary: Any) -> NDArray[Any]:
    """Zeros, one after another, their axes in the same order as in another array."""
    return np.zeros_like(ary.base if isinstance(ary, DeviceArray) else ary, subok=False)


def _refuse_strides(strides: Any) -> None:
    if strides is not None:
        raise NotImplementedError("arrays with strides of their own are not emulated; give order=")


def _nothing_in(shape: Any, dtype: Any, order: Any = "C") -> DeviceArray:
    return DeviceArray(np.zeros(shape, dtype, order=order), np.zeros(shape, np.bool_, order=order))
