"""Parses structs, and says what of the declarations of types is parsed where."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import Enum, TypeDeclaration
from grader.simt.cuda.names import STRUCTS
from grader.simt.cuda.parser.aliases import AliasParser
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.declarators import Declarator, DeclaratorParser
from grader.simt.cuda.parser.functions import (
    Deferred,
    FunctionParser,
    TemplateHead,
    refused_function,
)
from grader.simt.cuda.parser.heads import read_head
from grader.simt.cuda.parser.scopes import ParserScope, ParserScopes
from grader.simt.cuda.parser.types import Specifiers, TypeParser
from grader.simt.cuda.places import IllFormed, Place, not_emulated
from grader.simt.cuda.syntax import NamedType, NamePart
from grader.simt.errors import Refused


@dataclass(slots=True)
class _Members:
    """What a struct's body declares, while it is parsed."""

    members: list[syntax.Variable] = field(default_factory=list)
    constants: list[syntax.Variable] = field(default_factory=list)
    functions: list[declared.Function] = field(default_factory=list)
    types: list[TypeDeclaration] = field(default_factory=list)
    deferred: list[Deferred] = field(default_factory=list)
    private: set[str] = field(default_factory=set)
    friends: list[declared.Function] = field(default_factory=list)
    befriends: bool = False
    virtual: bool = False


