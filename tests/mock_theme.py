"""A theme of mock interviews that tests ask: their own version, so that the shipped one may change.

It overlays the shipped one: a recall, a number, a choice that quotes it, a kernel, two recalls.
"""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parent / "data" / "mock"
"""A folder of packs with nothing but the theme."""


def overlay_theme(own_content: Path) -> None:
    """Put the theme where a person keeps their own content."""
    shutil.copytree(ROOT, own_content, dirs_exist_ok=True)
