"""Parses names with their template arguments, and looks up what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.names import ARITHMETIC_WORDS, LIBRARIES, STRUCTS, refused_name, words
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.scopes import GROUPS, STANDARD, ParserScopes, ScopeEntry
from grader.simt.cuda.places import not_emulated
from grader.simt.cuda.syntax import Expansion, Expression, NamePart, TemplateArgument, Type
from grader.simt.cuda.tokens import Token

_OPERATORS = words(
    """+ - * / % ^ & | ~ ! = < > += -= *= /= %= ^= &= |= << >> >>= <<= == != <= >= && || ++ -- , ->
    ->*"""
)
_BEGIN_TYPES = ARITHMETIC_WORDS | STRUCTS | {"const", "volatile", "typename", "enum", "decltype"}
_REFUSED_TYPES = words(
    """texture surface curandState curandState_t cuComplex
    cuFloatComplex cuDoubleComplex CUtensorMap"""
)
"""Types among the names that are refused, so that their use is read as a declaration."""
_NO_ENTRY: ScopeEntry | None = None


class _ParseConstant(Protocol):
    """Parses an expression without a comma; `in_angles` says whether `>` ends it."""

    def __call__(self, *, in_angles: bool) -> Expression: ...


class NameParser:
    """Parses names.

    What is in template arguments is parsed by `constant` and `type`, which their owners set, since
    names, types and expressions hold each other.
    """

    constant: _ParseConstant
    type: Callable[[], Type]
    """Parses a type without a name."""

    def __init__(self, cursor: Cursor, scopes: ParserScopes) -> None:
        self._cursor = cursor
        self._scopes = scopes

    def resolve(self, ahead: int = 0) -> ScopeEntry | None:
        """Return what the name is that begins `ahead` tokens later; None if it is unknown."""
        cursor, token = self._cursor, self._cursor.peek(ahead)
        if cursor.peek(ahead + 1).text not in ("::", "<") and cursor.is_name(ahead):
            return self._scopes.find(token.text)
        start = cursor.position
        cursor.position += ahead
        try:
            rooted = cursor.take("::") is not None
            self._skip_library()
            entry = None
            while cursor.is_name():
                name = cursor.next().text
                if entry:
                    entry = entry.members.find(name) if entry.members else None
                else:
                    entry = self._first(name, rooted=rooted)
                if entry is None:
                    return None
                if cursor.text == "<" and entry.is_template and not cursor.skip_angles():
                    return entry
                if cursor.text == "::" and cursor.peek(1).text == "operator":
                    return None  # a function
                if cursor.text != "::" or not cursor.is_name(1):
                    return entry
                cursor.next()
            return None
        finally:
            cursor.position = start

    def _skip_library(self) -> None:
        """Take the `cuda::` of a name of `cuda::std` that means what `std` has built in."""
        cursor = self._cursor
        if cursor.text != "cuda" or cursor.peek(4).text not in STANDARD.names:
            return
        if [cursor.peek(at).text for at in (1, 2, 3)] == ["::", "std", "::"]:
            cursor.position += 2

    def _first(self, name: str, *, rooted: bool) -> ScopeEntry | None:
        """Return what the name before the cursor is, the first of its parts."""
        if rooted:
            return self._scopes.find_global(name)
        return self._scopes.find(name, qualifies=self._cursor.text == "::")

    def name(self) -> tuple[syntax.Name, ScopeEntry | None]:
        """Parse a qualified name with its template arguments; return also what it is.

        Raises:
            Refused: it is refused by name, or no kernel can use it.
        """
        cursor = self._cursor
        place, rooted = cursor.place, cursor.take("::") is not None
        self._skip_library()
        parts, entry = list[NamePart](), _NO_ENTRY
        while True:
            template = cursor.take("template") is not None
            if cursor.text == "operator":
                parts.append(self.operator_name())
                return syntax.Name(place, tuple(parts), rooted), None
            token = cursor.name()
            qualifies = cursor.text == "::"
            if parts:
                inside = entry
                entry = entry.members.find(token.text) if entry and entry.members else None
                of_std = len(parts) == 1 and parts[0].identifier == "std"  # which sources extend
                if entry is None and inside and (inside.members is STANDARD or of_std):
                    raise not_emulated(fact("cpp.no-std", name=token.text), place)
                if entry is None and inside and inside.members is GROUPS:
                    raise not_emulated(fact("cpp.no-cooperative-group", name=token.text), place)
                library = LIBRARIES.get(parts[0].identifier)
                if entry is None and library and inside and inside.kind == "namespace":
                    raise not_emulated(
                        fact("cpp.no-library-name", name=token.text, library=library), place
                    )
            else:
                entry = self._first(token.text, rooted=rooted)
            self._check(token, entry, first=not parts, qualifies=qualifies)
            arguments = None
            if cursor.text == "<" and (template or (entry is not None and entry.is_template)):
                arguments = self.template_arguments()
            if not parts and entry and entry.alias:
                parts.extend(NamePart(token.place, each) for each in entry.alias)
            else:
                parts.append(NamePart(token.place, token.text, arguments))
            follows = cursor.is_name(1) or cursor.peek(1).text in ("template", "operator")
            if cursor.text != "::" or not follows:
                return syntax.Name(place, _at_home(parts, entry), rooted), entry
            cursor.next()

    def plain_name(self, *, of_type: bool = False) -> syntax.Name | None:
        """Take a name of one part, as most are, if it is one `of_type`, or no type.

        Returns:
            None, and nothing is taken, if something else is here.
        """
        cursor = self._cursor
        if not cursor.is_name() or cursor.peek(1).text in ("::", "<"):
            return None
        token = cursor.token
        entry = self._scopes.find(token.text)
        is_type = entry.is_type if entry else token.text in _REFUSED_TYPES
        if is_type != of_type:
            return None
        if entry is None or entry.refusal:
            self._check(token, entry, first=True, qualifies=False)
        place, parts = cursor.next().place, (NamePart(token.place, token.text),)
        return syntax.Name(place, _at_home(parts, entry) if entry and entry.home else parts)

    def _check(
        self, token: Token, entry: ScopeEntry | None, *, first: bool, qualifies: bool
    ) -> None:
        """Raise if the name is refused, or is of what no kernel can use."""
        if entry is None and first and (what := refused_name(token.text, qualifies=qualifies)):
            raise not_emulated(what, token.place)
        if entry and entry.refusal:
            what = entry.refusal.what
            if entry.kind == "unavailable" and what.code != "cpp.unavailable":
                what = fact("cpp.unavailable", name=token.text, why=what)
            raise not_emulated(what, token.place)

    def operator_name(self) -> NamePart:
        """Parse `operator+` and the like, `operator()`, `operator[]`.

        Raises:
            IllFormed: no operator follows.
        """
        cursor = self._cursor
        place = cursor.expect("operator").place
        cursor.check_word()
        if cursor.text in ("(", "["):
            opening = cursor.next().text
            closing = cursor.expect(")" if opening == "(" else "]").text
            return NamePart(place, f"operator{opening}{closing}")
        if cursor.text in _OPERATORS:
            return NamePart(place, f"operator{cursor.next().text}")
        if cursor.token.kind == "string":
            raise not_emulated(fact("cpp.no-literal-operators"), place)
        raise cursor.unexpected()

    def template_arguments(self) -> tuple[TemplateArgument, ...]:
        """Parse `<…>`: types and constant expressions."""
        cursor, found = self._cursor, list[TemplateArgument]()
        cursor.expect("<")
        with cursor.nested():
            while cursor.text not in (">", ">>"):
                place = cursor.place
                argument = self.template_argument()
                found.append(Expansion(place, argument) if cursor.take("...") else argument)
                if not cursor.take(","):
                    break
        cursor.close_angle()
        return tuple(found)

    def template_argument(self) -> TemplateArgument:
        """Parse one argument: a type if one can stand here, else an expression."""
        cursor = self._cursor
        if self.starts_type():
            start = cursor.position
            found = self.type()
            if cursor.text in (",", ">", ">>", "..."):
                return found
            cursor.position = start
        return self.constant(in_angles=True)

    def is_qualified(self) -> bool:
        """Return True if `::` follows the name that is here, or its template arguments."""
        cursor = self._cursor
        if cursor.peek(1).text not in ("::", "<"):
            return False
        start = cursor.position
        cursor.next()
        qualified = cursor.text == "::" or (
            cursor.text == "<" and cursor.skip_angles() and cursor.text == "::"
        )
        cursor.position = start
        return qualified

    def starts_type(self, ahead: int = 0) -> bool:
        """Return True if a type begins `ahead` tokens later."""
        token = self._cursor.peek(ahead)
        if token.text == "::":
            entry = self.resolve(ahead)
        elif token.kind != "name":
            return False
        elif token.text in _BEGIN_TYPES:
            return True
        else:
            entry = self.resolve(ahead)
            if entry is None:
                return token.text in _REFUSED_TYPES and not self._scopes.find(token.text)
        return entry is not None and entry.is_type


def _at_home(parts: Sequence[NamePart], entry: ScopeEntry | None) -> tuple[NamePart, ...]:
    """Return a name's parts; of what a namespace of CUDA has, behind that, however it is called."""
    if entry is None or not entry.home:
        return tuple(parts)
    return NamePart(parts[0].place, entry.home), parts[-1]