class StructParser:
    """Parses declarations of types, at any level."""

    functions: FunctionParser
    """Set by its owner, since statements hold structs and structs functions."""

    def __init__(
        self, cursor: Cursor, scopes: ParserScopes, types: TypeParser, declarators: DeclaratorParser
    ) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self._types = types
        self._declarators = declarators
        types.define = self._define
        self._aliases = AliasParser(cursor, scopes, types, declarators)
        self._last_members: ParserScope | None = None

    def type_declaration(self) -> tuple[TypeDeclaration, ...]:
        """Parse `using`, `typedef`, `static_assert`, a namespace's alias, or a definition and `;`.

        Raises:
            Refused: something in it is not emulated.
        """
        match self._cursor.text:
            case "using":
                return self._aliases.using(None)
            case "typedef":
                return self._aliases.typedef()
            case "static_assert":
                return (self._aliases.static_assert(),)
            case "namespace":
                self._aliases.namespace_alias()
                return ()
        return self.definition(TemplateHead(None, self._scopes.innermost))

    def definition(self, template: TemplateHead) -> tuple[TypeDeclaration, ...]:
        """Parse a struct's or an enum's definition with its `;`, or an alias template."""
        cursor = self._cursor
        if cursor.text == "using":
            return self._aliases.using(template)
        made = self._aliases.enum() if cursor.text == "enum" else self._struct(template)
        if isinstance(made, declared.Struct) and not made.name:  # its members would be variables
            raise not_emulated(fact("cpp.no-anonymous-members"), made.place)
        cursor.expect(";")
        return (*self._types.take_pending(), made)

    def forward(self, template: TemplateHead) -> bool:
        """Parse a class template that is defined elsewhere, with its `;`; False if none is here."""
        cursor = self._cursor
        name = cursor.peek(1).text
        if not (cursor.text in STRUCTS and cursor.is_name(1) and cursor.peek(2).text == ";"):
            return False
        if self._scopes.find(name) is None:
            members = ParserScope(struct=True)
            self._scopes.declare(name, "type template", members, into=template.outside)
        cursor.position += 3
        return True

    def namespace_alias(self) -> None:
        """Parse `namespace a = b;`."""
        self._aliases.namespace_alias()

    # Structs

    def _define(self) -> NamedType | None:
        """Parse a definition within a declaration; None if here is only a struct's name."""
        cursor, place = self._cursor, self._cursor.place
        if read_head(cursor).kind != "struct":
            return None
        template = TemplateHead(None, self._scopes.innermost)
        made: Enum | declared.Struct = (
            self._aliases.enum() if cursor.text == "enum" else self._struct(template)
        )
        if not made.name:
            typedef = self._aliases.in_typedef and cursor.is_name()
            made = replace(made, name=cursor.text if typedef else _invented_name(place))
            self._scopes.declare(made.name, "type", self._last_members)
        self._types.add_pending(made)
        return NamedType(place, syntax.Name(place, (NamePart(place, made.name),)))

    def _struct(self, template: TemplateHead) -> declared.Struct:
        cursor, place = self._cursor, self._cursor.place
        keyword = cursor.next().text
        attributes = self._types.attributes()
        token = cursor.name() if cursor.is_name() else None
        specialized = self._types.names.template_arguments() if cursor.text == "<" else None
        members = ParserScope(struct=True)
        if token and specialized is None:
            kind = "type" if template.parameters is None else "type template"
            self._scopes.declare(token.text, kind, members, into=template.outside)  # type: ignore[arg-type]
        cursor.take("final")
        bases = self._bases(members)
        name = token.text if token else ""
        with cursor.nested(), self._scopes.inside(members, name):
            found = self._body(name, hidden=keyword == "class")
        self._last_members = members
        primary = self._scopes.find(name) if specialized is not None else None
        if primary and primary.members:  # behind its arguments, it may be the specialization
            for each, entry in members.names.items():
                primary.members.names.setdefault(each, entry)
        return declared.Struct(
            token.place if token else place,
            name,
            keyword,
            tuple(found.members),
            tuple(found.constants),
            tuple(found.functions),
            tuple(found.types),
            attributes,
            template.parameters,
            specialized,
            self._scopes.path,
            frozenset() if found.befriends else frozenset(found.private),
            bases,
            tuple(found.friends),
            found.virtual,
        )

    def _bases(self, members: ParserScope) -> tuple[declared.Base, ...]:
        """Parse the bases of a struct, if it has any; their names are known among its members.

        Raises:
            Refused: one is virtual.
        """
        cursor, found = self._cursor, list[declared.Base]()
        if not cursor.take(":"):
            return ()
        while True:
            while cursor.take("public", "private", "protected"):
                pass
            if cursor.text == "virtual":
                raise not_emulated(fact("cpp.no-virtual"), cursor.place)
            cursor.take("typename")
            place = cursor.place
            name, entry = self._types.names.name()
            if entry and entry.members and entry.members is not members:  # itself, recursively
                members.used.append(entry.members)
            pack = cursor.take("...") is not None
            found.append(declared.Base(place, NamedType(place, name), pack))
            if not cursor.take(","):
                return tuple(found)

    def _body(self, name: str, *, hidden: bool) -> _Members:
        cursor, found = self._cursor, _Members()
        cursor.expect("{")
        while cursor.text != "}":
            if cursor.at_end:
                raise cursor.unexpected("}")
            if cursor.text in ("public", "private", "protected") and cursor.peek(1).text == ":":
                hidden = cursor.text != "public"
                cursor.position += 2
            elif cursor.text == "friend" and not self._defines_friend():
                cursor.skip_declaration()
                found.befriends = True
            elif not cursor.take(";"):
                members, functions = len(found.members), len(found.functions)
                self._member(name, found)
                if hidden:
                    found.private.update(each.name for each in found.members[members:])
                    found.private.update(each.name for each in found.functions[functions:])
        end = cursor.position
        finished = {id(each.function): self.functions.finish(each) for each in found.deferred}
        every = [finished.get(id(each), each) for each in found.functions]
        found.functions = [each for each in every if "friend" not in each.specifiers]
        found.friends = [each for each in every if "friend" in each.specifiers and each.body]
        found.befriends |= len(every) > len(found.functions)
        cursor.position = end
        cursor.expect("}")
        return found

    def _defines_friend(self) -> bool:
        """Return True for a friend that is a function with its body."""
        cursor, start = self._cursor, self._cursor.position
        cursor.skip_declaration()
        last = -2 if cursor.peek(-1).text == ";" else -1
        cursor.position, closes = start, cursor.peek(last).text == "}"
        return closes

    def _member(self, name: str, found: _Members) -> None:
        cursor, start = self._cursor, self._cursor.position
        head = read_head(cursor)
        first = (cursor.peek(ahead).text for ahead in range(head.opening))
        found.virtual |= head.kind == "function" and "virtual" in first
        try:
            with cursor.from_the_top(), self.functions.template() as template:
                self._parse_member(name, found, template)
        except Refused as refusal:
            ill_formed = isinstance(refusal, IllFormed)
            if head.kind != "function" or (ill_formed and head.on_device):
                raise
            cursor.position = start
            cursor.skip_declaration()
            if head.on_device:
                kind = "function template" if head.template else "function"
                self._scopes.declare(head.name, kind)  # type: ignore[arg-type]
                path = self._scopes.path
                found.functions.append(refused_function(head.name, refusal, head.words, path))

    def _parse_member(self, name: str, found: _Members, template: TemplateHead) -> None:
        cursor, head = self._cursor, read_head(self._cursor)
        if cursor.text == "using" and template.parameters is not None:
            found.types.extend(self.definition(template))
        elif cursor.text in ("using", "typedef", "static_assert"):
            found.types.extend(self.type_declaration())
        elif head.kind == "struct":
            self._nested_type(found, template)
        elif head.kind == "function":
            specifiers = self._types.specifiers()
            declarator = self._function_name(name, specifiers)
            found.functions.append(self._function(specifiers, declarator, template, found))
        else:
            self._variables(found)

    def _variables(self, found: _Members) -> None:
        cursor = self._cursor
        specifiers = self._types.specifiers()
        if specifiers.type is None:
            raise self._types.unknown_type()
        if cursor.take(";"):
            return
        variables = self._declarators.variables(specifiers)
        if cursor.text == ":":
            raise not_emulated(fact("cpp.no-bit-fields"), cursor.place)
        cursor.expect(";")
        static = "static" in specifiers.flags
        (found.constants if static else found.members).extend(variables)

    def _nested_type(self, found: _Members, template: TemplateHead) -> None:
        """Parse a struct within a struct, and the members of its type that follow it."""
        cursor = self._cursor
        made: Enum | declared.Struct = (
            self._aliases.enum() if cursor.text == "enum" else self._struct(template)
        )
        if not made.name and isinstance(made, declared.Struct):
            made = replace(made, name=_invented_name(made.place))
            if cursor.text == ";":
                named = NamedType(
                    made.place, syntax.Name(made.place, (NamePart(made.place, made.name),))
                )
                found.members.append(syntax.Variable(made.place, f"anonymous:{made.name}", named))
        found.types.append(made)
        if cursor.text != ";":
            named = NamedType(
                made.place, syntax.Name(made.place, (NamePart(made.place, made.name),))
            )
            found.members.extend(self._declarators.variables(Specifiers(made.place, named)))
        cursor.expect(";")

    def _function_name(self, name: str, found: Specifiers) -> Declarator:
        """Parse the name of a member function; of a constructor the type is its name."""
        cursor = self._cursor
        if cursor.text == "~":
            return self._destructor_name(found)
        if cursor.text == "(" and isinstance(found.type, NamedType):
            constructor = found.type
            if constructor.name.parts[-1].identifier == name:
                found.type = None
                return Declarator(constructor.name, constructor, constructor.place)
        if cursor.text == "operator" and found.type is None and self._types.names.starts_type(1):
            place = cursor.place
            text, to = self.functions.conversion()
            found.type = to
            return Declarator(syntax.Name(place, (NamePart(place, f"operator {text}"),)), to, place)
        if found.type is None:
            raise self._types.unknown_type()
        declarator = self._declarators.declarator(found.type)
        if declarator.name is None:
            raise cursor.expected_name()
        return declarator

    def _destructor_name(self, found: Specifiers) -> Declarator:
        """Parse `~name`, of a function that returns nothing."""
        cursor, place = self._cursor, self._cursor.place
        cursor.expect("~")
        name = syntax.Name(place, (NamePart(place, f"~{cursor.name().text}"),))
        found.type = self._types.nothing(place)
        return Declarator(name, found.type, place)

    def _function(
        self,
        specifiers: Specifiers,
        declarator: Declarator,
        template: TemplateHead,
        found: _Members,
    ) -> declared.Function:
        """Parse a member function; the body of one for the host is skipped."""
        deferred = list[Deferred]()
        made = self.functions.function(specifiers, declarator, template, deferred)
        if made.specifiers & {"__device__", "constexpr", "__global__"}:
            found.deferred.extend(deferred)
        return made


def _invented_name(place: Place) -> str:
    return f"struct_{place.line}_{place.column}"
