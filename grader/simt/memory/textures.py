"""Textures: elements of an array, read by coordinates as the CUDA C++ Programming Guide describes.

Its appendix "Texture Fetching" has the formulas. A weight of a linear filter has 8 bits behind the
binary point; it is rounded to the nearest such number, which the guide does not say. An address
mode applies to each element that a filter reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.frozen import frozen

AddressMode = Literal["wrap", "clamp", "mirror", "border"]
ADDRESS_MODES: tuple[AddressMode, ...] = ("wrap", "clamp", "mirror", "border")
"""By the numbers that CUDA gives them."""
_FAR = 1 << 30
"""Coordinates beyond are as far as these."""
_PARTS = 256
"""Of the distance between two elements: what a weight counts."""


@frozen(eq=False)
class Texture:
    """Memory that is read by coordinates, as a texture or as a surface.

    Attributes:
        pointer: to its first element.
        texels: (slices or layers, rows, columns, channels), a view of the memory.
        is_layered: whether the first axis is of layers, which have no coordinate.
        is_linear_memory: whether it is read by an index alone.
        modes: how coordinates beyond it are mapped, by axis from x.
        filters: whether neighbors are interpolated.
        normalized: whether coordinates go from 0 to 1.
        scale: what an integer is divided by that is read as a float; 0 if it is read as it is.
        border: the channels of what is beyond it with `border`.
    """

    pointer: int
    texels: NDArray[Any]
    is_layered: bool = False
    is_linear_memory: bool = False
    modes: tuple[AddressMode, AddressMode, AddressMode] = ("clamp", "clamp", "clamp")
    filters: bool = False
    normalized: bool = False
    scale: float = 0
    border: tuple[float, ...] = (0, 0, 0, 0)

    @property
    def returns(self) -> np.dtype[Any]:
        """The dtype of a channel as a thread gets it: floats of 16 bits are widened."""
        own = self.texels.dtype
        return np.dtype(np.float32) if self.scale or own.kind == "f" else own


class _Tap(NamedTuple):
    """What one axis has in a fetch: an element, whether it is there, and its weight."""

    element: NDArray[np.int64]
    inside: NDArray[np.bool_]
    weight: NDArray[np.float64] | float


def sample(
    texture: Texture, coordinates: Sequence[NDArray[Any]], layer: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Return (threads, channels) of what threads read.

    Args:
        texture: what is read.
        coordinates: (threads,) of each axis, from x.
        layer: (threads,), of a layered texture; one beyond is the nearest.
    """
    axes = [_taps(texture, axis, each) for axis, each in enumerate(coordinates)]
    if layer is None:
        rest = np.zeros(1, dtype=np.int64)
    else:
        rest = np.clip(layer.astype(np.int64), 0, len(texture.texels) - 1)
    found: NDArray[Any] | None = None
    for taps in product(*axes):
        indices = [tap.element for tap in taps]
        inside = reduce(np.logical_and, (tap.inside for tap in taps))
        row = indices[1] if len(indices) > 1 else 0
        each = texture.texels[indices[2] if len(indices) > 2 else rest, row, indices[0]]
        value = np.where(inside[..., None], _as_read(texture, each), _border(texture))
        weights = [tap.weight for tap in taps]
        if texture.filters:
            value = value * np.asarray(reduce(np.multiply, weights))[..., None]
        found = value if found is None else found + value
    assert found is not None  # there is an axis
    return found.astype(texture.returns)


def fetch(texture: Texture, index: NDArray[Any]) -> NDArray[Any]:
    """Return (threads, channels) of linear memory; beyond it, 0."""
    elements = texture.texels[0, 0]
    at = index.astype(np.int64)
    inside = (at >= 0) & (at < len(elements))
    value = _as_read(texture, elements[np.where(inside, at, 0)])
    return np.where(inside[..., None], value, 0).astype(texture.returns)


def _as_read(texture: Texture, texels: NDArray[Any]) -> NDArray[Any]:
    """Return texels as they are filtered: floats of 64 bits where anything is computed."""
    if texture.scale:
        return np.maximum(texels / np.float64(texture.scale), -1)
    return texels.astype(np.float64) if texels.dtype.kind == "f" else texels


def _border(texture: Texture) -> NDArray[Any]:
    channels = np.array(texture.border[: texture.texels.shape[3]])
    return channels if texture.returns.kind == "f" else channels.astype(texture.returns)


def _taps(texture: Texture, axis: int, coordinate: NDArray[Any]) -> list[_Tap]:
    """Return what an axis has in a fetch: an element, or two with their weights."""
    size = texture.texels.shape[2 - axis]
    at = coordinate.astype(np.float64) * (size if texture.normalized else 1)
    at = np.clip(np.nan_to_num(at), -_FAR, _FAR)
    mode = texture.modes[axis]
    if not texture.normalized and mode in ("wrap", "mirror"):
        mode = "clamp"
    if not texture.filters:
        return [_tap(np.floor(at).astype(np.int64), mode, size, 1.0)]
    parts = np.floor((at - 0.5) * _PARTS + 0.5).astype(np.int64)
    low, weight = parts // _PARTS, parts % _PARTS / _PARTS
    return [_tap(low, mode, size, 1 - weight), _tap(low + 1, mode, size, weight)]


def _tap(
    index: NDArray[np.int64], mode: AddressMode, size: int, weight: NDArray[np.float64] | float
) -> _Tap:
    inside = np.ones(index.shape, dtype=np.bool_)
    if mode == "wrap":
        index = index % size
    elif mode == "mirror":
        index = index % (2 * size)
        index = np.minimum(index, 2 * size - 1 - index)
    elif mode == "border":
        inside = (index >= 0) & (index < size)
    return _Tap(np.clip(index, 0, size - 1), inside, weight)
