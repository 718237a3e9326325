"""What kernels came to, in files of the person's cache: what was run is not run again."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path


def read_results(folder: Path | None, question: str) -> dict[str, str]:
    """Read the results of a question; none without a folder, or of a damaged file."""
    known: dict[str, str] = {}
    if folder is not None:
        with suppress(OSError, ValueError, AttributeError):
            found = json.loads(_file(folder, question).read_bytes())
            known = {str(key): str(value) for key, value in found.items()}
    return known


def keep_results(folder: Path | None, question: str, known: dict[str, str]) -> None:
    """Write the results of a question; a cache that cannot be written costs time alone."""
    if folder is not None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            _file(folder, question).write_text(json.dumps(known))


def _file(folder: Path, question: str) -> Path:
    return folder / f"{question.replace('/', '-')}.json"
