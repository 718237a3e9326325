"""Scripts of docs/ as modules: they are run as programs, beside which their helpers stand."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).resolve().parent.parent / "docs"


@contextmanager
def script_of_docs(name: str) -> Iterator[ModuleType]:
    """Import a script as Python does that runs it."""
    sys.path.insert(0, str(DOCS))
    try:
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(DOCS))
