"""A mistake in what a person wrote, at its place; and the tree of a text that is Python."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable

from grader.facts import Fact, FactError, fact


class Mistake(FactError, ValueError):
    """A mistake at `line` and `column` (from 1) of `file`, which is "" for a text without one.

    Attributes:
        instead: what to write, where the catalogue does not know it by `what`.
    """

    def __init__(
        self,
        what: Fact,
        line: int = 1,
        column: int = 1,
        instead: Fact | None = None,
        file: str = "",
    ) -> None:
        super().__init__(what)
        self.line = line
        self.column = column
        self.instead = instead
        self.file = file

    def __str__(self) -> str:
        file = f"{self.file}:" if self.file else ""
        return f"{file}{self.line}:{self.column}: {self.what}"


def parse_python(source: str, mistake: type[Mistake], first: int = 0) -> ast.Module:
    """Parse a text that begins `first` lines below the first; nothing of it is executed.

    Raises:
        Mistake: it is not Python, as an error of the given class.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they would be printed over the screen
            # Python opens a file of that name to show its line in an error: "" is none.
            return ast.parse(source, filename="")
    except SyntaxError as error:
        line, column = error.lineno or 1, max(1, error.offset or 1)
        raise mistake(_syntax_fact(error.msg), line + first, column) from None
    except UnicodeEncodeError as error:
        before = source[: error.start]
        line, column = before.count("\n") + 1, error.start - before.rfind("\n")
        raise mistake(fact("syntax.not-text"), line + first, column) from None
    except (ValueError, RecursionError, MemoryError):
        raise mistake(fact("syntax.too-deep")) from None


_SYNTAX: tuple[tuple[str, Callable[[str, str], Fact]], ...] = (
    (r"'(.)' was never closed", lambda bracket, _: fact("syntax.never-closed", bracket=bracket)),
    (r"unmatched '(.)'", lambda bracket, _: fact("syntax.unmatched", bracket=bracket)),
    (
        r"closing parenthesis '(.)' does not match opening parenthesis '(.)'",
        lambda closing, opening: fact("syntax.mismatched", bracket=closing, opening=opening),
    ),
    (r"invalid syntax\. Perhaps you forgot a comma", lambda *_: fact("syntax.invalid.comma")),
    (r".*Maybe you meant '=='", lambda *_: fact("syntax.assignment")),
    (r"cannot assign to ([\w -]+)", lambda target, _: fact("syntax.cannot-assign", target=target)),
    (
        r"expected an indented block after (.+?)(?: on line \d+)?$",
        lambda statement, _: fact("syntax.expected-block", statement=statement),
    ),
    (r"expected (.+)", lambda expected, _: fact("syntax.expected", expected=expected)),
    (r"unexpected indent", lambda *_: fact("syntax.unexpected-indent")),
    (r"unindent does not match", lambda *_: fact("syntax.unindent")),
    (r"inconsistent use of tabs", lambda *_: fact("syntax.tabs")),
    (r"unterminated .*string", lambda *_: fact("syntax.unterminated-string")),
    (
        r"invalid (?:non-printable )?character (.+)",
        lambda character, _: fact("syntax.invalid-character", character=character),
    ),
    (r"unexpected character after line cont", lambda *_: fact("syntax.continuation")),
    (r"leading zeros in decimal", lambda *_: fact("syntax.leading-zeros")),
    (r"invalid .*literal", lambda *_: fact("syntax.invalid-number")),
    (r"positional argument follows", lambda *_: fact("syntax.argument-order")),
    (r"unexpected EOF", lambda *_: fact("syntax.end-of-file")),
    (r"Missing parentheses in call to 'print'", lambda *_: fact("syntax.print")),
    (r"invalid syntax", lambda *_: fact("syntax.invalid")),
)
"""How Python's own messages begin, and the fact that each stands for; the first that fits."""


def _syntax_fact(words: str) -> Fact:
    for pattern, describe in _SYNTAX:
        if found := re.match(pattern, words):
            first, second = (*found.groups(), "", "")[:2]
            return describe(first, second)
    return fact("syntax.other", words=words)
