"""The tokens of CUDA C++, each with its place. Knows no directives and no grammar.

A backslash at the end of a line joins it with the next, CRLF ends a line as LF does, and a byte
order mark is skipped. Comments are blanks. What no token begins with (`@`, a lone quotation mark)
is a token of kind "other": it is an error only where a kernel has it, since host code is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from typing import Literal, NamedTuple

from grader.facts import fact
from grader.simt.cuda.places import Place, ill_formed, not_emulated
from grader.simt.errors import Refused

Kind = Literal["name", "number", "character", "string", "operator", "pragma", "other", "end"]

MOST_CHARACTERS = 4_000_000
MOST_LINES = 100_000
"""In one file; NVIDIA's longest sample has 4,000."""
MOST_TOKENS = 200_000
"""Tokens that a source may have, and that its macros may make, counted together."""

_ANY = re.compile(
    r"""(?:[ \t\v\f]|//[^\n]*+|/\*.*?\*/)*+(?:(?P<name>(?:[^\W\d]|\$)[\w$]*+(?!["']))
    |(?P<newline>\n|\Z)
    |(?P<operator><<<|<<=|>>=|->\*|\.\.\.|\.\*|::|\+\+|--|->|&&|\|\||<<|>>|<=|>=|==|!=|\#\#
        |[-+*/%&^|]=|[-+*%&^|~!<>?:()\[\],;={}\#]|/(?!\*)|\.(?!\d))
    |(?P<number>\.?[0-9](?:[eEpP][+-]|'?\w|\.)*+)
    |(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]++|\\.)*+")
    |(?P<character>(?:u8|[uUL])?'(?:[^'\\\n]++|\\.)++')
    |(?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^ ()\\\t\n]{0,16})\(.*?\)(?P=delimiter)")
    |(?P<unended>(?:u8|[uUL])?R"[^ ()\\\t\n]{0,16}\()
    |(?P<word>(?:[^\W\d]|\$)[\w$]*+)
    |(?P<unclosed>/\*)
    |(?P<other>.))""",
    re.VERBOSE | re.DOTALL,
)
"""Blanks and comments, and what is behind them, in the order of how often it comes.

A name before a quotation mark may be a literal's prefix.
"""

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_CARRIAGE_RETURN = re.compile(r"\r\n?")

ALTERNATIVES = {
    "and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~",
    "and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=",
}  # fmt: skip
"""Operators that C++ also spells as words."""

NO_NAMES: frozenset[str] = frozenset()


class Token(NamedTuple):
    """A token at the place where the person sees it: of a macro's tokens, where the macro is used.

    `spaced` is True if a blank or a line's end is before it; `hidden` are the macros that it came
    from, which do not expand in it again.
    """

    kind: Kind
    text: str
    place: Place
    spaced: bool = False
    hidden: frozenset[str] = NO_NAMES


_make_place: Callable[[tuple[int, int, str]], Place] = partial(tuple.__new__, Place)
_make_token: Callable[[tuple[object, ...]], Token] = partial(tuple.__new__, Token)
"""As calls of the classes, without a function of Python for each: a seventh of the time to read."""


class Line(NamedTuple):
    """The tokens of a line; comments over several lines and splices make it long."""

    tokens: list[Token]
    directive: bool
    """True if it begins with `#`, which `tokens` still has."""


def read_lines(text: str, path: str = "") -> Iterator[Line]:
    """Yield the lines that have tokens.

    Raises:
        IllFormed: it is not text (NUL, UTF-16), or has a comment without an end.
        Refused: it is too long.
    """
    clean, starts = _join(_checked(text, path))
    (offset, number), following = starts[0], iter(starts[1:])
    after = next(following)
    found, spaced = list[Token](), True
    countless = len(clean) > MOST_TOKENS  # else it has fewer tokens than characters
    for match in _ANY.finditer(clean):
        kind, group = match.lastgroup, match.lastindex or 0
        if kind == "newline":
            if found:
                yield _line(found)
            found, spaced = [], True
            continue
        word, begin = match[group], match.start(group)
        spaced = spaced or begin > match.start()
        while after[0] <= begin:
            (offset, number), after = after, next(following)
        place = _make_place((number, begin - offset + 1, path))
        if kind not in ("name", "operator", "number") or word in ALTERNATIVES:
            kind, word = _rarer(kind, word, place)
        found.append(_make_token((kind, word, place, spaced, NO_NAMES)))
        if countless and len(found) > MOST_TOKENS:
            raise too_many_tokens(found[-1].place)
        spaced = False
    if found:
        yield _line(found)


def too_many_tokens(at: Place) -> Refused:
    """Make the error for a source, or its macros, beyond `MOST_TOKENS`."""
    return not_emulated(fact("cpp.too-many-tokens", limit=MOST_TOKENS), at)


def _line(tokens: list[Token]) -> Line:
    return Line(tokens, tokens[0].text == "#" and tokens[0].kind == "operator")


def _rarer(kind: str | None, word: str, place: Place) -> tuple[str | None, str]:
    """Return kind and text of what is not as it was matched."""
    if kind == "unclosed":
        raise ill_formed(fact("cpp.comment-without-end"), place)
    if kind == "unended":
        raise ill_formed(fact("cpp.string-without-end"), place)
    if word in ALTERNATIVES:
        return "operator", ALTERNATIVES[word]
    if kind == "raw":
        return "string", _plain_string(word[word.index("(") + 1 : word.rindex(")")])
    return "name" if kind == "word" else kind, word


def _checked(text: str, path: str) -> str:
    if len(text) > MOST_CHARACTERS or text.count("\n") > MOST_LINES:
        what = fact("cpp.source-too-long", lines=MOST_LINES, characters=MOST_CHARACTERS)
        raise not_emulated(what, Place(1, 1, path))
    if (nul := _NO_TEXT.search(text)) is not None:
        before = text[: nul.start()]
        line, column = before.count("\n") + 1, nul.start() - before.rfind("\n")
        raise ill_formed(fact("cpp.not-text"), Place(line, column, path))
    return _CARRIAGE_RETURN.sub("\n", text.removeprefix("\ufeff"))


def _join(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Join spliced lines; return the text, and where each line begins in it: (offset, number).

    The last of these is behind the text.
    """
    if "\\" not in text:
        begins = accumulate((len(line) + 1 for line in text.split("\n")), initial=0)
        starts = [(begin, number) for number, begin in enumerate(begins, 1)]
        return f"{text}\n", [*starts, (len(text) + 2, 0)]
    starts, parts, offset = [(0, 1)], list[str](), 0
    for number, line in enumerate(text.split("\n"), 2):
        ends = line.rstrip(" \t")
        spliced = ends.endswith("\\")
        part = ends[:-1] if spliced else f"{line}\n"
        parts.append(part)
        offset += len(part)
        starts.append((offset, number))
    starts.append((offset + 1, 0))
    return "".join(parts), starts


def _plain_string(inner: str) -> str:
    """Return an ordinary literal of what a raw one holds."""
    escaped = inner.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
