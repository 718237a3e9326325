"""A call while it is evaluated: variables, loops, and the masks of who is where.

A mask is (elements,) bool. Where nobody is left, there is None instead of a mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from grader.layouts.arithmetic import Value, chosen
from grader.layouts.errors import BoolArray
from grader.layouts.python_source import Function

Mask = BoolArray


@dataclass(eq=False)
class Loop:
    """Elements that left the loop, and those that left this round of it."""

    broken: list[Mask] = field(default_factory=list)
    continued: list[Mask] = field(default_factory=list)


@dataclass(eq=False)
class Frame:
    """A call: its variables, each with the elements in which it has a value.

    A variable that has one in all elements of `entry` holds `entry` itself as its mask, which makes
    the common case a test of identity.
    """

    function: Function | None
    entry: Mask
    depth: int
    variables: dict[str, tuple[Value, Mask]] = field(default_factory=dict)
    result: tuple[Value, Mask] | None = None
    loops: list[Loop] = field(default_factory=list)


def split(holds: BoolArray, active: Mask | None) -> tuple[Mask | None, Mask | None]:
    """Of the active elements, those for which it holds, and the others; None for nobody."""
    if active is None:
        return None, None
    if holds.size == 1 and active.size > 1:
        return (active, None) if holds[0] else (None, active)
    yes, no = active & holds, active & ~holds
    if not no.any():
        return active, None
    return (yes, no) if yes.any() else (None, active)


def together(active: Mask, masks: Sequence[Mask | None]) -> Mask | None:
    """The union; `active` itself if it is all of them."""
    there = [mask for mask in masks if mask is not None]
    if not there:
        return None
    union = reduce(np.logical_or, there)
    return active if (union == active).all() else union


def merged(
    old: tuple[Value, Mask] | None, value: Value, active: Mask, entry: Mask
) -> tuple[Value, Mask]:
    """A variable after active elements were given a value."""
    if old is None or active is entry:
        return value, active
    before, defined = old
    if defined is not entry and not (defined & ~active).any():
        return value, active
    mask = entry if defined is entry else defined | active
    if mask is not entry and (mask == entry).all():
        mask = entry
    return chosen(active, value, before, active), mask
