"""Reads SQLite's write-ahead log: the pages of committed transactions that are not in the file yet.

As https://www.sqlite.org/fileformat2.html#walformat describes it. A damaged frame is skipped, and
those after it are still read: each frame's checksum continues that of the frame before.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_HEADER = 32
_FRAME_HEADER = 24
_BIG_ENDIAN_MAGIC = 0x377F0683
_MASK = 0xFFFFFFFF

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _LogFrame:
    number: int
    commits: bool
    salt: bytes
    sums: Sums
    summed: bytes
    page: bytes


def frames(log: bytes, page_size: int) -> Iterator[tuple[int, bytes]]:
    """Read (page number, page) of all sound frames up to the last commit, oldest first."""
    found = list(_frames(log, page_size))
    if not found:
        return
    order: Literal["<", ">"] = ">" if log[:4] == _BIG_ENDIAN_MAGIC.to_bytes(4, "big") else "<"
    # The header's own copy may be damaged, and frames of an earlier round follow the present ones.
    salt = found[0].salt
    before: Sums = struct.unpack_from(">II", log, 24)
    sound: list[_LogFrame] = []
    committed = 0
    for frame in found:
        if frame.salt == salt and _checksum(frame.summed, before, order) == frame.sums:
            sound.append(frame)
            committed = len(sound) if frame.commits else committed
        before = frame.sums
    for frame in sound[:committed]:
        yield frame.number, frame.page


def _frames(log: bytes, page_size: int) -> Iterator[_LogFrame]:
    """Yield all frames there are, sound or not."""
    step = _FRAME_HEADER + page_size
    for start in range(_HEADER, len(log) - step + 1, step):
        number, size, *_ = struct.unpack_from(">II", log, start)
        first, second = struct.unpack_from(">II", log, start + 16)
        page = log[start + _FRAME_HEADER : start + step]
        salt = log[start + 8 : start + 16]
        summed = log[start : start + 8] + page
        yield _LogFrame(number, size > 0, salt, (first, second), summed, page)


def _checksum(content: bytes, before: Sums, order: Literal["<", ">"]) -> Sums:
    """Compute SQLite's running checksum over pairs of 32-bit words."""
    first, second = before
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & _MASK
        second = (second + odd + first) & _MASK
    return first, second
