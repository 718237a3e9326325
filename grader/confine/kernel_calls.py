"""System calls that Python has no function for, through ctypes; an error is an `OSError`."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from typing import Final

NO_NEW_PRIVS: Final = 38
PARENT_DEATH_SIGNAL: Final = 1
"""Options of `prctl`, from linux/prctl.h."""


def machine() -> str:
    """Return the machine's name as Linux gives it; empty where the kernel is not Linux."""
    return platform.machine() if sys.platform.startswith("linux") else ""


def syscall(number: int, *arguments: int | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call; integers are passed as longs, buffers by their address.

    Raises:
        OSError: the kernel refused it, or there is no such call.
    """
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    passed = [
        ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments
    ]
    found: int = call(ctypes.c_long(number), *passed)
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return found


def prctl(option: int, value: int) -> None:
    """Set an option of this process.

    Raises:
        OSError: the kernel refused it, or is not Linux.
    """
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "prctl"):
        raise OSError(f"{sys.platform} has no prctl")
    longs = [ctypes.c_ulong(number) for number in (value, 0, 0, 0)]
    if library.prctl(ctypes.c_int(option), *longs) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
