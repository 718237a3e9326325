"""What a kernel can call, by name. A table per module; each entry types a call and evaluates it."""

from __future__ import annotations

from grader.simt.intrinsics.calling import Intrinsic, Special
from grader.simt.intrinsics.tables import INTRINSICS, SPECIAL

__all__ = ["INTRINSICS", "SPECIAL", "Intrinsic", "Special"]
