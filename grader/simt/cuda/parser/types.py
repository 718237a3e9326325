"""Parses names, types, and specifiers. Owns the choice whether a name is a type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from grader.did_you_mean import suggest
from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.declared import TypeDeclaration
from grader.simt.cuda.names import (
    ALIGNMENT,
    ARITHMETIC_WORDS,
    ATTRIBUTES,
    CONST,
    DROPPED_FLAGS,
    FLAGS,
    RESTRICT,
    SAME_FLAGS,
    STRUCTS,
    TYPES,
    words,
)
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.qualified import NameParser
from grader.simt.cuda.parser.scopes import ParserScopes
from grader.simt.cuda.places import Place, ill_formed, not_emulated
from grader.simt.cuda.syntax import (
    DecltypeType,
    Expression,
    NamedType,
    NamePart,
    PointerType,
    ReferenceType,
    SizeOf,
    Type,
)
from grader.simt.cuda.trees import is_auto

POINTERS = words("* & &&")
_ARITHMETIC: dict[tuple[str, ...], str] = {}
"""The spelling of a type that the tree has, by its words in alphabetical order."""


def _spell(*spellings: str) -> None:
    for each in spellings:
        _ARITHMETIC[tuple(sorted(each.split()))] = spellings[0]


for _one in ("void", "bool", "char", "float", "double", "auto", "signed char", "unsigned char"):
    _spell(_one)
for _one in ("wchar_t", "char8_t", "char16_t", "char32_t"):
    _spell(_one)
_spell("short", "short int", "signed short", "signed short int")
_spell("unsigned short", "unsigned short int")
_spell("int", "signed", "signed int")
_spell("unsigned int", "unsigned")
_spell("long", "long int", "signed long", "signed long int")
_spell("unsigned long", "unsigned long int")
_spell("long long", "long long int", "signed long long", "signed long long int")
_spell("unsigned long long", "unsigned long long int")
_spell("long double")


@dataclass(slots=True)
class Specifiers:
    """What stands before a declarator. `type` is None if no type is there."""

    place: Place
    type: Type | None = None
    flags: set[str] = field(default_factory=set)
    alignment: Expression | None = None
    sizes: dict[str, tuple[Expression, ...]] = field(default_factory=dict)
    const: bool = False
    volatile: bool = False
    typedef: bool = False


class TypeParser:
    """Parses types. What is in them is parsed by functions that their owners set."""

    declarator: Callable[[Type], Type]
    """Parses the `*`, `&` and `[n]` of a type without a name."""
    define: Callable[[], NamedType | None]
    """Parses a struct's or an enum's definition; None if here is only its name."""

    def __init__(self, cursor: Cursor, scopes: ParserScopes) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self.names = NameParser(cursor, scopes)
        self.names.type = self.type
        self._pending: list[TypeDeclaration] = []

    def add_pending(self, made: TypeDeclaration) -> None:
        """Note a struct that is defined within a declaration (`struct {…} x;`)."""
        self._pending.append(made)

    def take_pending(self) -> tuple[TypeDeclaration, ...]:
        """Return the structs defined within the declaration that was parsed, to stand before it."""
        pending, self._pending = tuple(self._pending), []
        return pending

    # Types

    def type(self) -> Type:
        """Parse a type without a name: `const float*`, `int[4]`.

        Raises:
            IllFormed: no type is here, or a specifier that a type does not have.
        """
        cursor, place = self._cursor, self._cursor.place
        found = self.specifiers()
        if found.type is None:
            raise self.unknown_type()
        if found.flags - {"constexpr"} or found.typedef:
            raise ill_formed(fact("cpp.unexpected", text=cursor.peek(-1).text), place)
        return self.declarator(found.type)

    def nothing(self, place: Place) -> Type:
        """Make the type that stands for a constructor's result while its name is parsed."""
        return _arithmetic(place, ["void"])

    def is_auto(self, of: Type) -> bool:
        """Return True for `auto`, and for a reference to it."""
        return is_auto(of.target if isinstance(of, ReferenceType) else of)

    def unknown_type(self) -> Exception:
        """Make the error for what is not a type where one must be."""
        cursor = self._cursor
        cursor.check_word()
        if not cursor.is_name():
            return cursor.unexpected()
        place = cursor.place
        name, _ = self.names.name()  # what is refused by name says so
        instead = suggest(name.spelled, TYPES, fact("cpp.unknown-type.hint"))
        return not_emulated(fact("cpp.unknown-type", name=name.spelled), place, instead)

    def specifiers(self) -> Specifiers:
        """Parse what stands before a declarator, in any order: `static const float`.

        Raises:
            IllFormed: words that make no type together.
        """
        cursor = self._cursor
        found, spelled = Specifiers(cursor.place), list[str]()
        start, first = cursor.position, found.place
        while cursor.token.kind in ("name", "operator"):
            text = cursor.text
            if text in ARITHMETIC_WORDS and found.type is None:
                cursor.check_word()
                if not spelled and cursor.position > start:
                    first = cursor.place
                spelled.append(cursor.next().text)
            elif text in _SPECIFIERS and self._flag(found, text):
                continue
            elif found.type is None and not spelled and (named := self._named()):
                found.type = named
            else:
                break
        if spelled:
            found.type = _arithmetic(first, spelled)
        if found.type is not None and (found.const or found.volatile):
            found.type = _qualified(found.type, const=found.const, volatile=found.volatile)
        return found

    def attributes(self) -> Expression | None:
        """Parse `__align__(n)` and other attributes behind `struct`; return the alignment."""
        found = Specifiers(self._cursor.place)
        while self._cursor.text in _ATTRIBUTES_OF_STRUCTS:
            if not self._flag(found, self._cursor.text):
                break
        return found.alignment

    def _flag(self, found: Specifiers, text: str) -> bool:  # noqa: C901 - a table of words
        """Take a specifier that is no type; False if none is here."""
        cursor = self._cursor
        text = SAME_FLAGS.get(text, text)
        if text == "extern" and cursor.peek(1).kind == "string":
            found.flags.add(text)
            cursor.next()
        elif text in FLAGS:
            found.flags.add(text)
        elif text in CONST:
            found.const = True
        elif text == "volatile":
            found.volatile = True
        elif text == "typedef":
            found.typedef = True
        elif text == "thread_local":
            cursor.check_word()
        elif text in _SIZED:
            cursor.next()
            found.sizes[text] = self._parenthesized()
            return True
        elif text in ALIGNMENT:
            cursor.next()
            found.alignment = self._alignment()
            return True
        elif text in ATTRIBUTES:
            cursor.next()
            found.alignment = self._attributes() or found.alignment
            return True
        elif text == "[" and cursor.peek(1).text == "[":
            cursor.skip_balanced()
            return True
        elif text not in DROPPED_FLAGS:
            return False
        cursor.next()
        return True

    def _parenthesized(self) -> tuple[Expression, ...]:
        cursor, found = self._cursor, list[Expression]()
        cursor.expect("(")
        while cursor.text != ")":
            found.append(self.names.constant(in_angles=False))
            if not cursor.take(","):
                break
        cursor.expect(")")
        return tuple(found)

    def _alignment(self) -> Expression:
        """Parse what is behind `alignas`; of a type its alignment."""
        cursor = self._cursor
        if self.names.starts_type(1):
            from_type = self._alignment_of_type()
            if from_type is not None:
                return from_type
        values = self._parenthesized()
        if len(values) != 1:
            raise cursor.unexpected()
        return values[0]

    def _alignment_of_type(self) -> Expression | None:
        cursor, start = self._cursor, self._cursor.position
        place = cursor.expect("(").place
        found = self.type()
        if cursor.take(")"):
            return SizeOf(place, found, alignment=True)
        cursor.position = start
        return None

    def _attributes(self) -> Expression | None:
        """Take `((…))`; return the alignment in `((aligned(n)))`."""
        cursor = self._cursor
        opens = [cursor.peek(ahead).text for ahead in range(4)]
        if opens == ["(", "(", "aligned", "("]:
            for _ in range(3):
                cursor.next()
            found = self._parenthesized()
            cursor.expect(")")
            cursor.expect(")")
            return found[0]
        cursor.skip_balanced()
        return None

    def _named(self) -> Type | None:
        """Take a type by its name; None if no type is here."""
        cursor = self._cursor
        if (name := self.names.plain_name(of_type=True)) is not None:
            return NamedType(name.place, name)
        text, place = cursor.text, cursor.place
        if text in STRUCTS or text == "enum":
            if defined := self.define():
                return defined
            cursor.next()
            if cursor.is_name() and self._scopes.find(cursor.text) is None:
                self._scopes.declare(cursor.text, "type")
            return NamedType(place, self.names.name()[0])
        if text == "typename":
            cursor.next()
            return NamedType(place, self.names.name()[0])
        if text == "decltype":
            return self._decltype(place)
        if (text == "::" or cursor.is_name()) and self.names.starts_type():
            return NamedType(place, self.names.name()[0])
        return None

    def _decltype(self, place: Place) -> Type:
        """Parse `decltype(operand)`; `decltype(auto)` is `auto` here."""
        cursor = self._cursor
        cursor.next()
        if [cursor.peek(ahead).text for ahead in range(3)] == ["(", "auto", ")"]:
            cursor.position += 3
            return _arithmetic(place, ["auto"])
        start = cursor.position + 1
        operands = self._parenthesized()
        end, cursor.position = cursor.position, start
        wrapped = cursor.text == "("
        if wrapped:
            cursor.skip_balanced()
            wrapped = cursor.position == end - 1
        cursor.position = end
        if wrapped:  # it is a reference to what has a place
            raise not_emulated(fact("cpp.no-decltype-references"), place)
        if cursor.text == "::" or len(operands) != 1:
            raise not_emulated(fact("cpp.no-decltype-names"), place)
        return DecltypeType(place, operands[0])

    def pointers(self, base: Type) -> Type:
        """Parse `*`, `&` and `&&` with their qualifiers, as they stand before a name."""
        cursor, links = self._cursor, 0
        while cursor.text in POINTERS:
            links += 1
            cursor.check_chain(links)
            token = cursor.next()
            qualifiers = set[str]()
            while cursor.text in ("const", "volatile") or cursor.text in RESTRICT:
                word = cursor.next().text
                qualifiers.add("restrict" if word in RESTRICT else word)
            restrict = "restrict" in qualifiers
            if token.text == "*":
                const, volatile = "const" in qualifiers, "volatile" in qualifiers
                base = PointerType(token.place, base, const, volatile, restrict)
            else:
                base = ReferenceType(token.place, base, token.text == "&&", restrict)
        return base


def _arithmetic(place: Place, spelled_out: Sequence[str]) -> NamedType:
    spelled = _ARITHMETIC.get(tuple(sorted(spelled_out)))
    if spelled is None:
        raise ill_formed(fact("cpp.no-such-type", name=" ".join(spelled_out)), place)
    return NamedType(place, syntax.Name(place, (NamePart(place, spelled),)))


def _qualified(base: Type, *, const: bool, volatile: bool) -> Type:
    assert isinstance(base, NamedType | DecltypeType)
    return replace(base, const=const, volatile=volatile)


_SPECIFIERS = (
    FLAGS
    | DROPPED_FLAGS
    | SAME_FLAGS.keys()
    | ALIGNMENT
    | ATTRIBUTES
    | CONST
    | words(
        """extern volatile typedef thread_local [ __cluster_dims__ __launch_bounds__
    __maxnreg__"""
    )
)
"""What `_flag` may take."""
_SIZED = words("__launch_bounds__ __cluster_dims__ __maxnreg__")
"""Words with numbers behind them; registers are not emulated."""
_ATTRIBUTES_OF_STRUCTS = ALIGNMENT | ATTRIBUTES | {"["}
