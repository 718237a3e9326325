"""Checks what is skipped at file scope: that it has the form of a declaration.

What only the host uses is not parsed, since its headers are not read. So a name may be anything
here, but what no declaration begins with, and what lacks its type, is ill-formed.
"""

from __future__ import annotations

from grader.facts import fact
from grader.simt.cuda.names import DROPPED_FLAGS, FLAGS, KEYWORDS, SAME_FLAGS, words
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.heads import skip_attribute, skip_templates
from grader.simt.cuda.places import ill_formed, not_emulated

_NO_DECLARATION = words(
    """break case continue default do else for goto if return switch while this true false nullptr
    sizeof const_cast static_cast reinterpret_cast dynamic_cast new delete throw try catch"""
)
_FLAGS = FLAGS | DROPPED_FLAGS | SAME_FLAGS.keys() | words("const volatile typename friend virtual")
_TYPE_WORDS = (KEYWORDS - {"operator"}) | words("asm __asm__ __asm")
"""Words with a type in them, or that need none: `using`, `enum`, `static_assert`."""
_BEFORE_A_NAME = ("*", "&", "&&", "::", "...")


def check_begin(cursor: Cursor) -> None:
    """Check that a declaration may begin here.

    Raises:
        IllFormed: a statement does, or something else.
    """
    token, text = cursor.token, cursor.text
    attribute = text == "[" and cursor.peek(1).text == "["
    is_word = token.kind == "name" and text not in _NO_DECLARATION
    if not is_word and text != "::" and not attribute:
        raise cursor.unexpected()


def check_type(cursor: Cursor, *, macros: bool) -> None:
    """Check that the declaration here has a type and what has it; the cursor stays.

    Args:
        macros: True if a header that is not read may define macros with arguments.

    Raises:
        IllFormed: it has none.
        Refused: it is a function without a type of its result.
    """
    start = cursor.position
    try:
        _check_type(cursor, macros=macros)
    finally:
        cursor.position = start


def _check_type(cursor: Cursor, *, macros: bool) -> None:
    skip_templates(cursor)
    while cursor.text in _FLAGS or (cursor.text != "decltype" and skip_attribute(cursor)):
        cursor.take(*_FLAGS)
    first = cursor.token
    if first.text in _TYPE_WORDS:
        return
    names = _skip_name(cursor)
    if not names or names[-1] == "operator":
        return
    if cursor.text != "(":
        attribute = cursor.text == "[" and cursor.peek(1).text == "["
        if cursor.token.kind != "name" and cursor.text not in _BEFORE_A_NAME and not attribute:
            raise ill_formed(fact("cpp.no-declaration"), first.place)
    elif not (macros or _is_constructor(names) or _is_declarator(cursor)):
        cursor.skip_balanced()
        if cursor.text != "->":  # of a deduction guide
            raise not_emulated(fact("cpp.no-result", name=names[-1]), first.place)


def _is_constructor(names: list[str]) -> bool:
    return len(names) > 1 and names[-1] in (names[-2], "~")


def _is_declarator(cursor: Cursor) -> bool:
    """Return True if a name in parentheses is here: `(*name)`, `(name)(`, `(A::*name)`."""
    ahead = [cursor.peek(at).text for at in (1, 2, 3)]
    return ahead[0] in ("*", "&") or ahead[1:] == [")", "("] or ahead[1:] == ["::", "*"]


def _skip_name(cursor: Cursor) -> list[str]:
    """Take a name with its scopes; return its parts, "~" for that of a destructor."""
    names = list[str]()
    while True:
        cursor.take("::")
        if cursor.take("~"):
            cursor.next()
            return [*names, "~"]
        if cursor.text == "operator":
            return [*names, "operator"]
        if not cursor.is_name():
            return names
        names.append(cursor.next().text)
        if cursor.text == "<":
            cursor.skip_angles()
        if cursor.text != "::":
            return names
