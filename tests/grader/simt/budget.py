"""How much a launch of a test may take before it is ended."""

from __future__ import annotations

LAUNCH_BUDGET = 400_000_000
"""Operations, each up to a nanosecond."""
