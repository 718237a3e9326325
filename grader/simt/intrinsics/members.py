"""Lanes of a warp by their rank among the members of a mask: what a coalesced group numbers."""

from __future__ import annotations

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import Vector
from grader.simt.masks import LANES


def _bits(mask: Vector) -> Vector:
    """Return (…, 32): True for each lane that a mask names."""
    named: Vector = np.asarray(mask)[..., None] >> np.arange(LANES, dtype=np.uint32) & np.uint32(1)
    return named.astype(np.bool_)


def rank_of(mask: Vector, lane: Vector) -> Vector:
    """Return how many members are below a lane, as uint32."""
    below = _bits(mask) & (np.arange(LANES) < np.asarray(lane)[..., None])
    return np.asarray(below.sum(axis=-1), np.uint32)


def count(mask: Vector) -> Vector:
    """Return how many members there are, as uint32."""
    return np.asarray(_bits(mask).sum(axis=-1), np.uint32)


def lane_of(mask: Vector, rank: Vector, own: Vector) -> Vector:
    """Return the lane of a rank, as int32; the own lane where there is no such rank."""
    ranks = np.cumsum(_bits(mask), axis=-1) - 1
    found = _bits(mask) & (ranks == np.asarray(rank).astype(np.int32)[..., None])
    return np.where(found.any(axis=-1), found.argmax(axis=-1), own).astype(np.int32)


def pack(bits: Vector, mask: Vector) -> Vector:
    """Move the bits of a mask's members together, by rank, as uint32."""
    ranks = np.cumsum(_bits(mask), axis=-1) - 1
    chosen = _bits(bits) & _bits(mask)
    packed = np.where(chosen, np.uint64(1) << ranks.clip(0).astype(np.uint64), np.uint64(0))
    return np.asarray(packed.sum(axis=-1), np.uint32)
