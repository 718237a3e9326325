"""Lists the accesses of a warp that are timed for an instruction, each with a readable name.

Among them is a ladder: accesses whose passes follow from the width of the memory alone, which map
cycles to them. Knows no device, no PTX and no rule of an architecture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.banks import LANES, WORD_BYTES
from grader.gpu.calibrating.probes import ProbeInstruction

_SEED = 20
_ROW = 128
"""Bytes from a word to the next on its bank."""
_MATRIX_ROWS = 8
_PADDED = 144
_SPREAD = 2048
"""Bytes that random addresses lie in: few enough for lanes to meet."""
_ATOMICS = ("atom", "red")
_COARSE = ((2, "2nd"), (8, "8th"), (32, "32nd"))
_FINE = ((2, "2nd"), (4, "4th"), (8, "8th"), (16, "16th"), (32, "32nd"))
"""Strides of a ladder's rungs: of what a program does most, every power of two."""
_FINELY = ("ld_b32", "st_b32", "ld_b64", "st_b64", "ld_b128", "st_b128")

_LANES = np.arange(LANES)
_EVERYONE = np.ones(LANES, np.bool_)
_FIRST_HALF = _LANES < LANES // 2
_EVEN = _LANES % 2 == 0
_ONE = _LANES == 0


@dataclass(frozen=True, slots=True)
class TimedAccess:
    """One access of a warp.

    Attributes:
        name: for a person.
        offsets: bytes, of each lane.
        active: which lanes take part; of a matrix form, which give an address.
        rung: passes of a rung of the ladder, where they are undisputed; else None.
    """

    name: str
    offsets: tuple[int, ...]
    active: tuple[bool, ...]
    rung: int | None = None

    @property
    def mask(self) -> int:
        """Bit i for lane i."""
        return sum(1 << lane for lane, active in enumerate(self.active) if active)


def list_accesses(instruction: ProbeInstruction) -> tuple[TimedAccess, ...]:
    """List the accesses of an instruction, always in the same order: the ladder, then the rest."""
    if instruction.matrix:
        return (*_rows_apart(instruction), *_matrices(instruction))
    if instruction.name.startswith(_ATOMICS):
        return (*_strides(instruction), *_list_atomic(instruction))
    rest = _list_narrow if instruction.width <= WORD_BYTES else _list_wide
    return (*_strides(instruction), *rest(instruction))


def _make_access(
    name: str, offsets: NDArray[Any], active: NDArray[np.bool_] = _EVERYONE, rung: int | None = None
) -> TimedAccess:
    return TimedAccess(name, tuple(offsets.tolist()), tuple(active.tolist()), rung)


