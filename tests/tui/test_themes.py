"""Our themes: every color of text can be read on every background that text stands on."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from quizapp.tui.code_colors import editor_theme
from quizapp.tui.gauge import gauge
from quizapp.tui.themes import HEATS, OWN_THEMES, THEMES

TEXTS = ("accent", "secondary", "success", "warning", "error", *HEATS)
GROUNDS = ("background", "surface")
LEAST = {"quiz-dark": 4.5, "quiz-light": 4.5, "quiz-contrast": 7.0}
"""WCAG 2's contrast for text: AA, and AAA for the theme that is about contrast."""


def luminance(color: Color) -> float:
    """WCAG 2.2's relative luminance."""
    parts = [value / 255 for value in (color.r, color.g, color.b)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Color, other: Color) -> float:
    """WCAG 2.2's contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colors(theme: Theme) -> dict[str, str]:
    return {**theme.to_color_system().generate(), **theme.variables}


@pytest.mark.parametrize("theme", OWN_THEMES, ids=lambda theme: theme.name)
def test_every_text_can_be_read(theme: Theme):
    found = colors(theme)
    for ground in GROUNDS:
        for name in ("foreground", *TEXTS):
            text = Color.parse(found.get(f"text-{name}", found[name]))
            assert contrast(text, Color.parse(found[ground])) >= LEAST[theme.name], (name, ground)


@pytest.mark.parametrize("theme", OWN_THEMES, ids=lambda theme: theme.name)
def test_a_color_means_one_thing(theme: Theme):
    found = colors(theme)
    meanings = [found[name] for name in ("accent", "success", "warning", "error", "secondary")]
    assert len(set(meanings)) == len(meanings)
    assert len({found[heat] for heat in HEATS}) == len(HEATS)


def test_ours_come_first():
    assert THEMES[:3] == ("quiz-dark", "quiz-light", "quiz-contrast")


@pytest.mark.parametrize("theme", OWN_THEMES, ids=lambda theme: theme.name)
def test_the_editor_has_the_colors_of_the_theme(theme: Theme):
    found = colors(theme)
    made = editor_theme(theme, found)
    base = made.base_style
    assert base is not None
    assert base.bgcolor is not None
    assert base.color is not None
    assert base.bgcolor.name == found["background"].lower()
    keyword = made.syntax_styles["keyword"].color
    assert keyword is not None
    assert keyword.name == found["text-accent"].lower()
    assert made.syntax_styles["function"].bold


def test_a_gauge_is_as_full_as_the_share():
    assert gauge(0, 8).plain == "─" * 8
    assert gauge(0.01, 8).plain == "━" + "─" * 7
    assert gauge(0.5, 8).plain == "━" * 4 + "─" * 4
    assert gauge(1, 8).plain == "━" * 8
