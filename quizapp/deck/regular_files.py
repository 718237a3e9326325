"""Reads the files of a pack, and refuses what is not a plain file of it: nothing of that is read.

A FIFO would block, a device may do anything, a link may lead to a person's other files, and a huge
file takes the memory. Imports what reading a cached deck may: see `index`.
"""

from __future__ import annotations

import os
import stat

from grader import facts

MOST_BYTES = 4_000_000
"""Of one YAML file."""


class IrregularFile(OSError):
    """A path that is not read; `what` says why."""

    def __init__(self, what: facts.Fact) -> None:
        super().__init__(what)
        self.what = what


def read_regular(path: str, most: int = MOST_BYTES, pack: str = "") -> bytes:
    """Read the bytes of a plain file.

    `most`: bytes it may have. `pack`: a folder that a link must not lead out of; empty for any
    file.

    Raises:
        IrregularFile: it is not a plain file, too large, or a link out of the pack.
        OSError: it is not there, or cannot be read.
    """
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        if pack:
            _check_unchanged(path, pack)
        status = os.lstat(os.path.realpath(path))
    if not stat.S_ISREG(status.st_mode):
        raise IrregularFile(_name_kind(status.st_mode))
    # Should it be replaced between the two, opening a FIFO does not block.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        data = _read(descriptor, min(status.st_size, most) + 1, most)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise IrregularFile(facts.fact("file.too-large", most=most))
    return data


def _name_kind(mode: int) -> facts.Fact:
    if stat.S_ISFIFO(mode):
        return facts.fact("file.fifo")
    if stat.S_ISSOCK(mode):
        return facts.fact("file.socket")
    if stat.S_ISDIR(mode):
        return facts.fact("file.is-a-folder")
    return facts.fact("file.device")


def _read(descriptor: int, likely: int, most: int) -> bytes:
    """Read everything, or slightly more than `most`; allocating `most` at once would take 60 µs."""
    data = os.read(descriptor, likely)
    while len(data) >= likely and len(data) <= most and (more := os.read(descriptor, most)):
        data += more
    return data


def _check_unchanged(path: str, pack: str) -> None:
    target, inside = os.path.realpath(path), os.path.realpath(pack)
    if not f"{target}{os.sep}".startswith(f"{inside}{os.sep}"):
        raise IrregularFile(facts.fact("file.link-out-of-pack"))
    if os.path.isdir(target):
        raise IrregularFile(facts.fact("file.link-to-folder"))
    if not os.path.exists(target):
        raise IrregularFile(facts.fact("file.broken-link"))
