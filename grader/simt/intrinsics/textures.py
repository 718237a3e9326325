"""What threads read of textures, and where an element of a surface lies.

A fetch counts no requests and no sectors: texture units and their cache are not modeled. It is not
compared with what the same launch writes either; a device may give either value then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.simt.errors import Refused
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.memory import textures
from grader.simt.memory.allocations import allocations_of
from grader.simt.memory.textures import Texture

_COST = 8
"""Operations of a fetch, for each thread and element."""
TRAP, CLAMP = 2, 1
"""What a surface does at a place beyond it, as `cudaSurfaceBoundaryMode` numbers it; 0: zeros."""


def _by_texture(
    point: ExecutionPoint, name: str, handles: Value
) -> Iterator[tuple[Texture, NDArray[np.bool_]]]:
    """Yield each texture with the threads that have it; report those that have none."""
    known = allocations_of(point.chunk.launch).textures
    active = point.mask.full
    for handle in np.unique(handles).tolist() if handles.size > 1 else [int(handles.flat[0])]:
        ours = handles == handle
        lanes = ours & active
        if not lanes.any():
            continue
        texture = known.get(int(handle))
        if texture is None:
            what = fact("finding.no-texture", name=name, handle=int(handle))
            point.report("out-of-bounds", lanes, what, topic="texture")
        else:
            yield texture, ours


def fetch(
    point: ExecutionPoint,
    handles: Value,
    *coordinates: Value,
    name: str,
    dtype: np.dtype[Any],
    channels: int,
    layered: bool,
) -> tuple[Value, ...]:
    """Return the channels of what threads read, each of a dtype; without a texture, 0.

    Raises:
        Refused: a texture is of other elements, or is read by other coordinates.
    """
    shape = np.broadcast_shapes(handles.shape, *(each.shape for each in coordinates))
    point.chunk.charge(_COST * int(np.prod(shape)) * channels)
    results = [np.zeros(shape, dtype) for _ in range(channels)]
    axes = [np.broadcast_to(each, shape) for each in coordinates]
    for texture, ours in _by_texture(point, name, handles):
        _check(point, texture, name, dtype, len(axes), layered=layered)
        if texture.is_linear_memory:
            found = textures.fetch(texture, axes[0])
        elif layered:
            found = textures.sample(texture, axes[:-1], axes[-1])
        else:
            found = textures.sample(texture, axes)
        found = found.view(dtype) if found.dtype.kind != "f" else found
        for at in range(min(channels, found.shape[-1])):
            results[at] = np.where(ours, found[..., at], results[at])
    return tuple(results)


def _check(
    point: ExecutionPoint,
    texture: Texture,
    name: str,
    dtype: np.dtype[Any],
    axes: int,
    *,
    layered: bool,
) -> None:
    """Raise if a texture is not of these elements, or not read by this function."""
    own = texture.returns
    same = own == dtype if own.kind == "f" or dtype.kind == "f" else own.itemsize == dtype.itemsize
    if not same:
        raise _refuse(
            point, fact("launch.texture-type", name=name, wanted=dtype.name, own=own.name)
        )
    whole = name == "tex1Dfetch"
    if texture.is_linear_memory != whole or texture.is_layered != layered:
        raise _refuse(point, fact("launch.texture-kind", name=name))
    sizes = texture.texels.shape
    has = 1 + (sizes[1] > 1) + (sizes[0] > 1 and not layered)
    if not whole and axes - layered < has:
        raise _refuse(point, fact("launch.texture-kind", name=name))


def _refuse(point: ExecutionPoint, what: Fact) -> Refused:
    site = point.site
    return Refused(what, site.line, site.column, None, site.file)


def locate(
    point: ExecutionPoint,
    handles: Value,
    *coordinates: Value,
    name: str,
    size: int,
    mode: int,
    layered: bool,
) -> tuple[Value, Value]:
    """Return pointers to elements of surfaces, and which of them are there.

    Args:
        handles: of the surfaces.
        coordinates: x in bytes, then as many as the surface has, and the layer.
        size: bytes of an access.
        mode: what is done at a place beyond the surface.
        layered: whether the last coordinate is a layer.
    """
    shape = np.broadcast_shapes(handles.shape, *(each.shape for each in coordinates))
    x, *others = (np.broadcast_to(each, shape).astype(np.int64) for each in coordinates)
    pointers, there = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
    for surface, ours in _by_texture(point, name, handles):
        if surface.is_linear_memory or surface.is_layered != layered:
            raise _refuse(point, fact("launch.texture-kind", name=name))
        slices, rows, columns, _ = surface.texels.shape
        steps = surface.texels.strides
        limits = [slices] if layered and len(others) == 1 else [rows, slices]
        strides = [steps[0]] if layered and len(others) == 1 else [steps[1], steps[0]]
        at = [x, *others]
        last = [columns * steps[2] - size, *(limit - 1 for limit in limits[: len(others)])]
        inside = np.ones(shape, np.bool_)
        for each, most in zip(at, last, strict=True):
            inside &= (each >= 0) & (each <= most)
        outside = ours & ~inside & point.mask.full
        if mode == TRAP and outside.any():
            what = fact("finding.beyond-surface", name=name)
            point.report("out-of-bounds", outside, what, topic="surface")
        if mode == CLAMP:
            at = [np.clip(each, 0, most) for each, most in zip(at, last, strict=True)]
            inside = np.ones(shape, np.bool_)
        place = surface.pointer + at[0]
        for each, stride in zip(at[1:], strides, strict=False):
            place = place + each * stride
        pointers, there = np.where(ours & inside, place, pointers), there | (ours & inside)
    return pointers, there
