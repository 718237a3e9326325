"""Textures: elements of an array, read by coordinates as an H200 reads them.

The CUDA C++ Programming Guide has the formulas, in its appendix "Texture Fetching". What it leaves
open is as `tests/data/cuda_textures_h200.txt` has it: weights are whole 256ths, and products of
weights are rounded to such; the address mode applies to each element that a filter reads; a sum is
rounded once, to what the element's type can tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class _Taps(NamedTuple):
    """What one axis has in a fetch.

    Attributes:
        elements: one, or the lower and the higher one of a filter.
        inside: whether each of them is there.
        weight: 256ths of the higher one.
    """

    elements: tuple[NDArray[np.int64], ...]
    inside: tuple[NDArray[np.bool_], ...]
    weight: NDArray[np.int64]


def sample(
    texture: Texture, coordinates: Sequence[NDArray[Any]], layer: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Return (threads, channels) of what threads read.

    Args:
        coordinates: (threads,) of each axis, from x.
        layer: (threads,), of a layered texture; one beyond is the last, as are negative ones.
    """
    axes = [_taps(texture, axis, each) for axis, each in enumerate(coordinates)]
    if layer is None:
        rest = np.zeros(1, dtype=np.int64)
    else:
        rest = layer.astype(np.int64)
        rest = np.where(rest < 0, len(texture.texels) - 1, rest).clip(max=len(texture.texels) - 1)
    if not texture.filters:
        found = _read(texture, axes, (0,) * len(axes), rest)
        return found.astype(texture.returns)
    if len(axes) == 1:  # without layers between two rows, so that a border halves what is read
        row = np.full(coordinates[0].shape, 0.5 if texture.is_layered else 0.0)
        axes.append(_taps(texture, 1, row))
    weights = _weigh(axes)
    parts = [_read(texture, axes, taps, rest) * weights[taps][..., None] for taps in weights]
    return _round_sum(texture, np.add.reduce(parts))


def _read(
    texture: Texture, axes: Sequence[_Taps], taps: tuple[int, ...], rest: NDArray[np.int64]
) -> NDArray[Any]:
    """Return (threads, channels) of the elements that are the given taps of each axis."""
    places = [axis.elements[tap] for axis, tap in zip(axes, taps, strict=True)]
    x, y, z = (*places, *(0, rest)[len(places) - 1 :])[:3]
    inside = np.logical_and.reduce([axis.inside[tap] for axis, tap in zip(axes, taps, strict=True)])
    value = _as_read(texture, texture.texels[z, y, x])
    return np.where(inside[..., None], value, _border(texture))


def _weigh(axes: Sequence[_Taps]) -> dict[tuple[int, ...], NDArray[np.int64]]:
    """Return the weight of each element of a filter, in 256ths; they add up to 256.

    z is split first, then x, then y; each split leaves its sum as it was.
    """
    whole = np.full_like(axes[0].weight, _PARTS)
    x, y = axes[0].weight, axes[1].weight
    slices: dict[tuple[int, ...], NDArray[np.int64]] = {(): whole}
    if len(axes) > 2:
        slices = {(0,): whole - axes[2].weight, (1,): axes[2].weight}
    found: dict[tuple[int, ...], NDArray[np.int64]] = {}
    for z, depth in slices.items():
        right = _round_part(depth * x)
        left = depth - right
        low, high = _round_part(left * (_PARTS - y)), _round_part(right * y)
        corners = {(0, 0): low, (0, 1): left - low, (1, 0): right - high, (1, 1): high}
        found |= {(*corner, *z): weight for corner, weight in corners.items()}
    return found


def _round_part(product: NDArray[np.int64]) -> NDArray[np.int64]:
    return (product + _PARTS // 2) // _PARTS


def _round_sum(texture: Texture, total: NDArray[np.float64]) -> NDArray[np.float32]:
    """Round 256 times a filtered value to what 16 bits tell apart, or to the element's floats."""
    own = texture.texels.dtype
    if not texture.scale:
        return (total / _PARTS).astype(own).astype(np.float32)
    steps = np.iinfo(np.uint16 if own.kind == "u" else np.int16).max
    whole = np.rint(total * texture.scale)  # integers, before they were divided
    parts = np.floor(whole * (steps / texture.scale) / _PARTS + 0.5)
    return (parts / steps).astype(np.float32)


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


def _taps(texture: Texture, axis: int, coordinate: NDArray[Any]) -> _Taps:
    """Return what an axis has in a fetch."""
    size = texture.texels.shape[2 - axis]
    at = coordinate.astype(np.float64) * (size if texture.normalized else 1)
    at = np.clip(np.nan_to_num(at), -_FAR, _FAR)
    mode = texture.modes[axis]
    if not texture.normalized and mode in ("wrap", "mirror"):
        mode = "clamp"
    if not texture.filters:
        index, inside = _place(np.floor(at).astype(np.int64), mode, size)
        return _Taps((index,), (inside,), np.zeros_like(index))
    parts = np.floor((at - 0.5) * _PARTS + 0.5).astype(np.int64)
    (low, low_inside), (high, high_inside) = (
        _place(parts // _PARTS + tap, mode, size) for tap in (0, 1)
    )
    weight = parts % _PARTS
    if mode == "clamp":  # the coordinate is clamped, not only its elements
        weight = np.where(low == high, 0, weight)
    return _Taps((low, high), (low_inside, high_inside), weight)


def _place(
    index: NDArray[np.int64], mode: AddressMode, size: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the elements that indices stand for along an axis, and whether there are any."""
    inside = np.ones(index.shape, dtype=np.bool_)
    if mode == "wrap":
        index = index % size
    elif mode == "mirror":
        index = index % (2 * size)
        index = np.minimum(index, 2 * size - 1 - index)
    elif mode == "border":
        inside = (index >= 0) & (index < size)
    return np.clip(index, 0, size - 1), inside
