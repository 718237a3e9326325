"""The way in: from a text to its tree. Owns the top level, where host code is told from a kernel's.

What `syntax` guarantees of a tree holds for what `parse` returns.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import Declaration, TranslationUnit
from grader.simt.cuda.device_lambdas import declare_device_lambdas
from grader.simt.cuda.headers import OF_THE_RUNTIME, declares_no_others, is_standard
from grader.simt.cuda.parser.cursor import Cursor
from grader.simt.cuda.parser.declarators import DeclaratorParser
from grader.simt.cuda.parser.device_text import TextPart, write_device_text
from grader.simt.cuda.parser.expressions import ExpressionParser
from grader.simt.cuda.parser.file_scope import check_begin, check_type
from grader.simt.cuda.parser.functions import FunctionParser, TemplateHead, refused_function
from grader.simt.cuda.parser.heads import Head, read_head
from grader.simt.cuda.parser.lambdas import LambdaParser
from grader.simt.cuda.parser.outside import join_members
from grader.simt.cuda.parser.preprocessing import Preprocessor, Reader
from grader.simt.cuda.parser.scopes import ParserScopes
from grader.simt.cuda.parser.statements import StatementParser
from grader.simt.cuda.parser.structs import StructParser
from grader.simt.cuda.parser.types import TypeParser
from grader.simt.cuda.places import IllFormed, ill_formed, not_emulated
from grader.simt.cuda.syntax import HIGHEST, Expression, Node
from grader.simt.cuda.tokens import Token
from grader.simt.cuda.trees import children
from grader.simt.errors import Refused

_NO_DEFINES: Mapping[str, str] = {}
AROUND = "(around)"
_SHALLOW = HIGHEST // 5
"""Tokens of which no tree is too high: of one, as a parameter's type, four nodes in each other are
made, and the declaration is around it."""
_SIGNS = frozenset({"+", "-", "~", "!", "true", "false", "nullptr", "sizeof"})
"""What begins a value, and no parameter."""
_BEFORE_GUIDES = ("__host__", "__device__", "explicit", "inline", "constexpr")
_BEFORE_GUIDE_NAMES = frozenset({"", ">", ";", "}", "{", *_BEFORE_GUIDES})
_FOR_DEVICES = frozenset({"__global__", "__device__"})


def parse(
    text: str,
    *,
    path: str = "",
    defines: Mapping[str, str] = _NO_DEFINES,
    read: Reader | None = None,
) -> TranslationUnit:
    """Parse a source.

    Args:
        defines: macros, name → text, as with `-D`.
        read: returns the path and the text of an include, of its name and the including file's
            path, or None; without it only known headers can be included.

    Raises:
        IllFormed: it is not C++, in what is for the device.
        Refused: it is too large, or an include is unknown. What a kernel, a device function or a
            struct uses and is not emulated raises nothing: it is noted with the declaration.
    """
    return ParsedSource(text, path=path, defines=defines, read=read).tree


def parse_expression(text: str) -> Expression:
    """Parse an expression, which may have commas, and nothing behind it.

    Raises:
        Refused: it is something else, or is not emulated.
    """
    parser = _UnitParser(Preprocessor({}).run(text, ""), (), device=False)
    found = parser.expression()
    if (node := _find_too_deep(found)) is not None:
        raise not_emulated(fact("source.nested-too-deeply"), node.place)
    return found


class ParsedSource:
    """A source that was parsed; further names are parsed as they would be at its end.

    See `parse` for the arguments and the errors, `Cursor` for `device`, and `Preprocessor` for
    `compiled`; `around` are texts
    before it and behind it, whose places have the path `AROUND`.
    """

    def __init__(
        self,
        text: str,
        *,
        path: str = "",
        defines: Mapping[str, str] = _NO_DEFINES,
        read: Reader | None = None,
        device: bool = False,
        compiled: bool = False,
        around: tuple[str, str] = ("", ""),
    ) -> None:
        self._preprocessor = Preprocessor(defines, read, compiled=compiled)
        self._preprocessor.add(around[0], AROUND)
        self._preprocessor.add(text, path)
        self._tokens = self._preprocessor.run(around[1], AROUND)
        declare_device_lambdas(self._tokens)
        self._parser = _UnitParser(self._tokens, self._preprocessor.headers, device=device)
        self.tree = self._parser.unit(frozenset(self._preprocessor.headers))

    def device_text(self, kernel: declared.Function, *, entry: str | None = None) -> str:
        """Return a kernel with what it may use as a text that NVRTC compiles.

        Args:
            entry: as C++ names it: with the headers that the source includes, for a compiler that
                has them.
        """
        parts, headers = self._parser.parts, self._preprocessor.headers
        if entry is not None:
            parts = sorted([*parts, *self._parser.only_compiled])
        return write_device_text(self._tokens, parts, headers, kernel, entry=entry)

    def parse_name(self, text: str) -> syntax.Name:
        """Parse a name such as `transpose<TILE, float>`; its place is in `text`, path "".

        Raises:
            IllFormed: it is something else.
            Refused: it names what is not emulated.
        """
        start = len(self._tokens)
        self._preprocessor.run(text, "")  # adds to the same tokens
        return self._parser.name_at(start)


class _UnitParser:
    def __init__(self, tokens: list[Token], headers: Collection[str], *, device: bool) -> None:
        self._cursor = cursor = Cursor(tokens, device=device)
        self._scopes = scopes = ParserScopes()
        self._types = types = TypeParser(cursor, scopes)
        self._expressions = expressions = ExpressionParser(cursor, scopes, types)
        self._declarators = DeclaratorParser(cursor, scopes, types, expressions)
        self._structs = StructParser(cursor, scopes, types, self._declarators)
        statements = StatementParser(cursor, scopes, types, expressions, self._declarators)
        statements.type_declaration = self._structs.type_declaration
        expressions.parse_lambda = LambdaParser(
            cursor, scopes, types, self._declarators, statements
        ).parse
        self._functions = FunctionParser(cursor, scopes, types, self._declarators, statements)
        self._structs.functions = self._functions
        self._found: list[Declaration] = []
        self._host = set[str]()
        self._macros = not all(map(is_standard, headers))
        self._all_known = all(map(declares_no_others, headers))
        self._unavailable: list[tuple[str, Refused]] = []
        self.parts: list[TextPart] = []
        self.only_compiled: list[TextPart] = []
        """What is refused here, and a compiler may know."""

    def unit(self, headers: frozenset[str]) -> TranslationUnit:
        cursor = self._cursor
        while not cursor.at_end:
            if cursor.text == "}":
                raise ill_formed(fact("syntax.unmatched", bracket="}"), cursor.place)
            self._declaration()
        declarations = join_members(self._found)
        host, unavailable = frozenset(self._host), tuple(self._unavailable)
        return TranslationUnit(declarations, host, unavailable, headers)

    def expression(self) -> Expression:
        """Parse all tokens as one expression.

        Raises:
            Refused: they are something else, or it is not emulated.
        """
        cursor = self._cursor
        with cursor.from_the_top():
            found = self._expressions.expression()
        if not cursor.at_end:
            raise cursor.unexpected()
        return found

    def name_at(self, position: int) -> syntax.Name:
        """Parse a name that begins at a token, and ends before the next end.

        Raises:
            Refused: it is something else, or is not emulated.
        """
        cursor = self._cursor
        cursor.position = position
        with cursor.from_the_top():
            name, _ = self._types.names.name()
        if not cursor.at_end:
            raise cursor.unexpected()
        return name

    def _declaration(self) -> None:
        cursor, text, after = self._cursor, self._cursor.text, self._cursor.peek(1).text
        if cursor.token.kind == "pragma":
            while cursor.next().text != "end":
                pass
        elif text == ";":
            cursor.next()
        elif text == "extern" and cursor.peek(1).kind == "string" and cursor.peek(2).text == "{":
            cursor.position += 2
            self._block()
        elif text == "namespace" or (text == "inline" and after == "namespace"):
            self._namespace()
        elif text == "template" and after != "<":  # an instantiation
            cursor.skip_declaration()
        else:
            check_begin(cursor)
            self._classified(self._head())

    def _block(self) -> None:
        cursor = self._cursor
        opening = cursor.expect("{")
        with cursor.nested():
            while cursor.text != "}":
                if cursor.at_end:
                    raise ill_formed(fact("syntax.never-closed", bracket="{"), opening.place)
                self._declaration()
        cursor.next()

    def _namespace(self) -> None:
        cursor = self._cursor
        if cursor.peek(2).text == "=":
            start = cursor.position
            self._structs.namespace_alias()
            self.only_compiled.append(TextPart(start, cursor.position, self._scopes.path, ()))
            return
        transparent = cursor.take("inline") is not None
        cursor.next()
        names = list[str]()
        while cursor.is_name():
            names.append(cursor.next().text)
            cursor.take("::")
        if not names or transparent:
            self._block()
        else:
            self._named_namespace(names)

    def _named_namespace(self, names: list[str]) -> None:
        name, *inner = names
        entry = self._scopes.innermost.names.get(name)
        scope = entry.members if entry and entry.kind == "namespace" else None
        if scope is None:
            scope = self._scopes.reopened(name)
            self._scopes.declare(name, "namespace", scope)
        with self._cursor.nested(), self._scopes.inside(scope, name):
            if inner:
                self._named_namespace(inner)
            else:
                self._block()

    def _head(self) -> Head:
        """Read how a declaration begins: parentheses with a value in them begin a variable."""
        cursor, head = self._cursor, read_head(self._cursor)
        words = (cursor.peek(ahead).text for ahead in range(head.opening))
        for_device = head.on_device or head.constexpr or "const" in words
        if head.kind != "function" or not head.name or head.template or not for_device:
            return head
        if cursor.peek(head.opening).text == "operator":
            return head
        inside = cursor.peek(head.opening + 1)
        entry = self._scopes.find(inside.text) if inside.kind == "name" else None
        is_value = inside.kind in ("number", "character") or (entry and entry.kind == "variable")
        return head._replace(kind="variable") if is_value or inside.text in _SIGNS else head

    def _classified(self, head: Head) -> None:
        """Parse a declaration if a kernel can use it; skip it, and note its name, if not."""
        cursor = self._cursor
        is_type = cursor.text in ("using", "typedef", "static_assert") or head.kind == "struct"
        if head.kind == "function" and not is_type and self._begins_guide(head):
            self._guide()
            return
        if head.kind == "function" and not is_type and not head.on_device and not head.constexpr:
            if not self._defines_member(head):
                self._host_function(head)
            return
        start = cursor.position
        try:
            with cursor.from_the_top(), self._functions.template() as template:
                found = self._parse(head, template, start)
        except Refused as refusal:
            if head.on_device and not is_type and isinstance(refusal, IllFormed):
                raise
            cursor.position = start
            self._types.take_pending()
            self._refused(head, refusal)
        else:
            if cursor.position - start > _SHALLOW:
                found = [*map(_limited, found)]
            self._found.extend(found)
            self.parts.append(TextPart(start, cursor.position, self._scopes.path, tuple(found)))

    def _defines_member(self, head: Head) -> bool:
        """Parse a member function outside of its struct, which may be for the device there.

        Returns:
            False of any other function, and of what is not emulated: it is skipped.
        """
        cursor, start = self._cursor, self._cursor.position
        if cursor.peek(head.opening - 2).text != "::":
            return False
        try:
            with cursor.from_the_top(), self._functions.template() as template:
                found = self._function(template)
        except Refused:
            cursor.position = start
            self._types.take_pending()
            return False
        self._found.extend(found)
        return True

    def _begins_guide(self, head: Head) -> bool:
        """Return True at a deduction guide: `name(parameters) -> name<arguments>;`."""
        cursor, start = self._cursor, self._cursor.position
        before = cursor.peek(head.opening - 2).text if head.opening > 1 else ""
        if cursor.peek(head.opening).text != "(" or before not in _BEFORE_GUIDE_NAMES:
            return False
        cursor.position += head.opening
        with suppress(Refused):
            cursor.skip_balanced()
        follows = cursor.text
        cursor.position = start
        return follows == "->"

    def _guide(self) -> None:
        """Parse a deduction guide; one that is not emulated goes."""
        cursor, start = self._cursor, self._cursor.position
        try:
            with cursor.from_the_top(), self._functions.template() as template:
                while cursor.take(*_BEFORE_GUIDES):
                    pass
                name = cursor.name()
                with self._scopes.inside(function=True):
                    parameters = self._declarators.parameters()
                cursor.expect("->")
                result = self._types.type()
                cursor.expect(";")
        except Refused:
            cursor.position = start
            cursor.skip_declaration()
            return
        function = declared.Function(
            name.place, name.text, result, parameters, template=template.parameters,
            scope=self._scopes.path,
        )  # fmt: skip
        self._found.append(declared.Guide(name.place, function))

    def _parse(self, head: Head, template: TemplateHead, start: int) -> list[Declaration]:
        cursor = self._cursor
        if cursor.text in ("using", "typedef", "static_assert") or head.kind == "struct":
            if head.kind == "struct" and not self._ends_definition():
                return self._variables(template)
            if template.parameters is not None:
                return [*self._structs.definition(template)]
            return [*self._structs.type_declaration()]
        if head.kind == "function" and not head.words - _FOR_DEVICES:
            opening = start + head.opening - cursor.position
            if cursor.peek(opening - 2).text == "~" and cursor.peek(opening - 3).text == "::":
                return [self._functions.destructor(template)]
            return self._function(template)
        return self._variables(template)

    def _ends_definition(self) -> bool:
        """Return True if `;` follows the definition that begins here, and no variable."""
        cursor, start = self._cursor, self._cursor.position
        if cursor.text == "typedef":
            return True
        while cursor.text != "{":
            if cursor.at_end:
                return True
            cursor.next()
        cursor.skip_balanced()
        ends = cursor.text == ";"
        cursor.position = start
        return ends

    def _function(self, template: TemplateHead) -> list[Declaration]:
        cursor = self._cursor
        specifiers = self._types.specifiers()
        before = self._types.take_pending()
        start = cursor.position
        if specifiers.type is None:
            declarator = self._declarators.declarator(self._types.nothing(cursor.place))
            parts = declarator.name.parts if declarator.name else ()
            if len(parts) < 2 or parts[-1].identifier != parts[-2].identifier:
                cursor.position = start
                if self._has_no_result():
                    raise not_emulated(fact("cpp.no-result", name=cursor.text), cursor.place)
                raise self._types.unknown_type()
        else:
            declarator = self._declarators.declarator(specifiers.type)
        if declarator.name is None:
            raise cursor.expected_name()
        if cursor.text not in ("(", "<"):
            raise cursor.unexpected("(")
        return [*before, self._functions.function(specifiers, declarator, template)]

    def _has_no_result(self) -> bool:
        """Return True if a function begins here with its name: `name(parameters) {`."""
        cursor, start = self._cursor, self._cursor.position
        if not cursor.is_name() or cursor.peek(1).text != "(":
            return False
        cursor.next()
        cursor.skip_balanced()
        has_body = cursor.text == "{"
        cursor.position = start
        return has_body

    def _variables(self, template: TemplateHead) -> list[Declaration]:
        cursor = self._cursor
        if template.parameters is not None and self._structs.forward(template):
            return []
        specifiers = self._types.specifiers()
        found = list[Declaration]()
        if not cursor.take(";"):
            found.extend(self._declarators.variables(specifiers))
            if cursor.text == "<" and template.parameters is not None:
                raise not_emulated(fact("cpp.no-variable-templates"), cursor.place)
            cursor.expect(";")
        if template.parameters is not None:
            found = [self._template_of(each, template) for each in found]
        before = self._types.take_pending()
        return [*before, *found]

    def _template_of(self, node: Declaration, template: TemplateHead) -> Declaration:
        assert isinstance(node, syntax.Variable)  # as it was parsed
        self._scopes.declare(node.name, "function template", into=template.outside)
        return replace(node, template=template.parameters)

    # What no kernel can use

    def _host_function(self, head: Head) -> None:
        check_type(self._cursor, macros=self._macros)
        self._check_result()
        self._cursor.skip_declaration()
        if head.name and self._scopes.find(head.name) is None:
            self._scopes.declare(head.name, "function template" if head.template else "function")
        self._host.add(head.name)

    def _check_result(self) -> None:
        """Check a function's types, where no header that is not read may declare others.

        Raises:
            Refused: one is unknown.
        """
        cursor, start = self._cursor, self._cursor.position
        try:
            with cursor.from_the_top(), self._functions.template():
                found = self._types.specifiers()
                if found.type is None:
                    raise self._types.unknown_type()
                declarator = self._declarators.declarator(found.type)
                if declarator.name is not None and cursor.text == "(":
                    with self._scopes.inside(function=True):
                        self._declarators.parameters()
        except Refused as refusal:
            self._check_known(refusal)
        finally:
            cursor.position = start
            self._types.take_pending()

    def _check_known(self, refusal: Refused) -> None:
        if self._all_known and refusal.what.code == "cpp.unknown-type":
            name = str(refusal.what.fields["name"])
            if not name.startswith(OF_THE_RUNTIME) and "::" not in name:
                raise refusal

    def _refused(self, head: Head, refusal: Refused) -> None:
        cursor = self._cursor
        name = cursor.peek(1).text if cursor.text == "using" else head.name
        typedef, start = cursor.text == "typedef", cursor.position
        is_type = typedef or cursor.text == "using" or head.kind == "struct"
        check_type(cursor, macros=self._macros)
        if self._all_known and isinstance(refusal, IllFormed):
            raise refusal
        self._check_known(refusal)
        cursor.skip_declaration(to_semicolon=head.kind == "struct" or typedef)
        if typedef:
            name = self._typedef_name(start, cursor.position)
        path, refused = self._scopes.path, tuple[Declaration, ...]()
        if head.kind == "function" and head.on_device and not typedef:
            self._scopes.declare(name, "function template" if head.template else "function")
            refused = (refused_function(name, refusal, head.words, path),)
            self._found.extend(refused)
        if head.on_device or head.kind != "function":
            own = name if is_type else ""
            self.only_compiled.append(TextPart(start, cursor.position, path, refused, own))
        if refused:
            return
        if name:
            self._scopes.refuse(name, refusal)
            self._unavailable.append((name, refusal))

    def _typedef_name(self, start: int, end: int) -> str:
        """Return what a typedef declares: the name in `(*name)`, in `name(…)`, or the last one."""
        cursor = self._cursor
        texts = [cursor.peek(at - cursor.position).text for at in range(start, end - 1)]
        for at in range(len(texts) - 3):
            if texts[at : at + 2] == ["(", "*"] and texts[at + 3] == ")":
                return texts[at + 2]
        if texts[-1] == ")":
            return texts[texts.index("(") - 1]
        return texts[-1]


def _limited(declaration: Declaration) -> Declaration:
    """Return a declaration that is no higher than it may be.

    Raises:
        Refused: it is, and is not a function, whose body is refused instead.
    """
    node = _find_too_deep(declaration)
    if node is None:
        return declaration
    refusal = not_emulated(fact("source.nested-too-deeply"), node.place)
    if not isinstance(declaration, declared.Function) or _find_too_deep(
        replace(declaration, body=None)
    ):
        raise refusal
    return replace(declaration, body=None, refusal=refusal)


def _find_too_deep(root: Node) -> Node | None:
    level: list[Node] = [root]
    for _ in range(HIGHEST + 1):
        level = [child for node in level for child in children(node)]
        if not level:
            return None
    return level[0]
