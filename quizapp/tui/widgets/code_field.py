"""Text areas: for an essay, and for code, which is indented as it is written."""

from __future__ import annotations

import re

import tree_sitter_cpp
from rich.text import Text
from textual import events
from textual.widgets import TextArea
from tree_sitter import Language

from quizapp.domain.question import CodeLanguage
from quizapp.system.safe_text import one_to_one
from quizapp.tui.code_colors import editor_theme

INDENT = 4
_CPP = """
(comment) @comment
[(number_literal) (char_literal) (string_literal) (true) (false)] @number
(preproc_directive) @keyword
["#define" "#if" "#ifdef" "#ifndef" "#else" "#endif" "#include"] @keyword
["break" "case" "const" "constexpr" "continue" "default" "do" "else" "extern" "for" "if" "inline"
 "namespace" "return" "sizeof" "static" "struct" "switch" "template" "typedef" "typename" "union"
 "using" "volatile" "while"] @keyword
(auto) @keyword
(function_declarator declarator: (identifier) @function)
"""
"""What is colored of C++, as a query of tree-sitter."""


class TextField(TextArea):
    """Shows a sign for each character that would steer the terminal; the text keeps it.

    Its colors are those of the application's theme.
    """

    DEFAULT_CSS = "TextField { scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; }"

    def on_mount(self) -> None:
        """Follow the theme."""
        self.watch(self.app, "theme", self._follow_theme)

    def _follow_theme(self) -> None:
        """Take the theme's colors; without colors those of the style sheet, with a cursor."""
        if self.app.no_color:
            self.theme = "css"
            return
        colors = editor_theme(self.app.current_theme, self.app.theme_variables)
        self.register_theme(colors)
        self.theme = colors.name

    def get_line(self, line_index: int) -> Text:
        """Return a line as it is drawn."""
        line = super().get_line(line_index)
        line.plain = one_to_one(line.plain)
        return line


class CodeField(TextField):
    """Keeps the indent on a new line, and deepens it where a block begins. May mark a line."""

    _marked = 0

    def use_language(self, language: CodeLanguage) -> None:
        """Color the text as code of a language."""
        wanted = "cpp" if language == "cuda" else "python"
        if wanted == "cpp" and "cpp" not in self.available_languages:
            self.register_language("cpp", Language(tree_sitter_cpp.language()), _CPP)
        if self.language != wanted:
            self.language = wanted

    def mark(self, line: int, *, scrolls: bool = True) -> None:
        """Mark a line, from 1, until the text is changed; 0 for none. `scrolls` to it."""
        if line != self._marked:
            self._marked = line
            self.notify_style_update()  # drawn lines are kept until then
            self.refresh()
            if scrolls:
                self.call_after_refresh(self._scroll_to_mark)  # its height may change meanwhile

    def _scroll_to_mark(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if self._marked and not top < self._marked <= top + height:
            self.scroll_to(y=max(0, self._marked - 1 - height // 2), animate=False)

    def get_line(self, line_index: int) -> Text:
        """Return a line as it is drawn; the marked one stands out, also without colors."""
        line = super().get_line(line_index)
        if line_index + 1 == self._marked:
            begins = len(line.plain) - len(line.plain.lstrip())
            line.stylize("underline bold", begins, len(line.plain.rstrip()))
        return line

    def on_text_area_changed(self) -> None:
        """Remove the mark: what was said of a line may no longer be true."""
        self.mark(0)

    def on_resize(self) -> None:
        """Keep the cursor in sight when what stands below takes some of the height."""
        self.scroll_cursor_visible()

    def action_delete_left(self) -> None:
        """Delete what is selected, a level of the indent before the cursor, or a character."""
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        if not before or before.strip(" ") or not self.selection.is_empty:
            super().action_delete_left()
            return
        self._delete_via_keyboard((row, (column - 1) // INDENT * INDENT), (row, column))

    async def _on_key(self, event: events.Key) -> None:
        """Begin a line as deep as the one that Enter ends; escape is the screen's."""
        if event.key == "escape":
            event.prevent_default()  # which would leave the field, whatever escape means now
            return
        if event.key != "enter" or self.read_only:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        begins = before.rstrip().endswith("{" if self.language == "cpp" else ":")
        depth = len(before) - len(before.lstrip(" ")) + INDENT * begins
        start, end = self.selection
        self._replace_via_keyboard("\n" + " " * depth, start, end)


_RETURN = re.compile(r"\s*return\b")


def begin_below(source: str) -> tuple[str, tuple[int, int]]:
    """Return a starter with a line to write in, and the place there as row and column, from 0.

    The line is below the last one of the function, before a brace that ends it, and as deep as the
    function's body; deeper below a line that begins a block, or `pass`. It is above a result that
    the body returns: nothing below that would run, and what is written there takes its place or
    prepares it. A single expression has no lines: it is changed at its end.
    """
    above = source.rstrip().split("\n")
    below = [above.pop()] if len(above) > 1 and above[-1].strip() == "}" else []
    _drop_blank(above)
    last = above[-1]
    if len(above) == 1 and not _begins_block(last):
        return source, (0, len(last))
    begins = max(i for i, line in enumerate(above) if line[:1].strip() or not i)
    body = [i for i, line in enumerate(above) if i > begins and line.strip()]
    indent = min((_indent(above[i]) for i in body), key=len, default=" " * INDENT)
    own = [i for i in body if _indent(above[i]) == indent]
    if own and _RETURN.match(above[own[-1]]):
        below = above[own[-1] :] + below
        del above[own[-1] :]
        _drop_blank(above)
    elif body and (_begins_block(last) or last.strip() == "pass"):
        indent = _indent(last) + " " * INDENT * _begins_block(last)
    return "\n".join([*above, indent, *below]) + "\n", (len(above), len(indent))


def _drop_blank(lines: list[str]) -> None:
    """Remove blank lines at the end."""
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _begins_block(line: str) -> bool:
    return line.rstrip().endswith((":", "{"))
