"""Carries out `#define`: replaces each macro by its tokens, at the place of its use.

Knows macros with and without parameters, no other directive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.facts import fact
from grader.layouts.c.tokens import Token, tokens
from grader.layouts.errors import NotUnderstood
from grader.layouts.names import argument_count, shorten

_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\)*", re.MULTILINE)
_DEFINE = re.compile(r"\s*#\s*define\s+(?P<name>[A-Za-z_]\w*)(?P<parameters>\([^)]*\))?", re.ASCII)
_PARAMETER = re.compile(r"\s*[A-Za-z_]\w*\s*", re.ASCII)
_MOST_TOKENS = 20_000


@dataclass(frozen=True, slots=True)
class _Macro:
    """A macro; `parameters` is None for one without parentheses."""

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


def expand_macros(source: str, *, comments: bool) -> list[Token]:
    """Split a source into tokens, with all its macros replaced and an `end` after the last.

    Raises:
        NotUnderstood: another directive, a macro that is used wrongly, or one that grows too long.
    """
    macros: dict[str, _Macro] = {}
    for found in _DIRECTIVE.finditer(source):
        name, macro = _macro(found.group(), source.count("\n", 0, found.start()) + 1)
        macros[name] = macro
    rest = _DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), source)
    plain = tokens(rest, comments=comments)
    return list(_Expansion().replace(plain, macros)) if macros else plain


def _macro(directive: str, line: int) -> tuple[str, _Macro]:
    found = _DEFINE.match(directive)
    column = directive.index("#") + 1
    if found is None:
        word = directive.split("#")[1].split()
        what = fact("layout.directive", name=shorten(word[0]) if word else "")
        raise NotUnderstood(what, line, column)
    text = directive[found.end() :].replace("\\\n", "  ")
    body = tuple(tokens(text, comments=True, first_line=line)[:-1])
    if found["parameters"] is None:
        return found["name"], _Macro(None, body)
    names = found["parameters"][1:-1].split(",")
    if not all(_PARAMETER.fullmatch(name) for name in names):
        what = fact("layout.macro-parameters", name=shorten(found["name"]))
        raise NotUnderstood(what, line, column)
    return found["name"], _Macro(tuple(name.strip() for name in names), body)


class _Expansion:
    """The expansion of one source, with a limit on its length."""

    def __init__(self) -> None:
        self._left = _MOST_TOKENS

    def replace(self, found: Sequence[Token], macros: Mapping[str, _Macro]) -> Iterator[Token]:
        """Yield the tokens with macros replaced, except a macro inside itself, as in C."""
        at = 0
        while at < len(found):
            token = found[at]
            at += 1
            self._left -= 1
            if self._left < 0:
                raise NotUnderstood(fact("layout.macros-too-long"), *token.place)
            macro = macros.get(token.text) if token.kind == "name" else None
            called = at < len(found) and found[at].text == "("
            if macro is None or (macro.parameters is not None and not called):
                yield token
                continue
            body = [part._replace(place=token.place) for part in macro.body]
            if macro.parameters is not None:
                arguments, at = _arguments(found, at, token)
                if len(arguments) != len(macro.parameters):
                    what = argument_count(token.text, len(macro.parameters), len(arguments))
                    raise NotUnderstood(what, *token.place)
                given = {
                    name: list(self.replace(argument, macros))
                    for name, argument in zip(macro.parameters, arguments, strict=True)
                }
                body = [part for token in body for part in given.get(token.text, [token])]
            others = {name: macro for name, macro in macros.items() if name != token.text}
            yield from self.replace(body, others)


def _arguments(found: Sequence[Token], at: int, name: Token) -> tuple[list[list[Token]], int]:
    """Split the arguments after the parenthesis at `at`, and say where the rest begins."""
    depth, arguments = 0, list[list[Token]]([[]])
    for position in range(at, len(found)):
        token = found[position]
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if depth == 0:
            return arguments, position + 1
        if depth == 1 and token.text == ",":
            arguments.append([])
        elif position > at:
            arguments[-1].append(token)
    raise NotUnderstood(fact("layout.missing", text=")"), *name.place)
