"""A calm bar for a share: a heavy line as far as it goes, a light one to its end.

The two differ in weight, so that it reads the same without color.
"""

from __future__ import annotations

from textual.content import Content

FULL, REST = "━", "─"


def gauge(share: float, width: int, style: str = "$accent") -> Content:
    """Draw `width` columns, `share` (0–1) of them full; nothing but the light line for 0."""
    full = round(max(0.0, min(1.0, share)) * width)
    full = max(full, 1) if share > 0 else full
    return Content.assemble((FULL * full, style), (REST * (width - full), "$foreground 20%"))
