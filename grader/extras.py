"""Which extras are installed: packages that a question may need. Imports none of them."""

from __future__ import annotations

from importlib.util import find_spec

_PACKAGES = {"triton": "triton"}
"""By the extra's name, a package that it installs."""


def is_installed(extra: str) -> bool:
    """Return True if an extra's package is there; a folder of its name is none."""
    spec = find_spec(_PACKAGES[extra])
    return spec is not None and spec.origin is not None
