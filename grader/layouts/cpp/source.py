"""Reads CUDA C++ as people write an index: an expression, statements that return, or functions.

What stands around it makes it a translation unit, which the emulator's front end reads. Owns what
an index is beyond C++: `row, col` and `tile[i][j]` are two numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from grader.facts import Fact, fact
from grader.layouts.arithmetic import Array
from grader.layouts.cpp.lowering import CalledEntry, CppProgram, IndexEntry, lower_program
from grader.layouts.errors import NotUnderstood
from grader.layouts.names import shorten, unavailable, write
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.parser.parsing import AROUND, ParsedSource, parse_expression
from grader.simt.cuda.parser.rules import check
from grader.simt.cuda.places import Place
from grader.simt.errors import Refused

_ENTRY = "index"
_SHARED = frozenset(("__shared__", "__device__", "__managed__"))
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_DIRECTIVES = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
_GRID = frozenset(("blockIdx", "gridDim"))
_NOT_ALONE = re.compile("|".join((*_SHARED, *_GRID, "asm")))
_COMMENT = re.compile(r"//|/\*")
_INSTEAD = {"//": fact("layout.use-c-division"), "/*": fact("layout.leave-out")}
_MARKS = frozenset(";{}")
_WORD = re.compile(r"[{}]|\b(?:return|if|for|while|do|switch)\b")


class CppSource(NamedTuple):
    """An index in CUDA C++.

    Attributes:
        text: short, without NUL.
        names: numbers of the elements by name, in the type that C++ has for them.
        parameters: of `names`, what a function takes, by place.
    """

    text: str
    names: Mapping[str, Array]
    constants: Mapping[str, int]
    parameters: tuple[str, ...]


def read_cpp(source: CppSource) -> CppProgram:
    """Read an index.

    Raises:
        NotUnderstood: with line, column and what to write instead.
    """
    text = source.text
    form = _form(text)
    if form == "expression" and (comment := _COMMENT.search(text)):
        mark, place = comment.group(), _place(text, comment.start())
        raise NotUnderstood(fact("layout.comment", mark=mark), *place, _INSTEAD[mark])
    try:
        try:
            return _read(source, form)
        except Refused as error:
            again = _INSTEAD_OF_AUTO.get(error.what.code) if form == "statements" else None
            if again is None:
                raise
            return _read(source, again)
    except Refused as error:
        raise _at_its_place(error, _end(text)) from None


def _read(source: CppSource, form: str) -> CppProgram:
    tree, end = declared.TranslationUnit(()), _end(source.text)
    if form == "expression":
        value = parse_expression(source.text)
        _check_alone(source.text, (value,))
        entry: IndexEntry | CalledEntry = _expression(value, end)
    else:
        tree = ParsedSource(source.text, device=True, around=_AROUND[form]).tree
        check(tree)
        _check_alone(source.text, tree.declarations)
        given = source.parameters if form == "functions" else ()
        entry = _call(_entry_function(tree), given, source.parameters, end)
    program = CppProgram(tree, entry, source.names, source.constants)
    lower_program(program)
    return program


def _end(text: str) -> Place:
    return Place(*_place(text, len(text)))


_AROUND = {
    "statements": (f"auto {_ENTRY}() {{", "}"),
    "numbers": (f"long long {_ENTRY}() {{", "}"),
    "pairs": (f"int2 {_ENTRY}() {{", "}"),
    "functions": ("", ""),
}
"""By form, what stands before the source and behind it; numbers are statements that return several
types, pairs those that return a list of two."""
_INSTEAD_OF_AUTO = {"cpp.auto-results": "numbers", "cpp.auto-list": "pairs"}


def _at_its_place(error: Refused, end: Place) -> NotUnderstood:
    """Return an error of the front end as one of the person's text; behind that is its end."""
    if error.what.code == "cpp.ends-too-early":
        return NotUnderstood(fact("layout.ends-too-early"), error.line, error.column)
    if error.file != AROUND:
        fields = {
            name: shorten(value) if isinstance(value, str) else value
            for name, value in error.what.fields.items()
        }
        what = Fact(error.what.code, fields)
        return NotUnderstood(what, error.line, error.column, error.instead)
    wanted = error.what.fields.get("expected")
    early = fact("layout.missing", text=wanted) if wanted else fact("layout.ends-too-early")
    return NotUnderstood(early, *end[:2])


