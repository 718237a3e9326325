"""The generator xoroshiro128+ on vectors of states, as Numba seeds, steps and jumps it.

By D. Blackman and S. Vigna (prng.di.unimi.it), with the shifts of 2016: 55, 14, 36. Every result is
exact to the bit; `normal` follows the device's order of operations, and rounds each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

STATE = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
"""Of a generator."""
Words = NDArray[np.uint64]
State = tuple[Words, Words]

_JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)
_BITS = 64


def seed(value: Words) -> Words:
    """Return what both words of a state are for a seed: a step of SplitMix64."""
    z = value + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Words = z ^ (z >> np.uint64(31))
    return found


def step(state: State) -> tuple[Words, State]:
    """Return the next random words, and the state after them."""
    s0, s1 = state
    mixed = s1 ^ s0
    after = _rotate(s0, 55) ^ mixed ^ (mixed << np.uint64(14)), _rotate(mixed, 36)
    return s0 + s1, after


def _rotate(words: Words, bits: int) -> Words:
    rotated: Words = (words << np.uint64(bits)) | (words >> np.uint64(_BITS - bits))
    return rotated


def jump_bits() -> Iterator[bool]:
    """Yield, for each step of a jump by 2**64, whether the state before it is added up."""
    for word in _JUMP:
        for bit in range(_BITS):
            yield bool(word >> bit & 1)


def uniform(words: Words) -> NDArray[np.float64]:
    """Return numbers in [0, 1) with 53 random bits."""
    found: NDArray[np.float64] = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return found


def normal(first: NDArray[np.float32], second: NDArray[np.float32], dtype: Any) -> NDArray[Any]:
    """Return normally distributed numbers (Box–Muller); the logarithm is of float32 in any case."""
    wide, kind = np.float64, np.dtype(dtype).type
    logarithm = np.log(first.astype(wide)).astype(np.float32).astype(dtype)
    angle = kind(2 * np.pi) * second.astype(dtype)
    cosine = np.cos(angle.astype(wide)).astype(dtype)
    found: NDArray[Any] = np.sqrt(kind(-2) * logarithm) * cosine
    return found


def jump(state: State) -> State:
    """Return the states after 2**64 steps."""
    first, second = np.zeros_like(state[0]), np.zeros_like(state[1])
    for added in jump_bits():
        if added:
            first, second = first ^ state[0], second ^ state[1]
        _, state = step(state)
    return first, second


def make_states(count: int, start: int, begin: int) -> NDArray[Any]:
    """Return (count,) states, each 2**64 steps after the one before.

    Args:
        begin: how many jumps the first one is ahead.
    """
    states = np.zeros(count, STATE)
    if not count:
        return states
    word = seed(np.array([start & (1 << _BITS) - 1], np.uint64))
    state, matrix = (word, word), jump(_unit_states())
    while begin:
        if begin & 1:
            state = _multiply(matrix, state)
        matrix, begin = _multiply(matrix, matrix), begin >> 1
    matrix = jump(_unit_states())
    while len(state[0]) < count:  # as many again, all at once: a jump is linear in the bits
        more = _multiply(matrix, state)
        state = np.concatenate([state[0], more[0]]), np.concatenate([state[1], more[1]])
        matrix = _multiply(matrix, matrix)
    states["s0"], states["s1"] = state[0][:count], state[1][:count]
    return states


def _unit_states() -> State:
    """Return the (128,) states with a single bit."""
    bits = np.left_shift(np.uint64(1), np.arange(_BITS, dtype=np.uint64))
    none = np.zeros(_BITS, np.uint64)
    return np.concatenate([bits, none]), np.concatenate([none, bits])


def _multiply(matrix: State, state: State) -> State:
    """Apply a linear map of states, given as what it makes of `_unit_states`, to states."""
    first, second = np.zeros_like(state[0]), np.zeros_like(state[1])
    for place in range(2 * _BITS):
        bit = state[place // _BITS] >> np.uint64(place % _BITS) & np.uint64(1)
        first ^= bit * matrix[0][place]
        second ^= bit * matrix[1][place]
    return first, second
