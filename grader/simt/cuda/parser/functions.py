"""Parses functions: their header, and their body or the reason why it is not emulated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import MemberInitializer, TemplateParameter
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.declarators import Declarator, DeclaratorParser
from grader.simt.cuda.parser.invented import invent_types
from grader.simt.cuda.parser.scopes import ParserScope, ParserScopes
from grader.simt.cuda.parser.statements import StatementParser
from grader.simt.cuda.parser.types import Specifiers, TypeParser
from grader.simt.cuda.places import IllFormed, Place
from grader.simt.cuda.syntax import Initializer, Type
from grader.simt.errors import Refused

_AFTER_HEADERS = frozenset({"{", ";", "=", ":"})


class TemplateHead(NamedTuple):
    """What stands before a declaration: `parameters` is None if it is no template."""

    parameters: tuple[TemplateParameter, ...] | None
    outside: ParserScope
    """The scope in which the declaration's name is to be known."""


@dataclass(slots=True)
class Deferred:
    """A member function whose body is parsed when all members are known."""

    function: declared.Function
    scope: ParserScope
    """Its parameters."""
    template: ParserScope
    """The parameters of its template."""
    position: int


class FunctionParser:
    """Parses functions from their specifiers on."""

    def __init__(
        self,
        cursor: Cursor,
        scopes: ParserScopes,
        types: TypeParser,
        declarators: DeclaratorParser,
        statements: StatementParser,
    ) -> None:
        self._cursor = cursor
        self._scopes = scopes
        self._types = types
        self._declarators = declarators
        self._statements = statements

    def template(self) -> AbstractContextManager[TemplateHead]:
        """Parse `template <…>`, if it is here, and open the scope of its parameters."""
        if self._cursor.text != "template":
            return nullcontext(TemplateHead(None, self._scopes.innermost))
        return self._with_parameters()

    @contextmanager
    def _with_parameters(self) -> Iterator[TemplateHead]:
        cursor, outside = self._cursor, self._scopes.innermost
        parameters = tuple[TemplateParameter, ...]()
        with self._scopes.inside():
            while cursor.take("template"):
                parameters = (*parameters, *self._declarators.template_parameters())
            yield TemplateHead(parameters, outside)

    def function(
        self,
        found: Specifiers,
        declarator: Declarator,
        template: TemplateHead,
        deferred: list[Deferred] | None = None,
    ) -> declared.Function:
        """Parse a function whose parameters begin here, or its specialization's arguments.

        Args:
            found: its specifiers; without a type it is a constructor or a conversion.
            deferred: where the body is noted instead of being parsed; None to parse it.

        Raises:
            Refused: something in its header; what is in its body is in the function's `refusal`.
        """
        cursor, name = self._cursor, declarator.name
        assert name is not None
        owner = (
            syntax.Name(name.place, name.parts[:-1], name.rooted) if len(name.parts) > 1 else None
        )
        if owner is None and found.type is not None:
            kind = "function" if template.parameters is None else "function template"
            self._scopes.declare(declarator.identifier, kind, into=template.outside)  # type: ignore[arg-type]
        specialized = name.parts[-1].arguments
        if cursor.text == "<":
            specialized = self._types.names.template_arguments()
        result = None if found.type is None else declarator.type
        make = partial(
            declared.Function,
            declarator.place,
            declarator.identifier,
            specifiers=self._for_device(frozenset(found.flags)),
            template=template.parameters,
            specialized=specialized,
            launch_bounds=found.sizes.get("__launch_bounds__", ()),
            cluster=found.sizes.get("__cluster_dims__", ()),
            owner=owner,
            scope=self._scopes.path,
        )
        with self._inside(owner), self._scopes.inside(function=True) as scope:
            header = self._header(result)
            invented, header["parameters"] = invent_types(header["parameters"])
            if invented:
                make.keywords["template"] = (*(template.parameters or ()), *invented)
            if cursor.take("="):
                return make(**header, **self._without_body())
            if cursor.take(";"):
                return make(**header)
            if cursor.text not in ("{", ":"):
                cursor.check_word()
                raise cursor.unexpected("{")
            if deferred is None:
                return make(**header, **self._body())
        inner, made = self._scopes.innermost, make(**header)
        deferred.append(Deferred(made, scope, inner, cursor.position))
        cursor.skip_declaration()
        return made

    def _for_device(self, flags: frozenset[str]) -> frozenset[str]:
        default = self._cursor.device and not flags & {"__global__", "__host__"}
        return flags | {"__device__"} if default else flags

    def finish(self, deferred: Deferred) -> declared.Function:
        """Parse the body of a member; the cursor is moved."""
        self._cursor.position = deferred.position
        with (
            self._scopes.inside(deferred.template),
            self._scopes.inside(deferred.scope, function=True),
        ):
            return replace(deferred.function, **self._body())

    def _inside(self, owner: syntax.Name | None) -> AbstractContextManager[None]:
        """Open the scopes that lead to the struct whose member is defined outside of it."""
        return nullcontext() if owner is None else self._inside_struct(owner)

    @contextmanager
    def _inside_struct(self, owner: syntax.Name) -> Iterator[None]:
        entry = None
        with ExitStack() as opened:
            for part in owner.parts:
                scope = entry.members if entry else None
                entry = scope.find(part.identifier) if scope else self._scopes.find(part.identifier)
                opened.enter_context(self._scopes.inside(entry.members if entry else None))
            yield

    def destructor(self, template: TemplateHead) -> declared.Function:
        """Parse a destructor that is defined outside of its struct."""
        cursor, flags, parts = self._cursor, set[str](), list[syntax.NamePart]()
        while cursor.text.startswith("__") or cursor.text in ("inline", "constexpr"):
            flags.add(cursor.next().text)
        while cursor.text != "~":
            token = cursor.name()
            written = self._types.names.template_arguments() if cursor.text == "<" else None
            parts.append(syntax.NamePart(token.place, token.text, written))
            cursor.expect("::")
        place = cursor.expect("~").place
        parts.append(syntax.NamePart(place, f"~{cursor.name().text}"))
        nothing = self._types.nothing(place)
        found = Specifiers(place, nothing)
        found.flags |= flags
        declarator = Declarator(syntax.Name(place, tuple(parts)), nothing, place)
        return self.function(found, declarator, template)

    def _header(self, result: Type | None) -> dict[str, Any]:
        """Parse from the parameters to what is before the body; return a function's fields."""
        cursor = self._cursor
        parameters = self._declarators.parameters()
        const = False
        while cursor.text not in _AFTER_HEADERS:
            if cursor.take("const"):
                const = True
            elif cursor.take("volatile", "&", "&&"):
                pass
            elif cursor.take("noexcept"):
                if cursor.text == "(":
                    cursor.skip_balanced()
            elif cursor.text in ("override", "final"):
                cursor.next()
            elif cursor.take("->"):
                result = self._types.type()
            elif cursor.text == "__attribute__":
                self._types.specifiers()
            elif cursor.text == "[":
                cursor.skip_balanced()
            else:
                break
        return {"parameters": parameters, "const": const, "result": result}

    def _without_body(self) -> dict[str, Any]:
        cursor = self._cursor
        if cursor.take("0"):
            cursor.expect(";")
            return {}
        word = cursor.next().text
        if word not in ("default", "delete"):
            cursor.position -= 1
            raise cursor.unexpected("default")
        cursor.expect(";")
        return {"defaulted": word == "default", "deleted": word == "delete"}

    def _body(self) -> dict[str, Any]:
        """Parse the body; return a function's fields, of which one may be what is refused in it."""
        cursor, start = self._cursor, self._cursor.position
        try:
            with cursor.from_the_top():
                initializers = self._initializers() if cursor.take(":") else ()
                return {"initializers": initializers, "body": self._statements.compound()}
        except IllFormed:
            raise
        except Refused as refusal:
            cursor.position = start
            cursor.skip_declaration()
            return {"refusal": refusal}

    def _initializers(self) -> tuple[MemberInitializer, ...]:
        cursor, found = self._cursor, list[MemberInitializer]()
        while True:
            place = cursor.place
            name, _ = self._types.names.name()
            initializer = self._declarators.initializer()
            if not isinstance(initializer, Initializer) or initializer.form == "=":
                raise cursor.unexpected("(")
            pack = cursor.take("...") is not None
            found.append(MemberInitializer(place, name, initializer, pack))
            if not cursor.take(","):
                return tuple(found)

    def conversion(self) -> tuple[str, Type]:
        """Parse `operator type` without its parameters; return the type also as it is shown."""
        cursor = self._cursor
        cursor.expect("operator")
        start = cursor.position
        found = self._types.type()
        words = [cursor.peek(ahead).text for ahead in range(start - cursor.position, 0)]
        return " ".join(words), found


def refused_function(
    name: str, refusal: Refused, specifiers: frozenset[str], scope: tuple[str, ...]
) -> declared.Function:
    """Make a function whose header is not emulated."""
    place = Place(refusal.line, refusal.column, refusal.file)
    return declared.Function(
        place, name, None, (), specifiers=specifiers, scope=scope, refusal=refusal
    )
