"""Arrays on an emulated device: copies, slices, and which elements were written.

An unwritten element of a `device_array` that is copied back is reported to `History`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from operator import attrgetter, mul
from typing import Any, NoReturn, Protocol
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.host.numba_names.scalar_types import dtype_of
from grader.simt.host.observed import ObservedArray, observe, unwrap
from grader.simt.host.streams import DEFAULT_STREAM, TIMELINE, Stream, StreamAccess, stream_of
from grader.simt.launches.arguments import span_of
from grader.simt.memory.written import WrittenBytes


class UnwrittenReport(Protocol):
    """Receives the elements that the host copied back and no kernel wrote."""

    def __call__(
        self, missing: int, size: int, first: tuple[int, ...], address: int, *, read: bool
    ) -> None:
        """Report how many of how many are missing, and the index and byte offset of the first.

        `read`: the host reads one of them, or may do so unnoticed.
        """


class History:
    """The memory behind device arrays, and what receives reports of unwritten elements.

    Attributes:
        base, written: of the array as it was allocated, see `EmulatedArray`.
        report: of the launch that ought to have written them; None before any launch.
    """

    def __init__(self, base: NDArray[Any], written: NDArray[np.bool_] | None) -> None:
        self.base = base
        self.written = written
        self.report: UnwrittenReport | None = None
        ALLOCATIONS.add(self)


NOT_CONTIGUOUS = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. "
    "Please ensure contiguous buffer with numpy .ascontiguousarray()"
)
"""What Numba says."""
ALLOCATIONS: WeakSet[History] = WeakSet()
"""All memory of the device that is in use."""


def _of_base(name: str) -> Any:
    """Make a property that an array on the device has as the NumPy array of its elements has it."""
    return property(attrgetter(f"base.{name}"))


class EmulatedArray:
    """An array on the emulated device, as `to_device` and `device_array` return it.

    Attributes:
        written: which elements were written; None for all.
        stream: the stream of its copies where no other is given.
    """

    def __init__(
        self,
        base: NDArray[Any],
        written: NDArray[np.bool_] | None = None,
        history: History | None = None,
        stream: Any = DEFAULT_STREAM,
    ) -> None:
        self.base = base
        self.stream = stream_of(stream)
        self.written = written
        self.history = history or History(base, written)

    def written_bytes(self) -> WrittenBytes | None:
        """Return which bytes of its memory were written; None for all."""
        owner = self.history if np.may_share_memory(self.base, self.history.base) else self
        if owner.written is None or owner.written.all():
            return None
        start, _ = span_of(owner.base)
        flat = owner.written.ravel(order="K")
        return WrittenBytes.of_elements(start, flat, owner.base.itemsize)

    shape: tuple[int, ...] = _of_base("shape")
    strides: tuple[int, ...] = _of_base("strides")
    dtype: np.dtype[Any] = _of_base("dtype")
    size: int = _of_base("size")
    flags: Any = _of_base("flags")
    ndim: int = _of_base("ndim")
    itemsize: int = _of_base("itemsize")
    nbytes: int = _of_base("nbytes")
    alloc_size = nbytes

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """What other libraries read; `interface.as_cuda_array` takes it back."""
        own = self.base.__array_interface__
        address, read_only = own["data"]
        return {
            **{key: own[key] for key in ("shape", "strides", "typestr")},
            "data": (address if self.size else 0, read_only),
            "stream": self.stream.handle or None,
            "version": 3,
        }

    @property
    def T(self) -> EmulatedArray:  # noqa: N802 - NumPy's name
        """The transpose, see `transpose`."""
        return self.transpose()

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(fact("not-emulated.of-device-array", name=name))

    def __len__(self) -> int:
        return len(self.base)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Convert it to a NumPy array: a copy on the host.

        Raises:
            ValueError: there is to be no copy, as with Numba.
        """
        if copy is False:
            raise ValueError("`copy=False` is not supported. A copy is always created.")
        found: NDArray[Any] = unwrap(self.copy_to_host())
        self._tell(read=True)
        return found if dtype is None else found.astype(dtype)

    def __getitem__(self, index: Any) -> Any:
        part = self._wrap_part(lambda array: array[index])
        return part if isinstance(part.base, np.ndarray) else self._element(part)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.setitem(index, value)

    def setitem(self, index: Any, value: Any, stream: Any = 0) -> None:
        """Assign elements or a number; the host waits if no stream is given."""
        given = value.base if isinstance(value, EmulatedArray) else unwrap(value)
        part = self._wrap_part(lambda array: array[index])
        self.base[index] = given
        if self.written is not None:
            self.written[index] = _take_written(value)
        queue = self._queue(stream)
        accesses = [StreamAccess("the array", np.asarray(part.base), "store")]
        if isinstance(value, EmulatedArray) or is_pinned(value):
            accesses.append(StreamAccess("the array", given, "load"))
        _issue_copy(queue, accesses, pinned=is_pinned(value))
        if not queue:
            TIMELINE.host_waits(queue)

    getitem = __getitem__

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> NDArray[Any]:
        """Copy its elements into a new array, or into the given one.

        Raises:
            ValueError, TypeError: the given array has another shape or type.
            NotImplementedError: a stride is negative, as with Numba.
        """
        if any(stride < 0 for stride in self.strides):
            raise NotImplementedError(
                f"D->H copy not implemented for negative strides: {self.strides}"
            )
        missing = self._tell(read=ary is not None)
        queue, accesses = self._queue(stream), [StreamAccess("the array", self.base, "load")]
        if ary is None:
            taken = self.base.copy(order="K")
            if missing is not None:
                taken = observe(
                    taken, _UnwrittenWatch(taken, missing, partial(self._tell, read=True))
                )
        else:
            self._require_same_form(ary)
            taken = ary
            unwrap(ary)[...] = self.base
        if is_pinned(taken):
            accesses.append(StreamAccess("pinned memory", unwrap(taken), "store"))
        _issue_copy(queue, accesses, pinned=is_pinned(taken))
        if not (queue and is_pinned(taken)):  # into other memory, a copy is waited for
            TIMELINE.host_waits(queue)
        return taken

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy the elements of an array, of the host or of a device.

        Raises:
            ValueError, TypeError: it has another shape or type, or one of the two is no single
                range of bytes, or those of the device have them in another order.
        """
        given = ary if isinstance(ary, EmulatedArray) or is_pinned(ary) else np.asarray(ary)
        self._require_same_form(given)
        first, end = span_of(self.base)
        if self.size and end - first != self.nbytes:
            raise ValueError(NOT_CONTIGUOUS)
        if isinstance(ary, EmulatedArray) and ary.strides != self.strides:
            raise ValueError(f"incompatible strides: {self.strides} vs. {ary.strides}")
        self.setitem(..., given, stream)

    def is_c_contiguous(self) -> bool:
        """Return True if its rows are contiguous."""
        return bool(self.base.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        """Return True if its columns are contiguous."""
        return bool(self.base.flags.f_contiguous)

    def reshape(self, *shape: Any, **options: Any) -> EmulatedArray:
        """Return the same elements in another shape."""
        return self._wrap_part(lambda array: array.reshape(*shape, **options))

    def ravel(self, order: Any = "C", stream: Any = 0) -> EmulatedArray:
        """Return the same elements in one row.

        Raises:
            NotImplementedError: they are not one range of bytes in that order, as with Numba.
        """
        fits = {"C": self.is_c_contiguous(), "F": self.is_f_contiguous()}
        if not fits.get(order, any(fits.values())):
            raise NotImplementedError(f"ravel in order {order!r} would have to copy")
        return self._wrap_part(lambda array: array.reshape(-1, order=order))

    def transpose(self, axes: Any = None) -> EmulatedArray:
        """Return it with its two axes exchanged: a row-major copy, as Numba makes it.

        Raises:
            NotImplementedError: it does not have two axes, as with Numba.
            ValueError: these are not its axes.
        """
        if axes and tuple(axes) == tuple(range(self.ndim)):
            return self
        if self.ndim != 2:
            raise NotImplementedError("transposing a non-2D DeviceNDArray isn't supported")
        if axes is not None and set(axes) != {0, 1}:
            raise ValueError(f"invalid axes list {axes!r}")
        return self._wrap_part(lambda array: array.T.copy())

    def squeeze(self, axis: Any = None, stream: Any = 0) -> EmulatedArray:
        """Return it without axes of one element."""
        return self._wrap_part(lambda array: array.squeeze(axis))

    def view(self, dtype: Any) -> EmulatedArray:
        """Return its bytes as another type."""
        seen = self.base.view(dtype_of(dtype))
        if self.written is None or seen.shape == self.base.shape:
            return EmulatedArray(seen, self.written, self.history)
        self.written[...] = True  # elements of another size: no longer known
        return EmulatedArray(seen, None, self.history)

    def split(self, section: int, stream: Any = 0) -> Iterator[EmulatedArray]:
        """Yield parts of `section` elements."""
        for first in range(0, self.size, section):
            yield self[first : first + section]

    def bind(self, stream: Any = 0) -> EmulatedArray:
        """Return the same memory, copied in a stream."""
        return EmulatedArray(self.base, self.written, self.history, stream)

    def _queue(self, stream: Any) -> Stream:
        return stream_of(stream) or self.stream

    def _wrap_part(self, how: Callable[[NDArray[Any]], Any]) -> EmulatedArray:
        written = None if self.written is None else how(self.written)
        return EmulatedArray(how(self.base), written, self.history, self.stream)

    def _element(self, part: EmulatedArray) -> Any:
        part._tell(read=True)
        _issue_copy(
            self.stream, [StreamAccess("the array", np.asarray(part.base), "load")], pinned=False
        )
        TIMELINE.host_waits(self.stream)
        return part.base

    def _tell(self, *, read: bool) -> NDArray[np.bool_] | None:
        """Report unwritten elements that are copied back; return which, if any."""
        if self.written is None or self.history.report is None:
            return None
        missing = ~np.asarray(self.written)
        if not missing.any():
            return None
        first = tuple(int(number) for number in np.argwhere(missing)[0])
        address = sum(map(mul, first, self.strides))
        count = int(np.count_nonzero(missing))
        self.history.report(count, max(1, self.size), first, address, read=read)
        return missing

    def _require_same_form(self, other: Any) -> None:
        if tuple(other.shape) != self.shape:
            raise ValueError(f"incompatible shape: {tuple(other.shape)} vs. {self.shape}")
        if other.dtype != self.dtype:
            raise TypeError(f"incompatible dtype: {other.dtype} vs. {self.dtype}")


class _UnwrittenWatch:
    """Notices when the host reads unwritten elements that it has copied back."""

    def __init__(
        self, taken: NDArray[Any], missing: NDArray[np.bool_], read: Callable[[], object]
    ) -> None:
        self._left = StreamAccess("", taken, "load", missing).addresses()
        self._read = read

    def __call__(self, part: NDArray[Any], written: bool) -> None:
        """See `Touched`."""
        touched = StreamAccess("", part, "load").addresses()
        if written:
            self._left = np.setdiff1d(self._left, touched)
        elif np.isin(touched, self._left).any():
            self._read()


class MappedArray(np.ndarray[Any, Any]):
    """Memory that host and device share: `mapped_array`, `managed_array`."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(fact("not-emulated.of-mapped-array", name=name))

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> NDArray[Any]:
        """Return a copy."""
        if ary is None:
            return np.array(self)
        ary[...] = self
        return ary  # type: ignore[no-any-return]

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy the elements of another array."""
        self[...] = np.asarray(ary)


@contextmanager
def mapped(*arylist: Any, **_options: Any) -> Iterator[Any]:
    """Let the device see arrays of the host while a block runs; one of them is not a list."""
    views = [unwrap(array).view(MappedArray) for array in arylist]
    yield views[0] if len(views) == 1 else views


def _issue_copy(queue: Stream, accesses: list[StreamAccess], *, pinned: bool) -> None:
    """Issue a copy; with pinned memory and a stream the host does not wait for it."""
    copy = TIMELINE.issue(queue, "copy", accesses)
    if pinned and queue:
        TIMELINE.leaves_to_host(copy)


def _take_written(value: Any) -> Any:
    if isinstance(value, EmulatedArray) and value.written is not None:
        return value.written
    return True


def require_contiguous(array: NDArray[Any]) -> None:
    """Require that the elements are contiguous, as Numba does.

    Raises:
        ValueError: they are not.
    """
    if array.size == 0:
        return
    bare = _core(array)
    if not (bare.flags.c_contiguous or bare.flags.f_contiguous):
        raise ValueError(fact("script.not-contiguous"))


def _core(array: NDArray[Any]) -> NDArray[Any]:
    """Return the part of an array that is there once: what was broadcast has a size of one."""
    return array[tuple(slice(None) if stride else slice(1) for stride in array.strides)]


def copy_as_laid_out(array: NDArray[Any]) -> NDArray[Any]:
    """Copy an array whose elements are contiguous; what was broadcast stays one element."""
    if not array.size or all(array.strides):
        return array.copy(order="K")
    steps = array.strides
    return np.lib.stride_tricks.as_strided(_core(array).copy(order="K"), array.shape, steps)


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> EmulatedArray:
    """Copy an array to the device."""
    if isinstance(obj, EmulatedArray):
        return obj
    if to is not None:
        to.copy_to_device(obj, stream)
        return to  # type: ignore[no-any-return]
    array = np.asarray(obj)
    require_contiguous(array)
    if not copy:
        return _nothing_in(array.shape, array.dtype, stream=stream)
    made = EmulatedArray(copy_as_laid_out(array), stream=stream)
    accesses = [StreamAccess("the array", made.base, "store")]
    if is_pinned(obj):
        accesses.append(StreamAccess("pinned memory", array, "load"))
    _issue_copy(made.stream, accesses, pinned=is_pinned(obj))
    return made


def device_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: Any = "C", stream: Any = 0
) -> EmulatedArray:
    """Allocate unwritten memory; it holds zeros, which a real device does not promise."""
    _refuse_strides(strides)
    return _nothing_in(shape, dtype_of(dtype), order, stream)


def device_array_like(ary: Any, stream: Any = 0) -> EmulatedArray:
    """Allocate memory of the form of another array."""
    base = _zeros_like(ary)
    return EmulatedArray(base, np.zeros_like(base, np.bool_), stream=stream)


def host_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: Any = "C", **_options: Any
) -> NDArray[Any]:
    """Allocate pinned host memory, as `pinned_array` does; copies in a stream are asynchronous."""
    _refuse_strides(strides)
    return observe(np.zeros(shape, dtype_of(dtype), order=order), _host_touches)


def host_array_like(ary: Any, **_options: Any) -> NDArray[Any]:
    """Allocate pinned host memory of the form of another array."""
    return observe(_zeros_like(ary), _host_touches)


def is_pinned(array: Any) -> bool:
    """Return True for memory of `pinned_array` and for parts of it."""
    return isinstance(array, ObservedArray) and array.touched is _host_touches


def _host_touches(part: NDArray[Any], written: bool) -> None:
    TIMELINE.host_touches(part, "store" if written else "load")


def mapped_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: Any = "C", **_options: Any
) -> MappedArray:
    """Allocate memory that host and device share."""
    _refuse_strides(strides)
    return np.zeros(shape, dtype_of(dtype), order=order).view(MappedArray)


def mapped_array_like(ary: Any, **_options: Any) -> MappedArray:
    """Allocate shared memory of the form of another array."""
    return _zeros_like(ary).view(MappedArray)


def _zeros_like(ary: Any) -> NDArray[Any]:
    """Return contiguous zeros, their axes in the same order as in another array."""
    return np.zeros_like(ary.base if isinstance(ary, EmulatedArray) else ary, subok=False)


def _refuse_strides(strides: Any) -> None:
    if strides is not None:
        raise NotImplementedError(fact("not-emulated.strides"))


def _nothing_in(shape: Any, dtype: Any, order: Any = "C", stream: Any = 0) -> EmulatedArray:
    base, written = (np.zeros(shape, kind, order=order) for kind in (dtype, np.bool_))
    return EmulatedArray(base, written, stream=stream)
