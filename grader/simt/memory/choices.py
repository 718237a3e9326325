"""An array variable that stands for a different array in each thread; what its arrays share.

Knows nothing of how elements are accessed: see `reaching`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.masks import Mask
from grader.simt.memory.views import Extent, View


@dataclass(frozen=True, eq=False)
class ArrayChoice:
    """One of several arrays for each thread.

    Attributes:
        views: no two of them are of the same buffer.
        which: (rows, columns): the place of each thread's array among them.
    """

    views: tuple[View, ...]
    which: NDArray[np.int64]


ArrayValue = View | ArrayChoice


def parts(array: ArrayValue, mask: Mask) -> Iterator[tuple[int, View, Mask]]:
    """Yield the arrays of the threads of a mask: place, array and threads."""
    if isinstance(array, View):
        yield 0, array, mask
        return
    for place, view in enumerate(array.views):
        yes, _ = mask.split(array.which == place)
        if yes is not None:
            yield place, view, yes


def change_arrays(
    array: ArrayValue, mask: Mask, change: Callable[[View, Mask], View]
) -> ArrayValue:
    """Change the array of each thread of a mask, for example to a slice."""
    if isinstance(array, View):
        return change(array, mask)
    made = {place: change(view, lanes) for place, view, lanes in parts(array, mask)}
    return _reduce(tuple(made.values()), _renumber(array.which, list(made)))


def value_of(array: ArrayValue, get: Callable[[View], Extent]) -> Extent:
    """Return a number that each thread's array has, such as a size."""
    if isinstance(array, View):
        return get(array)
    value = get(array.views[0])
    for place, view in enumerate(array.views[1:], start=1):
        value = np.where(array.which == place, get(view), value)
    return value


def merge_arrays(mask: Mask, new: ArrayValue, old: ArrayValue) -> ArrayValue:
    """Return the new array for the threads of a mask, and the old one for all others."""
    ours, theirs = _by_buffer(new), _by_buffer(old)
    views = tuple(
        _merge_views(mask, ours[key], theirs[key])
        if key in ours and key in theirs
        else ours.get(key) or theirs[key]
        for key in ours | theirs
    )
    places = {key: place for place, key in enumerate(ours | theirs)}
    lanes: Any = mask.lanes
    which: Any = np.where(lanes, _places(new, places), _places(old, places))
    return _reduce(views, which)


def _by_buffer(array: ArrayValue) -> dict[int, View]:
    views = (array,) if isinstance(array, View) else array.views
    return {id(view.buffer): view for view in views}


def _places(array: ArrayValue, places: dict[int, int]) -> Any:
    if isinstance(array, View):
        return places[id(array.buffer)]
    return np.array([places[id(view.buffer)] for view in array.views])[array.which]


def _renumber(which: NDArray[np.int64], left: list[int]) -> NDArray[np.int64]:
    """Renumber the places that are left; threads whose array is gone do not use theirs."""
    table = np.zeros(int(which.max()) + 1, dtype=np.int64)
    table[left] = np.arange(len(left))
    numbers: NDArray[np.int64] = table[which]
    return numbers


def _reduce(views: tuple[View, ...], which: NDArray[np.int64]) -> ArrayValue:
    """Return a plain view where all threads have the same array."""
    present = np.unique(which).tolist()
    if len(present) == 1:
        single: View = views[present[0]]
        return single
    return ArrayChoice(tuple(views[place] for place in present), _renumber(which, present))


def _merge_views(mask: Mask, new: View, old: View) -> View:
    """Join two parts of one array."""
    lanes: Any = mask.lanes
    places: list[Any] = [
        first if _are_same(first, second) else np.where(lanes, first, second)
        for first, second in zip(
            (new.offset, *new.shape, *new.strides), (old.offset, *old.shape, *old.strides),
            strict=True,
        )
    ]  # fmt: skip
    ndim = len(new.shape)
    return View(new.buffer, places[0], tuple(places[1 : 1 + ndim]), tuple(places[1 + ndim :]))


def _are_same(first: Extent, second: Extent) -> bool:
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    return first is second
