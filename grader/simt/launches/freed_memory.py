"""Has this process keep the memory that NumPy frees, since the next vector needs as much again.

By default glibc gives it back to the system as soon as a few vectors of a chunk are free, and each
page of the next ones is a fault: half of the time of a launch that does little with each element.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1
"""Names of `mallopt`: bytes from which a block is mapped by itself, and free bytes at the end of
the heap above which these are given back."""
_MAPPED, _FREE = 32 << 20, 64 << 20


@cache
def keep_freed_memory() -> None:
    """Keep up to `_FREE` bytes, from here on; does nothing where the C library is not glibc."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _MAPPED)
        mallopt(_TRIM_THRESHOLD, _FREE)
