"""Makes of a CUDA C++ source what a C++ compiler takes: C++ whose kernels are stubs.

A kernel's body becomes a call of the runtime, `k<<<grid, block>>>(x)` becomes
`(quiz::configure(grid, block), k(x))`, functions for the device alone go, and variables of the
device are registered. Every line keeps its number. Reads tokens only: what a name is, the compiler
says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from grader.simt.cuda.device_lambdas import DeviceLambda, called, find_device_lambdas
from grader.simt.cuda.tokens import Token
from grader.simt.native.launch_calls import rewrite_launch
from grader.simt.native.source_text import OPENING, SourceEdit, SourceText, opening_of

INCLUDE = Path(__file__).resolve().parent / "include"
"""The runtime that programs are compiled against."""
_PARENTHESIZED = frozenset(
    {
        "__launch_bounds__", "__align__", "alignas", "__attribute__", "__declspec", "decltype",
        "__cluster_dims__", "__maxnreg__", "__builtin_align__",
    }
)  # fmt: skip
"""Names in front of a declaration's own that may have parentheses behind them."""
SPECIFIERS = frozenset({"__global__", "__device__", "__host__", "__constant__", "__managed__"})
_QUALIFIERS = frozenset({"const", "volatile", "struct", "enum", "class", "typename", "register"})
_BEHIND = frozenset({"const", "volatile", "__restrict__", "__restrict", "restrict"})
_FUNDAMENTAL = frozenset(
    {"void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"}
)
_PLAIN = _FUNDAMENTAL | {
    *SPECIFIERS, "__forceinline__", "__noinline__", "constexpr", "dim3", "inline", "int32_t",
    "int64_t", "size_t", "static", "uint32_t", "uint64_t",
}  # fmt: skip
_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<what>(?:\\\r?\n|[^\n])*)", re.MULTILINE
)


@cache
def runtime_calls() -> frozenset[str]:
    """Return the names of the runtime's functions that return an error, but those that tell it."""
    pattern = r"static inline cudaError_t (cuda\w+)\("
    found = [
        name
        for header in INCLUDE.glob("quiz_*.h")
        for name in re.findall(pattern, header.read_text(encoding="utf-8"))
    ]
    return frozenset(found) - {"cudaGetLastError", "cudaPeekAtLastError"}


