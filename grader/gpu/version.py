"""What both ends of the protocol say of themselves when they meet."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

PROTOCOL = 2
"""Raised with every change of a request or an answer."""


def package_version() -> str:
    """Of the installed package; empty in a bare checkout, which is compared by protocol alone."""
    try:
        return version("gpu-quiz")
    except PackageNotFoundError:
        return ""
