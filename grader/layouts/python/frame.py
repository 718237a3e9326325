"""A call while it is evaluated: its variables, its loops, and the masks of its elements.

A mask is (elements,) bool. None takes its place where no element is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from grader.layouts.arithmetic import Value, choose
from grader.layouts.errors import BoolArray
from grader.layouts.python.source import PythonFunction

ElementMask = BoolArray


@dataclass(eq=False)
class LoopExits:
    """The elements that left the loop, and those that left the current iteration."""

    broken: list[ElementMask] = field(default_factory=list)
    continued: list[ElementMask] = field(default_factory=list)


@dataclass(eq=False)
class CallFrame:
    """A call: its variables, each with the elements in which it has a value.

    A variable with a value in all elements of `entry` holds `entry` itself as its mask, which makes
    the common case a test of identity.
    """

    function: PythonFunction | None
    entry: ElementMask
    depth: int
    variables: dict[str, tuple[Value, ElementMask]] = field(default_factory=dict)
    result: tuple[Value, ElementMask] | None = None
    loops: list[LoopExits] = field(default_factory=list)


def split(
    holds: BoolArray, active: ElementMask | None
) -> tuple[ElementMask | None, ElementMask | None]:
    """Split the active elements by whether it holds; None for no element."""
    if active is None:
        return None, None
    if holds.size == 1 and active.size > 1:
        return (active, None) if holds[0] else (None, active)
    yes, no = active & holds, active & ~holds
    if not no.any():
        return active, None
    return (yes, no) if yes.any() else (None, active)


def unite(active: ElementMask, masks: Sequence[ElementMask | None]) -> ElementMask | None:
    """Unite masks; the result is `active` itself if all its elements are there."""
    there = [mask for mask in masks if mask is not None]
    if not there:
        return None
    union = reduce(np.logical_or, there)
    return active if (union == active).all() else union


def merge(
    old: tuple[Value, ElementMask] | None, value: Value, active: ElementMask, entry: ElementMask
) -> tuple[Value, ElementMask]:
    """Return a variable after the active elements were given a value."""
    if old is None or active is entry:
        return value, active
    before, defined = old
    if defined is not entry and not (defined & ~active).any():
        return value, active
    mask = entry if defined is entry else defined | active
    if mask is not entry and (mask == entry).all():
        mask = entry
    return choose(active, value, before, active), mask
