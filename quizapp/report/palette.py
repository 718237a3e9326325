"""The colors of our own light and dark themes, for screens and for pages alike.

A color means one thing: right, wrong, attention, and one accent for what can be pressed or is
chosen; `secondary` is for values in code. Four heats color wavefronts by degree of conflict.
"""

from __future__ import annotations

DARK = {
    "background": "#11151c", "surface": "#1a202a", "panel": "#232b37", "foreground": "#d3dae3",
    "accent": "#6cb8f0", "secondary": "#b9a5e6", "success": "#84cc8d", "warning": "#e6bd69",
    "error": "#f4837d",
}  # fmt: skip
LIGHT = {
    "background": "#fbfbf9", "surface": "#f0f1ee", "panel": "#e3e5e1", "foreground": "#23292f",
    "accent": "#0a5ea8", "secondary": "#6b46a8", "success": "#1f6e2e", "warning": "#805300",
    "error": "#b4232a",
}  # fmt: skip
DARK_HEATS = ("#d9c97a", "#e6b25e", "#ee9560", "#f4837d")
LIGHT_HEATS = ("#6b5f00", "#8a5200", "#a34413", "#b4232a")
"""The colors of a 2-way bank conflict, of one up to 4-way, up to 8-way, and beyond."""