def _strides(instruction: ProbeInstruction) -> Iterator[TimedAccess]:
    """Yield the ladder: 128 contiguous bytes take one pass; doubling the stride doubles them."""
    width = max(WORD_BYTES, instruction.width)
    parts = width // WORD_BYTES
    if parts > 1 and not instruction.name.startswith(_ATOMICS):
        for part in (1, 2)[: parts // 2]:  # of 2 parts a half; of 4 a quarter, and a half
            lanes = LANES // parts * part
            yield _make_access(
                f"{lanes} lanes, next to each other", width * _LANES, lanes > _LANES, part
            )
    element = "word" if parts == 1 else "element"
    yield _make_access(f"{element}s next to each other", width * _LANES, rung=parts)
    for stride, ordinal in _FINE if instruction.name in _FINELY else _COARSE:
        if stride * parts <= LANES:
            offsets = stride * width * _LANES
            yield _make_access(f"every {ordinal} {element}", offsets, rung=parts * stride)


def _list_narrow(instruction: ProbeInstruction) -> Iterator[TimedAccess]:
    """Ask, for up to 4 bytes, which lanes share a word and what an inactive lane costs."""
    width = instruction.width
    within = width % WORD_BYTES  # of two lanes in a word, the second's byte
    yield _make_access("all lanes on one word", 0 * _LANES)
    pairs = _ROW * (_LANES // 2) + within * (_LANES % 2)
    yield _make_access("lanes 2i and 2i+1 in a word, words on one bank", pairs)
    halves = _ROW * (_LANES % 16) + within * (_LANES // 16)
    yield _make_access("lanes i and i+16 in a word, words on one bank", halves)
    yield _make_access("16 lanes active, words on one bank", _ROW * _LANES, _FIRST_HALF)
    if within:
        yield _make_access("elements next to each other", width * _LANES)
    else:
        yield _make_access("words in reverse order", width * _LANES[::-1])
        yield _make_access("every 33rd word", 33 * width * _LANES)
        yield _make_access("4 words on one bank, 8 lanes on each", _ROW * (_LANES // 8))
        yield _make_access("even lanes active, words on one bank", _ROW * _LANES, _EVEN)
        stray = np.where(_EVEN, width * _LANES, _ROW * _LANES)
        yield _make_access("even lanes active, the inactive ones on one bank", stray, _EVEN)
        yield _make_access("one lane active", 0 * _LANES, _ONE)
    yield from _random(instruction, 1 if within else 2)


def _list_wide(instruction: ProbeInstruction) -> Iterator[TimedAccess]:
    """Ask, for 8 and 16 bytes, which lanes are served together and which groups merge."""
    width = instruction.width
    served = _ROW // width  # lanes that 128 bytes are enough for
    groups = LANES // served
    yield _make_access("all lanes on one element", 0 * _LANES)
    yield _make_access("lanes 2i and 2i+1 on one element", width * (_LANES // 2))
    yield _make_access("lanes i and i^2 on one element", width * (_LANES // 4 * 2 + _LANES % 2))
    yield _make_access("lanes i and i+16 on one element", width * (_LANES % 16))
    some = np.where(_FIRST_HALF, _LANES // 2, _LANES % 16)
    yield _make_access("lanes 2i and 2i+1 on one element, in the first half alone", width * some)
    contiguous = width * (_LANES // 2)
    yield _make_access("even lanes active, elements next to each other", contiguous, _EVEN)
    dealt = width * (_LANES % served * groups + _LANES // served)
    yield _make_access("elements dealt to the lane groups in turn", dealt)
    yield _make_access("elements in reverse order", width * _LANES[::-1])
    yield _make_access("one lane active", 0 * _LANES, _ONE)
    yield from _random(instruction, 2)
    (single,) = _random(instruction, 1)
    pairs = np.array(single.offsets)[_LANES // 2]
    yield _make_access("at random, lanes 2i and 2i+1 on one element", pairs)


def _list_atomic(instruction: ProbeInstruction) -> Iterator[TimedAccess]:
    """Ask how many lanes of an atomic may conflict on a word."""
    width = instruction.width
    yield _make_access("all lanes on one word", 0 * _LANES)
    yield _make_access("4 lanes on each word, words next to each other", width * (_LANES // 4))
    yield _make_access("2 lanes on each word, words next to each other", width * (_LANES // 2))
    yield _make_access("2 lanes on each word, words on one bank", _ROW * (_LANES // 2))
    yield _make_access("16 lanes active, all on one word", 0 * _LANES, _FIRST_HALF)
    yield from _random(instruction, 1)


def _rows_apart(instruction: ProbeInstruction) -> Iterator[TimedAccess]:
    """Yield the ladder of a matrix form: 8 adjacent rows are 128 bytes."""
    matrices = instruction.lanes // _MATRIX_ROWS
    for times in (1, 2, 4, 8):
        apart = instruction.width * times
        giving = _select_rows(instruction)
        yield _make_access(f"rows {apart} bytes apart", apart * _LANES, giving, matrices * times)


def _matrices(instruction: ProbeInstruction) -> Iterator[TimedAccess]:
    width = instruction.width
    giving = _select_rows(instruction)
    yield _make_access(f"rows {_PADDED} bytes apart", _PADDED * _LANES, giving)
    yield _make_access("all rows the same", 0 * _LANES, giving)
    if instruction.lanes == LANES:
        yield _make_access("rows 2i and 2i+1 the same", width * (_LANES // 2))
        yield _make_access("rows i and i^2 the same", width * (_LANES // 4 * 2 + _LANES % 2))
        yield _make_access("the same matrix four times", width * (_LANES % _MATRIX_ROWS))
    yield from _random(instruction, 1)


def _select_rows(instruction: ProbeInstruction) -> NDArray[np.bool_]:
    """Select the lanes that give an address."""
    giving: NDArray[np.bool_] = instruction.lanes > _LANES
    return giving


def _random(instruction: ProbeInstruction, count: int) -> Iterator[TimedAccess]:
    """Draw addresses from a seed that differs by width but not by run."""
    width = instruction.width
    random = np.random.default_rng([_SEED, width])
    for number in range(1, count + 1):
        offsets = width * random.integers(0, _SPREAD // width, LANES)
        yield _make_access(f"at random, draw {number}", offsets, _select_rows(instruction))
