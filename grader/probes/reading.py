"""Reads probes from plain data that another process left: decoded with types and limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grader.probes.values import KernelProbes


def read_probes(plain: Mapping[str, Any]) -> tuple[KernelProbes, ...]:
    """Read the probes of a script's kernels; none if they were not kept.

    Raises:
        msgspec.ValidationError: they are not what they must be.
    """
    return msgspec.convert(plain.get("probes", ()), tuple[KernelProbes, ...])
