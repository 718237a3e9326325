"""What differs once a file was written or replaced, without reading it."""

from __future__ import annotations

import os


def find_state(path: str | os.PathLike[str]) -> str:
    """Return the state of a file, or of the names in a folder; "" if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return ""
    numbers = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return " ".join(map(str, numbers))
