"""Reads the rows that are left in a damaged SQLite file, page by page, without SQLite.

SQLite gives up on a table at its first bad page. Here each page is read for itself, as
https://www.sqlite.org/fileformat2.html describes it, so that damage costs only what it hit.
Knows no table: a row is a tuple of the values of one record.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from quizapp.store.safety.write_ahead import frames

Cell = int | float | str | bytes | None
Record = tuple[Cell, ...]

_DEFAULT_LAYOUT = (4096, 0)
_SMALLEST_PAGE, _LARGEST_PAGE = 512, 65536
_FILE_HEADER = 100
_LEAF_OF_A_TABLE = 13
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_REAL, _ZERO, _ONE = 7, 8, 9
_FIRST_BLOB, _FIRST_TEXT = 12, 13
_LONGEST_VARINT = 9


class CorruptRecord(Exception):
    """The bytes here are not a record."""


@dataclass(frozen=True, slots=True)
class PageImage:
    """A database file as bytes.

    `pages`: each page as the last commit left it, the write-ahead log included, by number from 1.
    `superseded`: earlier versions of pages that the log has newer ones of.
    `usable`: bytes of a page that rows may use.
    """

    pages: Mapping[int, bytes]
    superseded: tuple[tuple[int, bytes], ...]
    usable: int

    def rows(self) -> Iterator[Record]:
        """Yield every record on the leaf pages of tables; damage may show a row more than once."""
        for number, page in self.pages.items():
            yield from self._rows_on(page, number)

    def earlier_rows(self) -> Iterator[Record]:
        """Yield the rows of superseded pages, which may have been changed or deleted since."""
        for number, page in self.superseded:
            yield from self._rows_on(page, number)

    def _rows_on(self, page: bytes, number: int) -> Iterator[Record]:
        header = _FILE_HEADER if number == 1 else 0
        if page[header] != _LEAF_OF_A_TABLE:
            return
        (cells,) = struct.unpack_from(">H", page, header + 3)
        first = header + 8
        for at in islice(range(first, len(page) - 1, 2), cells):
            (start,) = struct.unpack_from(">H", page, at)
            try:
                yield _record(self._payload(page, start))
            except CorruptRecord:
                continue

    def _payload(self, page: bytes, start: int) -> bytes:
        """Assemble a cell's record from the page and those it overflows to."""
        size, start = _varint(page, start)
        _, start = _varint(page, start)
        inline = self._inline(size)
        if start + inline > self.usable or size > len(self.pages) * self.usable:
            raise CorruptRecord
        parts = [page[start : start + inline]]
        missing = size - inline
        at = start + inline
        while missing > 0:
            following = page[at : at + 4]
            found = self.pages.get(int.from_bytes(following, "big"))
            if len(following) < 4 or found is None:
                raise CorruptRecord
            page, at = found, 0
            part = page[4 : min(self.usable, 4 + missing)]
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _inline(self, size: int) -> int:
        """Return how many bytes of a record of `size` bytes are on the leaf itself."""
        most = self.usable - 35
        if size <= most:
            return size
        least = (self.usable - 12) * 32 // 255 - 23
        wanted = least + (size - least) % (self.usable - 4)
        return wanted if wanted <= most else least


def read_image(path: Path) -> PageImage:
    """Read the database at `path` with its write-ahead log, however damaged; either may be absent.

    Raises OSError: the file cannot be read.
    """
    content = path.read_bytes() if path.exists() else b""
    log = Path(f"{path}-wal")
    logged = log.read_bytes() if log.exists() else b""
    # The header may be damaged too, and then read as a layout that finds nothing.
    images = [_image(content, logged, *layout) for layout in {_layout(content), _DEFAULT_LAYOUT}]
    return max(images, key=lambda image: sum(1 for _ in image.rows()))


def _image(content: bytes, logged: bytes, size: int, reserved: int) -> PageImage:
    latest = dict(enumerate((page.ljust(size, b"\0") for page in _split(content, size)), 1))
    superseded = []
    for number, page in frames(logged, size):
        if number in latest:
            superseded.append((number, latest[number]))
        latest[number] = page
    return PageImage(latest, tuple(superseded), size - reserved)


def _layout(content: bytes) -> tuple[int, int]:
    """Return the size of a page and how much of it is reserved, as the file's header says."""
    if len(content) < _FILE_HEADER:
        return _DEFAULT_LAYOUT
    size, reserved = int.from_bytes(content[16:18], "big"), content[20]
    size = _LARGEST_PAGE if size == 1 else size
    power_of_two = size & (size - 1) == 0
    return (size, reserved) if size >= _SMALLEST_PAGE and power_of_two else _DEFAULT_LAYOUT


def _split(content: bytes, size: int) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))


def _record(payload: bytes) -> Record:
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != end:
        raise CorruptRecord
    values = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Cell, int]:
    """Decode the value of this serial type; return it with where the next one begins."""
    if kind in (_ZERO, _ONE):
        return kind - _ZERO, at
    if kind == 0:
        return None, at
    size = _size_of(kind)
    part = payload[at : at + size]
    if len(part) != size:
        raise CorruptRecord
    at += size
    if kind < _REAL:
        return int.from_bytes(part, "big", signed=True), at
    if kind == _REAL:
        return struct.unpack(">d", part)[0], at
    if kind % 2 == 0:
        return part, at
    try:
        return part.decode(), at
    except UnicodeDecodeError:
        raise CorruptRecord from None


def _size_of(kind: int) -> int:
    if kind < _REAL:
        return _INTEGER_BYTES[kind]
    if kind == _REAL:
        return 8
    if kind < _FIRST_BLOB:
        raise CorruptRecord
    return (kind - (_FIRST_TEXT if kind % 2 else _FIRST_BLOB)) // 2


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Decode the integer at `at`, 7 bits per byte, 8 in the ninth; and where the next begins."""
    value = 0
    for position, byte in enumerate(content[at : at + _LONGEST_VARINT], 1):
        if position == _LONGEST_VARINT:
            return value << 8 | byte, at + position
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + position
    raise CorruptRecord