def find_specifiers(texts: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return macros that stand for specifiers such as `__device__`, and for which ones.

    Of a macro that is defined several times, all count: which one holds, the compiler says.
    """
    defined = defaultdict[str, set[str]](set)
    for text in texts:
        for define in _DEFINE.finditer(text):
            defined[define["name"]].update(re.findall(r"\w+", define["what"]))
    found: dict[str, frozenset[str]] = {}
    changed = True
    while changed:  # a macro may stand for another one that is defined further down
        changed = False
        for name, words in defined.items():
            given = SPECIFIERS & frozenset(words).union(*(found.get(word, ()) for word in words))
            if given != found.get(name, frozenset()):
                found[name], changed = given, True
    return found


def rewrite(
    text: str,
    path: str,
    macros: Mapping[str, frozenset[str]],
    include: Callable[[str], str | None],
    *,
    calls_functors: bool = False,
) -> str:
    """Rewrite a file; its lines keep their numbers.

    Args:
        macros: see `find_specifiers`.
        include: returns what to include instead of a file of this name; None for itself.
        calls_functors: whether host code calls `operator()` of the device, as Thrust does here.

    Raises:
        Refused: it is too long, or not C++.
    """
    source = SourceText(text, path)
    parts, at = list[str](), 0
    for edit in sorted(_Rewriter(source, macros, include, calls_functors=calls_functors).edits()):
        if edit.start >= at:
            parts += [source.text[at : edit.start], edit.text]
            at = edit.end
    parts.append(source.text[at:])
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{escaped}"\n{"".join(parts)}'


class _Function(NamedTuple):
    """Where the parts of a function are, by the positions of their tokens.

    Attributes:
        written: the arguments of a specialization, as written; "" without.
        opening: of its parameters.
        body: the brace that begins its body; None of a declaration.
    """

    name: int
    written: str
    opening: int
    body: int | None
    end: int


class _Rewriter:
    def __init__(
        self,
        source: SourceText,
        macros: Mapping[str, frozenset[str]],
        include: Callable[[str], str | None],
        *,
        calls_functors: bool,
    ) -> None:
        self._source = source
        self._tokens = source.tokens
        self._macros = macros
        self._include = include
        self._calls_functors = calls_functors
        self._unnamed = 0

    @cached_property
    def _passed(self) -> frozenset[str]:
        """Names that stand alone as arguments of templates."""
        words = [token.text for token in self._tokens]
        behind = zip(words, words[1:], words[2:], self._tokens[1:], strict=False)
        return frozenset(
            name
            for before, name, after, token in behind
            if token.kind == "name" and before in ("<", ",", "&") and after in (">", ",", "<")
        )

    @cached_property
    def _launching(self) -> frozenset[str]:
        """Names that are called with a launch among their arguments: macros may write it."""
        found, opened = set[str](), list[str]()
        for before, token in pairwise(self._tokens):
            if token.text == "(":
                opened.append(before.text)
            elif token.text == ")" and opened:
                opened.pop()
            elif token.text == "<<<":
                found.update(opened)
        return frozenset(found)

    def _stands_alone(self, tokens: Sequence[Token], at: int) -> bool:
        """Return True for `#x` of a macro that is no part of a longer text."""
        around = (tokens[at - 1].kind, *(each.kind for each in tokens[at + 2 : at + 3]))
        return len(tokens) > at + 1 and "string" not in around

    # The whole file

    def edits(self) -> Iterator[SourceEdit]:
        """Yield what is to be replaced."""
        for tokens in self._source.directives:
            yield from self._directive(tokens)
        for each in [] if self._calls_functors else find_device_lambdas(self._tokens):
            yield from self._lambda(each)
        yield from self._scope(0, len(self._tokens), (), in_class=False)

    def _lambda(self, found: DeviceLambda) -> Iterator[SourceEdit]:
        """Make a lambda for the device an object of a struct of what it captures."""
        kinds = [f"quiz_T{at}" for at in range(len(found.captures))]
        members = zip(kinds, found.captures, strict=True)
        fields = " ".join(f"{kind} {name};" for kind, (name, _) in members)
        values = [name if at is None else self._between(*at) for name, at in found.captures]
        types = [f"::quiz::captured<decltype({value})>" for value in values]
        head, start = list[str](), self._source.start_of(self._tokens[found.function])
        if found.template:
            closing = self._source.match_angle(found.function + 1)
            head.append(self._between(found.function + 2, closing))
        head += [f"class {kind}" for kind in kinds]
        template = f"template <{', '.join(head)}> " if head else ""
        if found.on_host:
            body = " ".join(token.text for token in called(self._tokens, found))
            fields += f" auto operator() {body}"
        struct = f"{template}struct {found.name} {{ {fields} }}; ".replace("\n", " ")
        yield SourceEdit(start, start, struct)
        begin = self._source.start_of(self._tokens[found.start])
        end = self._source.end_of(self._tokens[found.body[1]])
        written = f"<{', '.join((*found.template, *types))}>" if head else ""
        made = f"{found.name}{written}{{{', '.join(values)}}}".replace("\n", " ")
        yield SourceEdit(begin, end, made + self._source.newlines(begin, end))

    def _between(self, first: int, end: int) -> str:
        """Return the text from a token up to another one."""
        begin = self._source.start_of(self._tokens[first])
        return self._source.text[begin : self._source.end_of(self._tokens[end - 1])]

    def _directive(self, tokens: list[Token]) -> Iterator[SourceEdit]:
        words = [token.text for token in tokens]
        if words[1:2] == ["define"]:
            writes = words[2:3] and words[2] in self._launching
            for at, word in enumerate(words):
                if word == "#" and at > 2 and writes and self._stands_alone(tokens, at):
                    begin, end = (
                        self._source.start_of(tokens[at]),
                        self._source.end_of(tokens[at + 1]),
                    )
                    yield SourceEdit(begin, begin, "QUIZ_AS_WRITTEN(")
                    yield SourceEdit(end, end, ")")
                elif word == "<<<":
                    yield from rewrite_launch(self._source, tokens, at)
        elif words[1:2] == ["include"] and len(words) > 2:
            first, last = tokens[2], tokens[-1]
            raw = self._source.text[self._source.start_of(first) : self._source.end_of(last)]
            found = re.match(r'"([^"]+)"|<([^>]+)>', raw)
            instead = None if found is None else self._include(found[0])
            if found is not None and instead is not None:
                start = self._source.start_of(first)
                yield SourceEdit(start, start + len(found[0]), f'"{instead}"')

    def _scope(
        self, position: int, end: int, names: tuple[str, ...], *, in_class: bool
    ) -> Iterator[SourceEdit]:
        """Rewrite the declarations of a namespace or of a class."""
        start = position
        while position < end:
            word = self._source.word(position)
            if word == ";" or word.startswith("#") or self._is_access(position):
                start = position + 1
            elif word == "{":
                opening, position = position, self._source.match(position)
                yield from self._braces(start, opening, position, names)
                if not self._goes_on(start, opening):
                    start = position + 1
            elif word == "<<<":
                yield from rewrite_launch(self._source, self._tokens, position)
            elif word in SPECIFIERS or word in self._macros:
                edits, position = self._marked(start, position, names, in_class=in_class)
                yield from edits
                start = position + 1
            position += 1

    def _is_access(self, position: int) -> bool:
        """Return True for the colon of `public:`."""
        before = self._source.word(position - 1)
        return self._source.word(position) == ":" and before in ("public", "private", "protected")

    def _head(self, start: int, end: int) -> list[str]:
        """Return the words in front of a brace; a list of parameters is "()", a template's goes."""
        found, at = list[str](), start
        while at < end:
            word = self._source.word(at)
            if word == "<" and found[-1:] == ["template"]:
                at = self._source.match_angle(at)
            elif word in ("(", "["):
                if word == "(" and self._source.word(at - 1) not in _PARENTHESIZED:
                    found.append("()")
                at = self._source.match(at)
            else:
                found.append(word)
            at += 1
        return found

    def _goes_on(self, start: int, opening: int) -> bool:
        """Return True if a declaration goes on behind its braces, up to a semicolon."""
        head = self._head(start, opening)
        if "()" in head:
            return False
        return bool({"=", "struct", "class", "union", "enum"} & set(head))

    def _braces(
        self, start: int, opening: int, closing: int, names: tuple[str, ...]
    ) -> Iterator[SourceEdit]:
        """Rewrite what is in braces, by the declaration in front of them."""
        head = self._head(start, opening)
        if "namespace" in head:
            named = [] if "inline" in head else head[head.index("namespace") + 1 :]
            path = [word for word in named if word.isidentifier()]
            yield from self._scope(opening + 1, closing, (*names, *path), in_class=False)
        elif head[:1] == ["extern"] and len(head) == 2:
            yield from self._scope(opening + 1, closing, names, in_class=False)
        elif {"struct", "class", "union"} & set(head) and "()" not in head:
            yield from self._scope(opening + 1, closing, names, in_class=True)
        else:
            yield from self._calls(opening, closing)

    def _calls(self, opening: int, closing: int) -> Iterator[SourceEdit]:
        """Rewrite the launches of a body, and the calls of the runtime whose results it drops."""
        for at in range(opening, closing):
            if self._source.word(at) == "<<<":
                yield from rewrite_launch(self._source, self._tokens, at)
            elif self._source.word(at).startswith("cuda") and self._drops(at):
                name, last = self._tokens[at], self._tokens[self._source.match(at + 1)]
                begin, end = self._source.start_of(name), self._source.end_of(last)
                yield SourceEdit(begin, begin, f'::quiz::unchecked("{name.text}", ')
                yield SourceEdit(end, end, ")")

    def _drops(self, position: int) -> bool:
        """Return True for a call of the runtime that is a statement of its own."""
        source, before = self._source, self._source.word(position - 1)
        if source.word(position) not in runtime_calls() or source.word(position + 1) != "(":
            return False
        if source.word(source.match(position + 1) + 1) != ";":
            return False
        if before == ")":
            opening = opening_of(self._tokens, position - 1)
            return opening is not None and source.word(opening - 1) in ("if", "for", "while")
        return before in (";", "{", "}", "else", "do") or before.startswith("#")

    # Declarations for the device

    def _marked(
        self, start: int, position: int, names: tuple[str, ...], *, in_class: bool
    ) -> tuple[list[SourceEdit], int]:
        """Rewrite a declaration that has specifiers; return the position of its last token."""
        at, is_template = start, self._source.word(start) == "template"
        while at < position:
            if self._source.word(at) == "[":  # of an attribute, which goes with the declaration
                at = self._source.match(at)
            elif self._source.word(at) == ")" and not is_template:
                start = at + 1  # behind a macro's call
            at += 1
        function = self._function(position)
        last = function.end if function is not None else self._end(position)
        until = last if function is None else function.name
        given = set[str]()
        for at in range(start, until):
            word = self._source.word(at)
            given |= self._macros.get(word, frozenset({word} & SPECIFIERS))
        if function is None:
            symbols = given & {"__device__", "__constant__", "__managed__"}
            edits = [] if in_class or not symbols else self._variables(start, last, given, names)
            return edits, last
        if function.body is None:
            return [], last
        if "__global__" in given:
            return list(self._kernel(start, function, function.body, names)), last
        called = self._calls_functors and in_class and self._source.word(function.name) == ")"
        if "__device__" in given and "__host__" not in given and not called:
            named = self._source.word(function.name) in self._passed  # a template's argument
            stays = not in_class and (named or self._is_plain(start, function))
            begin = self._source.start_of(self._tokens[function.body if stays else start])
            end = self._source.end_of(self._tokens[last])
            semicolon = ";" if stays else ""
            return [SourceEdit(begin, end, semicolon + self._source.blank(begin, end))], last
        return list(self._calls(function.body, last)), last

    def _is_plain(self, start: int, function: _Function) -> bool:
        """Return True for a function without parameters, of a type that the host knows.

        A member's value may call it where only the device makes such an object.
        """
        words = {self._source.word(at) for at in range(start, function.name)}
        return function.body == function.opening + 2 and words <= _PLAIN | self._macros.keys()

    def _end(self, position: int) -> int:
        """Return the position of the semicolon that ends a declaration."""
        while position < len(self._tokens) - 1 and self._source.word(position) != ";":
            if self._source.word(position) in OPENING:
                position = self._source.match(position)
            position += 1
        return position

    def _function(self, start: int) -> _Function | None:
        """Find the parts of a function that is declared from here; None for anything else."""
        at, before = start, ""
        while at < len(self._tokens):
            word = self._source.word(at)
            if word == "operator":
                at += 1
                at += 2 if self._source.word(at) == "(" else 1
                while self._source.word(at) != "(" and at < len(self._tokens):
                    at += 1
                return self._behind(at - 1, "", at)
            if word == "<" and (before == "template" or self._tokens[at - 1].kind == "name"):
                closing = self._source.match_angle(at)
                if self._source.word(closing + 1) == "(" and before != "template":
                    inner = self._source.text[
                        self._source.start_of(self._tokens[at]) : self._source.end_of(
                            self._tokens[closing]
                        )
                    ]
                    return self._behind(at - 1, inner, closing + 1)
                at = closing
            elif word == "(":
                if before not in _PARENTHESIZED:
                    begins_value = self._tokens[at + 1].kind in ("number", "character")
                    named = self._tokens[at - 1].kind == "name" and at > start
                    return self._behind(at - 1, "", at) if named and not begins_value else None
                at = self._source.match(at)
            elif word == "[" and self._source.word(at + 1) == "[":
                at = self._source.match(at)
            elif word in (";", "=", "{", "[", "}"):
                return None
            before = word
            at += 1
        return None

    def _behind(self, name: int, written: str, opening: int) -> _Function:
        """Find what follows the parameters of a function."""
        at = self._source.match(opening) + 1
        is_constructor = False
        while at < len(self._tokens):
            word = self._source.word(at)
            if word == ";":
                return _Function(name, written, opening, None, at)
            if word == ":":
                is_constructor = True
            elif word == "{" and is_constructor and self._tokens[at - 1].kind == "name":
                at = self._source.match(at)  # `x{1}` of a constructor
            elif word == "{":
                return _Function(name, written, opening, at, self._source.match(at))
            elif word == "(":
                at = self._source.match(at)
            at += 1
        return _Function(name, written, opening, None, len(self._tokens) - 1)

    def _kernel(
        self, start: int, function: _Function, body: int, names: tuple[str, ...]
    ) -> Iterator[SourceEdit]:
        """Rewrite a kernel's body: it hands its name and its arguments to the emulator."""
        name = self._tokens[function.name]
        full = "::".join((*names, name.text)) + function.written
        escaped = full.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        stub = [f'::quiz::Kernel quiz_kernel("{escaped}", __FILE__, {name.place.line});']
        if self._source.word(start) == "template" and not function.written:
            for each, kind, edit in self._template(start + 1):
                stub.append(_note_argument("quiz_kernel", each, kind))
                yield from edit
        passed = list[str]()
        for first, last in self._source.split(
            function.opening, self._source.match(function.opening)
        ):
            each, edit = self._parameter(first, last)
            passed.append(each)
            yield from edit
        stub.append(f"quiz_kernel.run({', '.join(filter(None, passed))});")
        begin, end = (
            self._source.start_of(self._tokens[body]),
            self._source.end_of(self._tokens[function.end]),
        )
        yield SourceEdit(begin, end, f"{{ {' '.join(stub)} }}{self._source.newlines(begin, end)}")

    def _template(self, opening: int) -> Iterator[tuple[str, str, list[SourceEdit]]]:
        """Yield each parameter of a template: its name, what it is, what is inserted."""
        for first, last in self._source.split(opening, self._source.match_angle(opening)):
            words = [self._source.word(at) for at in range(first, last)]
            is_type = words[0] in ("typename", "class") and "::" not in words
            kind = "type" if is_type else "template" if words[0] == "template" else "value"
            name, edit = self._parameter(first, last, is_type=kind != "value")
            yield name, kind, edit

    def _parameter(
        self, first: int, last: int, *, is_type: bool = False
    ) -> tuple[str, list[SourceEdit]]:
        """Return a parameter's name, of a pack with `...`; one without is given a name.

        `void` has "".
        """
        end = first
        while end < last and self._source.word(end) not in ("=", "["):
            end = self._source.match_angle(end) if self._source.word(end) == "<" else end
            end += 1
        places = [at for at in range(first, end) if not self._source.word(at).startswith("#")]
        words = [self._source.word(at) for at in places]
        if words == ["void"]:
            return "", []
        own = [word for word in words if word not in _QUALIFIERS]
        name = words[-1]
        named = (
            self._tokens[places[-1]].kind == "name"
            and name not in _FUNDAMENTAL | _BEHIND
            and (len(own) > 1 or is_type)
            and words[-2:-1] not in (["::"], [])
        )
        pack = "..." if "..." in words else ""
        if named and name not in ("typename", "class"):
            return f"{name}{pack}", []
        self._unnamed += 1
        made = f"quiz_unnamed_{self._unnamed}"
        at = self._source.end_of(self._tokens[places[-1]])
        return f"{made}{pack}", [SourceEdit(at, at, f" {made}")]

    def _variables(
        self, start: int, last: int, given: set[str], names: tuple[str, ...]
    ) -> list[SourceEdit]:
        """Register the variables of a declaration behind it."""
        words = {self._source.word(at) for at in range(start, last)}
        if "extern" in words or self._source.word(start) in ("typedef", "using"):
            return []
        managed = "true" if "__managed__" in given else "false"
        edits, made = list[SourceEdit](), list[str]()
        line = self._tokens[start].place.line
        is_template = self._source.word(start) == "template"
        behind = self._source.match_angle(start + 1) if is_template else start - 1
        for first, end in self._source.split(behind, last):
            at = first
            while at < end and self._source.word(at) not in ("=", "[", "{", "("):
                if self._source.word(at) == "<":
                    at = self._source.match_angle(at)
                elif self._source.word(at) in _PARENTHESIZED and self._source.word(at + 1) == "(":
                    at = self._source.match(at + 1)
                at += 1
            name = self._source.word(at - 1)
            if name.isidentifier() and is_template:
                full = "::".join((*names, name))
                edits.append(self._rename(at - 1, f"quiz_{name}"))
                made.append(self._template_symbol(start, name, full, managed))
            elif name.isidentifier():
                made.append(
                    f"static ::quiz::Symbol quiz_symbol_{line}_{name}"
                    f'(&{name}, sizeof({name}), "{"::".join((*names, name))}", {managed});'
                )
        at = self._source.end_of(self._tokens[last])
        return [*edits, SourceEdit(at, at, " " + " ".join(made))] if made else []

    def _rename(self, position: int, name: str) -> SourceEdit:
        token = self._tokens[position]
        return SourceEdit(self._source.start_of(token), self._source.end_of(token), name)

    def _template_symbol(self, start: int, name: str, full: str, managed: str) -> str:
        """Return a template of references under the variable's name, each of which registers it."""
        begin, end = self._tokens[start], self._tokens[self._source.match_angle(start + 1)]
        head = self._source.text[self._source.start_of(begin) : self._source.end_of(end)]
        given, notes = list[str](), list[str]()
        for each, kind, _ in self._template(start + 1):
            given.append(each)
            notes.append(_note_argument("quiz_given", each, kind))
        return (
            f"{head} static auto &{name} = ::quiz::template_symbol("
            f'quiz_{name}<{", ".join(given)}>, "{full}", {managed}, '
            f"[](auto &quiz_given) {{ {' '.join(notes)} }});"
        ).replace("\n", " ")


def _note_argument(of: str, name: str, kind: str) -> str:
    """Return the C++ that notes what a template's parameter stands for, of a pack each element."""
    bare = name.removesuffix("...")
    if kind == "template":
        return f'{of}.named("{bare}", __PRETTY_FUNCTION__);'
    noted = f"{of}.template {kind}<{bare}>()"
    return f"{noted};" if bare == name else f"({noted}, ...);"
