"""The color themes that there are, our own first. Loads a part of Textual, which takes 40 ms.

One palette each, in which a color means one thing: right, wrong, attention, and one accent for what
can be pressed or is chosen; `secondary` is for values in code. Four heats color wavefronts by
degree of conflict. No color stands without a sign. Tests hold the contrast of every color.
"""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

from grader.did_you_mean import suggest
from grader.facts import Fact, fact
from quizapp.report.palette import DARK, DARK_HEATS, LIGHT, LIGHT_HEATS

HEATS = ("heat-1", "heat-2", "heat-3", "heat-4")
"""The colors of a 2-way bank conflict, of one up to 4-way, up to 8-way, and beyond."""

_CONTRAST = {
    "background": "#000000", "surface": "#161616", "panel": "#2a2a2a", "foreground": "#ffffff",
    "accent": "#7fd4ff", "secondary": "#d9c6ff", "success": "#8cff9b", "warning": "#ffe066",
    "error": "#ff9c94",
}  # fmt: skip


def _theme(name: str, palette: dict[str, str], heats: tuple[str, ...], *, dark: bool) -> Theme:
    """Make a theme whose text has exactly the colors of the palette."""
    text = {f"text-{part}": palette[part] for part in ("accent", "secondary", "success")}
    text |= {f"text-{part}": palette[part] for part in ("warning", "error")}
    accent, foreground = palette["accent"], palette["foreground"]
    return Theme(
        name=name,
        primary=accent,
        secondary=palette["secondary"],
        warning=palette["warning"],
        error=palette["error"],
        success=palette["success"],
        accent=accent,
        foreground=foreground,
        background=palette["background"],
        surface=palette["surface"],
        panel=palette["panel"],
        dark=dark,
        variables={
            **text,
            "text-primary": accent,
            **dict(zip(HEATS, heats, strict=True)),
            "block-cursor-text-style": "bold",
            "border": f"{foreground} 30%",
            "border-blurred": f"{foreground} 15%",
            "input-selection-background": f"{accent} 30%",
            "scrollbar": f"{foreground} 25%",
            "scrollbar-hover": f"{foreground} 45%",
            "scrollbar-active": accent,
            "scrollbar-background": palette["background"],
            "scrollbar-background-hover": palette["background"],
            "scrollbar-background-active": palette["background"],
        },
    )


OWN_THEMES = (
    _theme("quiz-dark", DARK, DARK_HEATS, dark=True),
    _theme("quiz-light", LIGHT, LIGHT_HEATS, dark=False),
    _theme("quiz-contrast", _CONTRAST, ("#fff3a6", "#ffd45c", "#ffb37a", "#ff9c94"), dark=True),
)
THEMES = (*(theme.name for theme in OWN_THEMES), *sorted(BUILTIN_THEMES))


def default_heats(theme: Theme) -> dict[str, str]:
    """Return the heats of a theme that has none, from attention to wrong."""
    wrong = theme.error or theme.primary
    attention = theme.warning or wrong
    return dict(zip(HEATS, (attention, attention, wrong, wrong), strict=True))


def unknown_theme(name: str) -> tuple[Fact, Fact]:
    """State that there is no such theme, and which there are."""
    return fact("config.no-theme", name=name), suggest(name, THEMES)