def _place(source: str, at: int) -> tuple[int, int]:
    return source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at)


def _form(source: str) -> str:
    """Return what a source is: statements have `return` or a loop outside of all braces."""
    text = _COMMENTS.sub(" ", source)
    if "#" in text:
        text = _DIRECTIVES.sub(" ", text)
    if _MARKS.isdisjoint(text):
        return "expression"
    depth = 0
    for match in _WORD.finditer(text):
        match match.group():
            case "{":
                depth += 1
            case "}":
                depth -= 1
            case _ if depth == 0:
                return "statements"
    before, brace, _ = text.partition("{")
    return "functions" if brace and before.strip() else "statements"


def _entry_function(tree: declared.TranslationUnit) -> declared.Function:
    """Return the function called `index`, or the last one."""
    functions = [each for each in tree.functions if each.body or each.refusal]
    if not functions:
        raise NotUnderstood(fact("layout.no-function"))
    named = [each for each in functions if each.name == _ENTRY]
    return (named or functions)[-1]


def _expression(value: syntax.Expression, end: Place) -> IndexEntry:
    """Return the numbers that an expression names: `tile[i][j]` and `i, j` are two."""
    parts = list[syntax.Expression]()
    if isinstance(value, syntax.Index):
        while isinstance(value, syntax.Index):
            parts.insert(0, value.index)
            value = value.object
        if len(parts) > 2:
            raise NotUnderstood(fact("layout.too-many-indices"), *value.place[:2])
        return IndexEntry(tuple(parts), parts[0].place, end)
    while isinstance(value, syntax.Comma):
        parts.insert(0, value.right)
        value = value.left
    if len(parts) > 1:
        raise NotUnderstood(fact("layout.too-many-numbers"), *parts[1].place[:2])
    return IndexEntry((value, *parts), value.place, end)


def _call(
    function: declared.Function, given: tuple[str, ...], parameters: tuple[str, ...], end: Place
) -> CalledEntry:
    """Return the call of a function that is asked for an index."""
    if function.refusal is not None:
        raise function.refusal
    place = Place(1, 1) if function.place.path == AROUND else function.place
    body = [] if function.body is None else [function.body]
    statements = trees.walk(*body, parts=trees.statements_in)
    returns = [node for node in statements if isinstance(node, syntax.Return)]
    for each in returns:
        if isinstance(each.value, syntax.Comma):
            raise NotUnderstood(fact("layout.comma"), *each.value.place[:2])
    if not returns and function.body is not None:
        last = function.body.end
        raise NotUnderstood(fact("layout.nothing-returned"), *(end if last.path else last)[:2])
    needed = sum(each.default is None for each in function.parameters)
    if not needed <= len(given) <= len(function.parameters):
        count = len(function.parameters)
        what = fact("layout.parameter-count", name=shorten(function.name), n=count)
        typed = ", ".join(f"int {parameter}" for parameter in parameters)
        raise NotUnderstood(what, *place[:2], write(f"int index({typed}) {{ … }}"))
    return CalledEntry(function.name, given, place, end)


def _check_alone(text: str, parsed: Iterable[syntax.Node]) -> None:
    """Refuse memory that elements would share, and the grid, in which they have no place.

    Inline PTX too, whose special registers are of the grid.
    """
    if not _NOT_ALONE.search(text):
        return
    for node in trees.walk(*parsed):
        match node:
            case syntax.Variable(specifiers=words) if shared := words & _SHARED:
                constant = trees.is_const(node.type) or "constexpr" in words
                if constant and shared == {"__device__"}:
                    continue
                raise NotUnderstood(unavailable(min(shared)), *node.place[:2])
            case syntax.Asm():
                raise NotUnderstood(unavailable("asm"), *node.place[:2])
            case syntax.Name() if node.spelled in _GRID:
                raise NotUnderstood(unavailable(node.spelled), *node.place[:2])
