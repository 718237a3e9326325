"""The files a Python process needs to compute: its installation and system libraries."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

OURS = Path(__file__).resolve().parents[1]
"""The package `grader`."""
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_FILES = ("/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/urandom", "/etc/localtime")


def readable_paths() -> tuple[Path, ...]:
    """List what may be read, without duplicates; some paths may not exist here."""
    return tuple(dict.fromkeys(_list_paths()))


def _list_paths() -> Iterator[Path]:
    yield OURS
    yield Path(np.__file__).resolve().parents[1]  # where packages are installed
    yield Path(os.__file__).resolve().parent
    yield Path(sys.base_prefix, "lib")  # libraries that Python brings, as Conda's does
    yield from map(Path, (*_SYSTEM, *_FILES))
