"""The values of number, character and string literals, with the types that C++ gives them.

Types are those of 64-bit Linux: `long` has 64 bits.
"""

from __future__ import annotations

import re

from grader.facts import fact
from grader.simt.cuda.places import ill_formed, not_emulated
from grader.simt.cuda.syntax import (
    CharacterLiteral,
    Expression,
    FloatLiteral,
    IntegerLiteral,
    StringLiteral,
)
from grader.simt.cuda.tokens import Token

_INTEGER = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|(?P<oct>0[0-7]*)|(?P<dec>[1-9][0-9]*))"
    r"(?P<suffix>[uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?"
)
_FLOAT = re.compile(
    r"(?P<digits>(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?)(?P<suffix>[fFlL]?)"
)
_HEX_FLOAT = re.compile(
    r"(?P<digits>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?\d+)(?P<suffix>[fFlL]?)"
)
_OF_A_PERSON = re.compile(r"[0-9.][0-9a-fA-FxX.]*_[A-Za-z_]\w*")
"""A number whose suffix a function of the source's own reads."""
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}
_TYPES = (
    ("int", 31), ("unsigned int", 32), ("long", 63), ("unsigned long", 64),
    ("long long", 63), ("unsigned long long", 64),
)  # fmt: skip
"""Types that an integer literal may have, in the order in which they are tried, and their bits."""
_LONGEST = 400
_SMALL = re.compile("0|[1-9][0-9]{,8}")

_ESCAPE = re.compile(
    r"\\(?:(?P<hex>x[0-9a-fA-F]+)|(?P<oct>[0-7]{1,3})|(?P<wide>u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
    r"|(?P<one>.))",
    re.DOTALL,
)
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?", "e": "\x1b",
}  # fmt: skip


def read_number(token: Token) -> Expression:
    """Read a number.

    Raises:
        IllFormed: it is not a number, or an integer beyond 64 bits.
        Refused: its suffix is the source's own.
    """
    text = token.text.replace("'", "")
    if _SMALL.fullmatch(text):  # as most numbers
        return IntegerLiteral(token.place, int(text), "int")
    if len(text) <= _LONGEST:
        if match := _INTEGER.fullmatch(text):
            return _integer(token, match)
        if match := _FLOAT.fullmatch(text) or _HEX_FLOAT.fullmatch(text):
            single = match["suffix"] in ("f", "F")
            read = float.fromhex if text[:2] in ("0x", "0X") else float
            try:
                value = read(match["digits"])
            except OverflowError:
                value = float("inf")
            return FloatLiteral(token.place, value, "float" if single else "double", text)
    if _OF_A_PERSON.fullmatch(text):
        raise not_emulated(fact("cpp.no-literal-operators"), token.place)
    raise ill_formed(fact("cpp.bad-number", text=token.text[:40]), token.place)


def _integer(token: Token, match: re.Match[str]) -> IntegerLiteral:
    base = next(name for name in _BASES if match[name] is not None)
    value = int(match[base], _BASES[base])
    suffix = (match["suffix"] or "").lower()
    longs = suffix.count("l")
    for name, bits in _TYPES:
        unsigned = name.startswith("unsigned")
        if name.count("long") < longs or ("u" in suffix and not unsigned):
            continue
        if unsigned and "u" not in suffix and base == "dec":
            continue
        if value < 1 << bits:
            return IntegerLiteral(token.place, value, name)
    raise ill_formed(fact("cpp.beyond-64-bits", text=token.text[:40]), token.place)


def read_character(token: Token) -> CharacterLiteral:
    """Read a character; its value is that of a signed char.

    Raises:
        IllFormed: it has more than one character, or an unknown escape.
    """
    if token.text[0] != "'":
        raise ill_formed(fact("cpp.wide-text", text=token.text[:40]), token.place)
    encoded = _unescape(token, token.text[1:-1])
    if len(encoded) != 1:
        raise ill_formed(fact("cpp.long-character", text=token.text[:40]), token.place)
    return CharacterLiteral(token.place, encoded[0] - 256 * (encoded[0] > 127))


def read_string(tokens: list[Token]) -> StringLiteral:
    """Read strings that are adjacent, as one.

    Raises:
        IllFormed: a prefix (`L"…"`), or an unknown escape.
    """
    if wide := next((token for token in tokens if token.text[0] != '"'), None):
        raise ill_formed(fact("cpp.wide-text", text=wide.text[:40]), wide.place)
    value = b"".join(_unescape(token, token.text[1:-1]) for token in tokens)
    return StringLiteral(tokens[0].place, value)


def _unescape(token: Token, text: str) -> bytes:
    if "\\" not in text:
        return text.encode()
    found, at = bytearray(), 0
    for match in _ESCAPE.finditer(text):
        found += text[at : match.start()].encode()
        at = match.end()
        if match["hex"] or match["oct"]:
            value = int(match["hex"][1:], 16) if match["hex"] else int(match["oct"], 8)
            if value > 255:
                raise ill_formed(fact("cpp.bad-escape", text=match.group()[:12]), token.place)
            found.append(value)
        elif match["wide"]:
            try:
                found += chr(int(match["wide"][1:], 16)).encode()
            except (ValueError, OverflowError):
                what = fact("cpp.bad-escape", text=match.group())
                raise ill_formed(what, token.place) from None
        elif match["one"] in _ESCAPES:
            found += _ESCAPES[match["one"]].encode()
        else:
            raise ill_formed(fact("cpp.bad-escape", text=match.group()), token.place)
    return bytes(found + text[at:].encode())
