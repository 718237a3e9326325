"""The tokens that the parser reads: where it is, what it expects, what it skips."""

from __future__ import annotations

import unicodedata

from grader.facts import Fact, fact
from grader.simt.cuda.names import KEYWORDS, WITH_PARENTHESES, WORDS_REFUSED
from grader.simt.cuda.places import IllFormed, Place, ill_formed, not_emulated
from grader.simt.cuda.syntax import HIGHEST
from grader.simt.cuda.tokens import Token

DEEPEST = 96
"""Statements, expressions, and declarators in each other; each takes up to six frames of Python."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MEANT = dict(zip("“”„‘’−–—×÷。、", '"""\'\'---*/.,', strict=True))
"""What was meant by a character that word processors and input methods make of one of C++."""


class Cursor:
    """A position in `tokens`, whose last is the `end`.

    Attributes:
        text: its text, which is asked for several times per token.
        in_angles: True among template arguments, where `>` ends an expression.
        depth: how many levels are open.
        device: True if functions without a specifier are for the device, as with NVRTC's option
            `--device-as-default-execution-space`.
    """

    def __init__(self, tokens: list[Token], *, device: bool = False) -> None:
        self._tokens = tokens
        self.device = device
        self.position = 0
        self.in_angles = False
        self.depth = 0
        self._angles: dict[int, int] = {}

    @property
    def position(self) -> int:
        """How many tokens are before the next one."""
        return self._position

    @position.setter
    def position(self, position: int) -> None:
        self._position = position
        self.token = self._tokens[position]
        self.text = self.token.text

    def peek(self, ahead: int) -> Token:
        """Return the token that is some tokens behind the next one."""
        try:
            return self._tokens[self._position + ahead]
        except IndexError:
            return self._tokens[-1]

    @property
    def place(self) -> Place:
        """The next token's place."""
        return self.token.place

    @property
    def at_end(self) -> bool:
        """True if no token is left."""
        return self.token.kind == "end"

    def next(self) -> Token:
        """Take a token; the end stays."""
        token = self.token
        if token.kind != "end":  # what the setter of `position` does, without a call of it
            self._position += 1
            self.token = after = self._tokens[self._position]
            self.text = after.text
        return token

    def take(self, *texts: str) -> Token | None:
        """Take the next token if it is one of these."""
        return self.next() if self.text in texts else None

    def expect(self, text: str) -> Token:
        """Take `text`.

        Raises:
            IllFormed: something else is here. A missing `;` is reported behind what it should end.
        """
        if self.text == text:
            return self.next()
        if text == ";" and self.position and self.token.kind != "other":
            before = self._tokens[self.position - 1]
            place = before.place._replace(column=before.place.column + len(before.text))
            raise ill_formed(fact("cpp.missing", text=text), place)
        raise self.unexpected(text)

    def unexpected(self, expected: str = "") -> IllFormed:
        """Make the error for the token that is here."""
        token = self.token
        if token.kind == "end":
            missing = fact("cpp.missing", text=expected)
            return ill_formed(missing if expected else fact("cpp.ends-too-early"), token.place)
        if token.kind == "other" and (foreign := _describe_foreign(token.text)):
            return ill_formed(foreign, token.place)
        shown = token.text[:40]
        if expected:
            return ill_formed(fact("cpp.expected", expected=expected, text=shown), token.place)
        return ill_formed(fact("cpp.unexpected", text=shown), token.place)

    def expected_name(self) -> IllFormed:
        """Make the error for what is here where a name must be."""
        if self.token.kind == "other":
            return self.unexpected()
        return ill_formed(fact("cpp.expected-name", text=self.text[:40]), self.place)

    def check_word(self) -> None:
        """Raise if a word of C++ is here that is not emulated.

        Raises:
            Refused: by name.
        """
        token = self.token
        if token.kind == "name" and (what := WORDS_REFUSED.get(token.text)):
            raise not_emulated(what, token.place)

    def is_name(self, ahead: int = 0) -> bool:
        """Return True if a name is here that is no keyword."""
        token = self.peek(ahead) if ahead else self.token
        return token.kind == "name" and token.text not in KEYWORDS

    def name(self) -> Token:
        """Take a name.

        Raises:
            IllFormed: something else is here.
        """
        if not self.is_name():
            self.check_word()
            if self.token.kind == "name":
                raise ill_formed(fact("cpp.keyword-as-name", text=self.text), self.place)
            raise self.expected_name()
        return self.next()

    def close_angle(self) -> None:
        """Take the `>` that closes template arguments, of `>>` the first.

        Raises:
            IllFormed: something else is here.
        """
        token = self.token
        if token.text == ">>" and token.kind == "operator":
            after = token.place._replace(column=token.place.column + 1)
            halves = token._replace(text=">"), token._replace(text=">", place=after)
            self._tokens[self.position : self.position + 1] = halves
            self.position = self._position  # the token that is here is another one
            self._angles.clear()
        self.expect(">")

    def deepen(self) -> None:
        """Go one level deeper; whoever does, takes 1 from `depth` where the level ends.

        Without `nested`, which does that, too: an operand is a level or two.

        Raises:
            Refused: that is too deep.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            raise not_emulated(fact("source.nested-too-deeply"), self.place)

    def nested(self, *, in_angles: bool | None = None) -> _Nested:
        """Go one level deeper; into template arguments, or out of them, if `in_angles` says so.

        Raises:
            Refused: that is too deep.
        """
        self.deepen()
        outside = self.in_angles
        if in_angles is not None:
            self.in_angles = in_angles
        return _Nested(self, outside)

    def check_chain(self, links: int) -> None:
        """Raise if a chain of operators is longer than a tree may be high.

        Raises:
            Refused: it is.
        """
        if links > HIGHEST:
            raise not_emulated(fact("source.nested-too-deeply"), self.place)

    def from_the_top(self) -> _FromTheTop:
        """Restore the depth behind a part whose parse may fail."""
        return _FromTheTop(self)

    # Skipping

    def skip_balanced(self) -> None:
        """Take what is in the bracket that is here, with the bracket.

        Raises:
            IllFormed: it is never closed, or by another one.
        """
        opened = list[Token]()
        while True:
            token = self.next()
            if token.kind == "end":
                first = opened[-1]
                raise ill_formed(fact("syntax.never-closed", bracket=first.text), first.place)
            if token.text in _CLOSING:
                opened.append(token)
            elif token.text in (")", "]", "}"):
                if _CLOSING[opened[-1].text] != token.text:
                    opening = opened[-1].text
                    what = fact("syntax.mismatched", bracket=token.text, opening=opening)
                    raise ill_formed(what, token.place)
                opened.pop()
                if not opened:
                    return

    def skip_angles(self) -> bool:
        """Take template arguments that begin here; False, and nothing taken, if these are none."""
        start = self.position
        if start not in self._angles:
            self._angles[start] = self._find_angle()
        self.position = self._angles[start]
        return self.position != start

    def _find_angle(self) -> int:
        """Return the position behind the template arguments that begin here, or this position.

        Of a `>>` whose second half closes others, it is the position of that token.
        """
        start, depth = self.position, 0
        while True:
            token = self.token
            if token.text in ("(", "["):
                self.skip_balanced()
                continue
            if token.kind == "end" or token.text in (";", "{", "}", ")"):
                return start
            self.next()
            depth += (token.text == "<") - (token.text == ">") - 2 * (token.text == ">>")
            if depth <= 0:
                return self.position + depth

    def skip_declaration(self, *, to_semicolon: bool = False) -> None:
        """Take a declaration, or a function with its body; `to_semicolon` if no body ends it.

        Raises:
            IllFormed: it never ends, or a kernel begins before it does.
        """
        while self.text == "template" and self.peek(1).text == "<":  # its `=` are defaults
            self.next()
            if not self.skip_angles():
                break
        declared = False
        while not (self.at_end or self.text == "}" or (declared and self.text == "__global__")):
            if self.take("operator"):
                self.take("=")
            if self.text == "=":
                to_semicolon = declared = True
            if self.text not in _CLOSING:
                if self.next().text == ";":
                    return
                continue
            braces = self.text == "{"
            declared |= self.text != "[" and self.peek(-1).text not in WITH_PARENTHESES
            self.skip_balanced()
            if braces and not to_semicolon and self.text not in (",", "{", "catch"):
                self.take(";")
                return
        self.expect(";")


def _describe_foreign(text: str) -> Fact | None:
    """Describe a character that no token begins with; None for one of ASCII, such as `@`."""
    if text in ("'", '"'):
        return fact("cpp.quote-without-end", quote=text)
    if text.isascii():
        return None
    meant = _MEANT.get(text) or unicodedata.normalize("NFKC", text)
    number = f"U+{ord(text):04X}"
    if meant.isspace():
        return fact("cpp.foreign-blank", number=number)
    if meant.isascii() and meant.isprintable():
        return fact("cpp.foreign-sign", text=text, number=number, meant=meant)
    return fact("cpp.foreign", text=text, number=number)


class _Nested:
    """A level that is open; a third of the time of a generator, once for every operator."""

    __slots__ = ("_cursor", "_outside")

    def __init__(self, cursor: Cursor, outside: bool) -> None:  # noqa: FBT001 - of `in_angles`
        self._cursor = cursor
        self._outside = outside

    def __enter__(self) -> None:
        pass

    def __exit__(self, error: object, *_: object) -> None:
        if error is None:  # `from_the_top` restores both behind what failed
            self._cursor.in_angles = self._outside
            self._cursor.depth -= 1


class _FromTheTop:
    """A part whose parse may fail; a class as `_Nested` is one, for each declaration and body."""

    __slots__ = ("_cursor", "_depth", "_in_angles")

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._depth, self._in_angles = cursor.depth, cursor.in_angles

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._cursor.depth, self._cursor.in_angles = self._depth, self._in_angles
