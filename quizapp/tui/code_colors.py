"""How code is colored, in texts and in the editor alike: calm, in few of the theme's colors.

The accent is for keywords; values have one color, comments are dim. Right, wrong and attention
color verdicts only, never code. Loads Pygments and a part of Textual's editor.
"""

from __future__ import annotations

from rich.style import Style
from textual.color import Color
from textual.highlight import HighlightTheme, TokenType
from textual.theme import Theme
from textual.widgets.text_area import TextAreaTheme

_KEYWORD, _VALUE, _COMMENT, _NAME = "$text-accent", "$text-secondary", "dim italic", "bold"


_TOKENS: dict[TokenType, str] = {
    ("Comment",): _COMMENT,
    ("Comment", "Preproc"): _KEYWORD,
    ("Keyword",): _KEYWORD,
    ("Operator", "Word"): _KEYWORD,
    ("Literal", "Number"): _VALUE,
    ("Literal", "String"): _VALUE,
    ("Name", "Decorator"): _VALUE,
    ("Name", "Function"): _NAME,
    ("Name", "Class"): _NAME,
}
"""The tokens of Pygments that have a style."""


class CodeColors(HighlightTheme):
    """The styles of code in texts."""

    STYLES = _TOKENS


_STYLE_OF = {
    _KEYWORD: "keyword keyword.function keyword.return keyword.operator conditional repeat "
    "exception include",
    _VALUE: "string string.documentation number float boolean constant.builtin",
    _COMMENT: "comment",
    _NAME: "function method class",
}
"""The editor's names for tokens, by style."""


def editor_theme(theme: Theme, variables: dict[str, str]) -> TextAreaTheme:
    """Make the editor's colors.

    `variables`: the theme's colors by name, as the application computed them.
    """

    def color(name: str) -> str:
        return Color.parse(variables[name]).rich_color.name

    background = Color.parse(variables["background"])
    gutter = background.blend(Color.parse(variables["foreground"]), 0.45)
    styles = {
        _KEYWORD: Style(color=color("text-accent")),
        _VALUE: Style(color=color("text-secondary")),
        _COMMENT: Style(color=gutter.rich_color.name, italic=True),
        _NAME: Style(bold=True),
    }
    line = Style(bgcolor=color("surface"))
    return TextAreaTheme(
        name=theme.name,
        base_style=Style(color=color("foreground"), bgcolor=background.rich_color.name),
        gutter_style=Style(color=gutter.rich_color.name),
        cursor_line_style=line,
        cursor_line_gutter_style=line + Style(color=color("foreground")),
        syntax_styles={
            name: styles[style] for style, names in _STYLE_OF.items() for name in names.split()
        },
    )
