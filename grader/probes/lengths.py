"""Lengths that a launch could have been given: which number and which arrays go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from math import prod
from typing import Any, NamedTuple

import numpy as np

from grader.probes.replaying import Replay
from grader.probes.values import LaunchChange

LEAST = 8
"""A shorter length is the number of something else."""
_FACTORS = 3


class Length(NamedTuple):
    """A length of a launch.

    Attributes:
        name: the argument that has it; of a kernel that takes none, the first array's.
        is_array: True if only the arrays say it.
    """

    name: str
    value: int
    is_array: bool = False


def find_lengths(replay: Replay) -> list[Length]:
    """List the lengths of a launch that arrays follow, those of the most arrays first."""
    given = replay.given
    numbers = _numbers(given)
    found = [Length(name, value) for name, value in numbers.items() if value >= LEAST]
    if not numbers and not replay.is_cuda:
        sizes = Counter(len(v) for v in given.values() if isinstance(v, np.ndarray) and v.ndim == 1)
        for size, _ in sizes.most_common(1):
            if size >= LEAST:
                found.append(Length(next(_of_size(given, size)), size, is_array=True))
    return [each for each in found if change_length(replay, each, each.value - 1) is not None]


def change_length(replay: Replay, length: Length, new: int) -> LaunchChange | None:
    """Return the launch with another length; None if no array, or no one way, follows it."""
    given, lengths = replay.given, list[tuple[str, int]]()
    numbers = _numbers(given)
    for name, value in given.items():
        if not isinstance(value, np.ndarray):
            continue
        size = _follow(value.shape, length, new, numbers)
        if size is None:
            return None
        if size != value.shape[0]:
            lengths.append((name, size))
    if not lengths:
        return None
    changed = () if length.is_array else ((length.name, new),)
    return LaunchChange(numbers=changed, lengths=tuple(lengths))


def _follow(
    shape: tuple[int, ...], length: Length, new: int, numbers: Mapping[str, int]
) -> int | None:
    """Return the rows of an array where a length is another; None if that is not determined."""
    if length.value in shape[1:]:
        return None
    rows = shape[0]
    if len(shape) > 1 or length.is_array:
        return new if rows == length.value else rows
    if rows == length.value + 1:
        return new + 1
    powers = {chosen.count(length.name) for chosen in _factors(rows, numbers)}
    if len(powers) > 1:
        return None
    power = next(iter(powers), 0)
    return int(rows // length.value**power * new**power)


def _factors(size: int, numbers: Mapping[str, int]) -> list[tuple[str, ...]]:
    """List the fewest numbers whose product is a size."""
    useful = {name: value for name, value in numbers.items() if value > 1}
    for count in range(1, _FACTORS + 1):
        every = combinations_with_replacement(useful, count)
        found = [names for names in every if prod(useful[name] for name in names) == size]
        if found:
            return found
    return []


def _numbers(given: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: int(value)
        for name, value in given.items()
        if isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)
    }


def _of_size(given: Mapping[str, Any], size: int) -> Iterator[str]:
    return (n for n, v in given.items() if isinstance(v, np.ndarray) and v.shape == (size,))
