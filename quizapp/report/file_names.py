"""How files are named to a person: as seen from the current folder."""

from __future__ import annotations

from pathlib import Path


def below_here(file: str) -> Path:
    """Return a file's path from the current folder, if it is there; else the path as it is."""
    path, here = Path(file), Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
