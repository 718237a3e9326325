"""Parses aliases, enums, assertions and `using`: declarations of types that are no structs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from grader.facts import Fact, fact
from grader.simt.cuda.declared import Alias, Enum, Enumerator, StaticAssert, TypeDeclaration, Using
from grader.simt.cuda.literals import read_string
from grader.simt.cuda.names import GROUPS_REFUSED, NAMES_REFUSED, WMMA
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.declarators import Declarator, DeclaratorParser
from grader.simt.cuda.parser.functions import TemplateHead
from grader.simt.cuda.parser.scopes import GROUPS, ParserScope, ParserScopes, ScopeEntry
from grader.simt.cuda.parser.types import TypeParser
from grader.simt.cuda.places import Place, not_emulated
from grader.simt.cuda.syntax import NamedType, Type


class AliasParser:
    """Parses declarations of types that are no structs. `in_typedef` is True within a typedef."""

    def __init__(
        self, cursor: Cursor, scopes: ParserScopes, types: TypeParser, declarators: DeclaratorParser
    ) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self._types = types
        self._declarators = declarators
        self.in_typedef = False

    def using(self, template: TemplateHead | None) -> tuple[Alias | Using, ...]:
        """Parse `using`; nothing if it names a refused namespace, whose names are then refused."""
        cursor, place = self._cursor, self._cursor.expect("using").place
        if cursor.take("namespace"):
            used = self._use_namespace(place)
            return () if used is None else (used,)
        if cursor.peek(1).text == "=" or cursor.peek(1).text == "[":
            token = cursor.name()
            if cursor.text == "[":
                cursor.skip_balanced()
            cursor.expect("=")
            aliased = self._types.type()
            cursor.expect(";")
            return (self._alias(token.place, token.text, aliased, template),)
        found = list[Alias | Using]()
        while True:
            cursor.take("typename")
            name, entry = self._types.names.name()
            if entry:
                self._scopes.innermost.names[name.parts[-1].identifier] = entry
            pack, path = cursor.take("...") is not None, self._scopes.path
            found.append(Using(place, name, namespace=False, scope=path, pack=pack))
            if not cursor.take(","):
                break
        cursor.expect(";")
        return tuple(found)

    def _alias(self, place: Place, name: str, of: Type, template: TemplateHead | None) -> Alias:
        members = self._members_of(of)
        outside = template.outside if template else None
        parameters = template.parameters if template else None
        kind = "type" if parameters is None else "type template"
        self._scopes.declare(name, kind, members, into=outside)  # type: ignore[arg-type]
        return Alias(place, name, of, parameters, self._scopes.path)

    def _members_of(self, of: Type) -> ParserScope | None:
        if not isinstance(of, NamedType):
            return None
        entry: ScopeEntry | None = None
        for part in of.name.parts:
            scope = entry.members if entry else None
            entry = scope.find(part.identifier) if scope else self._scopes.find(part.identifier)
        return entry.members if entry else None

    def _use_namespace(self, place: Place) -> Using | None:
        cursor = self._cursor
        refused = _refused_namespace(cursor, self._scopes)
        if refused:
            cursor.skip_declaration()
            names, what = refused
            for each in names:
                self._scopes.refuse(each, not_emulated(what, place), "refused")
            return None
        name, entry = self._types.names.name()
        cursor.expect(";")
        if entry and entry.members:
            self._scopes.innermost.used.append(entry.members)
        if entry and entry.members is GROUPS:
            for each in GROUPS_REFUSED:
                what = fact("cpp.no-cooperative-group", name=each)
                self._scopes.refuse(each, not_emulated(what, place), "refused")
        return Using(place, name, namespace=True, scope=self._scopes.path)

    def namespace_alias(self) -> None:
        """Parse `namespace a = b;`; names through it are resolved here, so the tree has none."""
        cursor, place = self._cursor, self._cursor.expect("namespace").place
        token = cursor.name()
        cursor.expect("=")
        refused = _refused_namespace(cursor, self._scopes)
        if refused:
            cursor.skip_declaration()
            self._scopes.refuse(token.text, not_emulated(refused[1], place), "refused")
            return
        name, entry = self._types.names.name()
        cursor.expect(";")
        if entry:
            parts = tuple(part.identifier for part in name.parts)
            self._scopes.innermost.names[token.text] = replace(entry, alias=parts)

    def typedef(self) -> tuple[TypeDeclaration, ...]:
        """Parse `typedef`: an alias per name, behind the structs that it defines."""
        cursor = self._cursor
        self.in_typedef = True
        found = self._types.specifiers()
        self.in_typedef = False
        if found.type is None:
            raise self._types.unknown_type()
        made = list[TypeDeclaration]()
        while True:
            declarator = self._declarators.declarator(found.type)
            if declarator.name is None:
                raise cursor.expected_name()
            if cursor.text == "(":
                raise not_emulated(fact("cpp.no-function-pointers"), cursor.place)
            if not _is_itself(declarator):
                made.append(
                    self._alias(declarator.place, declarator.identifier, declarator.type, None)
                )
            if not cursor.take(","):
                break
        cursor.expect(";")
        return (*self._types.take_pending(), *made)

    def static_assert(self) -> StaticAssert:
        """Parse `static_assert`; its condition is not evaluated here."""
        cursor, place = self._cursor, self._cursor.next().place
        cursor.expect("(")
        condition = self._types.names.constant(in_angles=False)
        message = None
        if cursor.take(","):
            strings = [cursor.next()]
            while cursor.token.kind == "string":
                strings.append(cursor.next())
            if strings[0].kind != "string":
                raise cursor.unexpected()
            message = read_string(strings)
        cursor.expect(")")
        cursor.expect(";")
        return StaticAssert(place, condition, message, self._scopes.path)

    def enum(self) -> Enum:
        """Parse an enum's definition without what follows it, and declare its names."""
        cursor, place = self._cursor, self._cursor.expect("enum").place
        scoped = cursor.take("class", "struct") is not None
        token = cursor.name() if cursor.is_name() else None
        underlying = self._types.type() if cursor.take(":") else None
        members = ParserScope()
        if token:
            self._scopes.declare(token.text, "type", members)
        cursor.expect("{")
        found = list[Enumerator]()
        while cursor.text != "}":
            name = cursor.name()
            value = self._types.names.constant(in_angles=False) if cursor.take("=") else None
            found.append(Enumerator(name.place, name.text, value))
            members.names[name.text] = ScopeEntry("variable")
            if not scoped:
                self._scopes.declare(name.text, "variable")
            if not cursor.take(","):
                break
        cursor.expect("}")
        name_place = token.place if token else place
        name_text = token.text if token else ""
        return Enum(name_place, name_text, tuple(found), scoped, underlying, self._scopes.path)


def _is_itself(declarator: Declarator) -> bool:
    """Return True for `typedef struct {…} name;` and `typedef struct name {…} name;`."""
    of = declarator.type
    if not isinstance(of, NamedType) or of.const or len(of.name.parts) > 1:
        return False
    return of.name.parts[0].identifier == declarator.identifier


def _refused_namespace(cursor: Cursor, scopes: ParserScopes) -> tuple[Collection[str], Fact] | None:
    """Return what a refused namespace would make visible, and why it is refused."""
    ahead = 1 if cursor.text == "::" else 0
    first = cursor.peek(ahead).text
    if scopes.find(first) is not None:
        return None
    names = {"nvcuda": WMMA}.get(first, [])
    nested = cursor.peek(ahead + 1).text == "::"
    if first in NAMES_REFUSED:
        return ([] if nested else names), NAMES_REFUSED[first]
    return None
