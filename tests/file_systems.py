"""File systems of a test's own: a small disk, a folder that cannot be written."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mount(path: Path, *options: str) -> Iterator[None]:
    """Something mounted there, as `mount` has it; the test is skipped where that is forbidden."""
    done = subprocess.run(["mount", *options, str(path)], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"mounting is not permitted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)
