"""Landlock: this process may read below some paths, and do nothing else with files.

Owns which rights each version (ABI) of Landlock knows, and the three system calls. The kernel's
documentation: https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from grader.confine.kernel_calls import syscall

NEWEST: Final = 7
"""The newest ABI that changed what can be denied or is known here; a newer kernel is used as this
one. ABI 7 changed logging only."""

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # on every machine
_VERSION_FLAG = 1
_PATH_BENEATH = 1

READ_FILE = 1 << 2
READ_DIR = 1 << 3
FILE_RIGHTS = {1: 0x1FFF, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""Rights on files by the ABI that brought them: 13 from execute to making links, then moving
between folders (refer), truncating, and ioctl on devices."""
TCP_RIGHTS = {4: 0b11}
"""Bind and connect."""
SCOPES = {6: 0b11}
"""Abstract Unix sockets and signals of processes outside."""

Call = Callable[..., int]


def abi(call: Call = syscall) -> int:
    """Return the version of Landlock that this kernel offers; 0 if it has none."""
    try:
        return call(_CREATE, None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def known_rights(rights: dict[int, int], version: int) -> int:
    """Return all rights of a kind that a version knows."""
    found = 0
    for since, bits in rights.items():
        found |= bits if since <= version else 0
    return found


def ruleset(version: int) -> bytes:
    """Build a version's `struct landlock_ruleset_attr`: everything it knows is denied."""
    fields = [known_rights(FILE_RIGHTS, version)]
    if version >= min(TCP_RIGHTS):
        fields.append(known_rights(TCP_RIGHTS, version))
    if version >= min(SCOPES):
        fields.append(known_rights(SCOPES, version))
    return struct.pack(f"={len(fields)}Q", *fields)


def restrict(readable: Iterable[Path], version: int, call: Call = syscall) -> None:
    """Confine this thread, and those it starts, for good. Needs "no new privileges".

    Args:
        readable: files and folders that may be read; one that does not exist is passed over.
        version: the ABI to use, from 1 to what the kernel offers.

    Raises:
        OSError: the kernel refused it; nothing is confined.
    """
    version = min(version, NEWEST)
    attributes = ruleset(version)
    rules = call(_CREATE, _buffer(attributes), len(attributes), 0)
    try:
        for path in readable:
            _allow_reading(rules, path, call)
        call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow_reading(rules: int, path: Path, call: Call) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights = READ_FILE | READ_DIR if path.is_dir() else READ_FILE
        call(_ADD, rules, _PATH_BENEATH, _buffer(struct.pack("=Qi", rights, opened)), 0)
    finally:
        os.close(opened)


def _buffer(data: bytes) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(data, len(data))
