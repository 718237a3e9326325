"""The shape of every expression of a source, as libclang reads it and as our parser does.

A shape is the expression in prefix form, `(+ a (* b c))`: operators, names and order, without types
and without the values of literals. What clang adds (implicit conversions, copies) is not in it.

    python -m tests.grader.simt.cuda.clang_shapes FOLDER…     compares all sources in folders
"""

from __future__ import annotations

import difflib
import itertools
import re
import sys
from collections.abc import Iterator
from ctypes import c_int
from pathlib import Path
from typing import Any, NamedTuple

from grader.simt.cuda import declared, trees
from grader.simt.cuda import syntax as s
from grader.simt.cuda.headers import KNOWN, is_known
from grader.simt.cuda.parser.parsing import parse
from grader.simt.errors import Refused

HEADER = (Path(__file__).parent / "clang_cuda.h").read_text("utf-8")
ARGUMENTS = [
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib",
    "-std=c++17", "-nostdinc", "-nostdinc++", "-ferror-limit=0", "-w",
]  # fmt: skip
UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")
HEADER_PATH = str(Path(__file__).parent / "clang_cuda.h")
UNKNOWN = "UNKNOWN"
"""What clang did not understand, or does not tell: dependent code, default arguments."""
ROUNDS = 4
"""How often the names that clang misses are declared and the source is read again."""

Shapes = dict[tuple[str, int], list[str]]
"""By function, its name and line: the shapes of its expressions, in order."""


# Ours


def our_shapes(unit: declared.TranslationUnit, path: str) -> Shapes:
    """The shapes of what we parsed of a file, without what is included."""
    found: Shapes = {}
    for function in _functions(unit.declarations):
        if function.body is not None and function.place.path == path:
            shapes = [_ours(each) for each in _top(function.body)]
            found[function.name, function.place.line] = shapes
    return found


def _functions(declarations: tuple[declared.Declaration, ...]) -> Iterator[declared.Function]:
    for each in declarations:
        if isinstance(each, declared.Function):
            yield each
        elif isinstance(each, declared.Struct):
            yield from each.functions


_STATEMENTS = (
    s.DeclarationStatement, s.ExpressionStatement, s.Compound, s.If, s.For, s.While, s.DoWhile,
    s.Section, s.Switch, s.Return,
)  # fmt: skip


_ORDER: dict[type, tuple[str, ...]] = {
    s.If: ("initializer", "condition", "then", "otherwise"),
    s.For: ("initializer", "condition", "step", "body"),
    s.Switch: ("initializer", "value", "sections"),
}
"""Of statements whose fields are not in the order of the source."""


def _top(node: s.Node) -> Iterator[s.Node]:
    """The full expressions below a statement, in the order of the source."""
    if isinstance(node, s.DeclarationStatement):
        yield from (each.initializer for each in node.variables if each.initializer is not None)
    elif fields := _ORDER.get(type(node)):
        for field in fields:
            value = getattr(node, field)
            yield from _parts(*(value if isinstance(value, tuple) else (value,)))
    else:
        yield from _parts(
            *(child for child in trees.children(node) if not isinstance(child, s.Unroll))
        )


def _parts(*nodes: s.Node | None) -> Iterator[s.Node]:
    for node in nodes:
        if node is None:
            continue
        if isinstance(node, _STATEMENTS):
            yield from _top(node)
        elif isinstance(node, s.Expression):
            yield node


def _ours(node: s.Node) -> str:  # noqa: C901, PLR0912 - a table of our nodes
    match node:
        case s.Initializer(_, form, values):
            inner = list(map(_ours, values))
            if form == "=" or (form == "()" and len(inner) == 1):
                return inner[0]
            return _list("{}" if form == "{}" else "make", inner)
        case s.Name(_, parts):
            return parts[-1].identifier
        case s.Unary(_, operator, operand):
            return f"({operator} {_ours(operand)})"
        case s.Postfix(_, operator, operand):
            return f"(post{operator} {_ours(operand)})"
        case s.Binary(_, operator, left, right) | s.Assignment(_, operator, left, right):
            return f"({operator} {_ours(left)} {_ours(right)})"
        case s.Comma(_, left, right):
            return f"(, {_ours(left)} {_ours(right)})"
        case s.Conditional(_, test, yes, no):
            return f"(? {_ours(test)} {_ours(yes)} {_ours(no)})"
        case s.Cast():
            return f"(cast {_ours(node.operand)})"
        case s.Construction():
            inner = list(map(_ours, node.arguments))
            if node.braces:
                return _list("{}", inner)
            return f"(cast {inner[0]})" if len(inner) == 1 else _list("make", inner)
        case s.Member():
            return f"(. {_ours(node.object)} {node.name.identifier})"
        case s.Index():
            return f"(index {_ours(node.object)} {_ours(node.index)})"
        case s.Call():
            return _list("call", [_ours(node.function), *map(_ours, node.arguments)])
        case s.SizeOf():
            return "(sizeof)"
        case s.BraceList(_, values):
            return _list("{}", list(map(_ours, values)))
        case s.This():
            return "this"
    return "#"


def _list(head: str, inner: list[str]) -> str:
    return f"({' '.join([head, *inner])})"


# Clang's


class ClangReader:
    """Reads sources with libclang and a small header of CUDA's names."""

    def __init__(self, cindex: Any) -> None:
        self._cindex = cindex
        self._kinds = cindex.CursorKind
        self._lib = cindex.conf.lib
        for name in ("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"):
            getattr(self._lib, name).argtypes = [cindex.Cursor]
            getattr(self._lib, name).restype = c_int
        for name in ("clang_getBinaryOperatorKindSpelling", "clang_getUnaryOperatorKindSpelling"):
            getattr(self._lib, name).argtypes = [c_int]
            getattr(self._lib, name).restype = cindex._CXString
        initializer = self._lib.clang_Cursor_getVarDeclInitializer
        initializer.argtypes, initializer.restype = [cindex.Cursor], cindex.Cursor

    def shapes(self, path: Path) -> Shapes:
        """The shapes of the device functions of a file that clang reads without an error."""
        text = re.sub(r"^\ufeff", "", path.read_text("utf-8", "replace"))
        text = re.sub(r"^([ \t]*#[ \t]*include)(.*)$", _without_known, text, flags=re.MULTILINE)
        missing = set[str]()
        for _ in range(ROUNDS):
            made = (f"template <class... A> __device__ float {name}(A...);" for name in missing)
            unit = self._parse(path, text, "\n".join([HEADER, *made]))
            new = {m[1] for d in unit.diagnostics if (m := UNDECLARED.match(d.spelling))} - missing
            if not new:
                break
            missing |= new
        errors = [
            each.location.line
            for each in unit.diagnostics
            if each.severity >= 3 and each.location.file and each.location.file.name == str(path)
        ]
        found: Shapes = {}
        for function, body in self._bodies(unit.cursor, str(path)):
            extent = function.extent
            if not any(extent.start.line <= line <= extent.end.line for line in errors):
                shapes = [self._shape(each) for each in self._top(body)]
                found[function.spelling.split("<")[0], function.location.line] = shapes
        return found

    def _parse(self, path: Path, text: str, header: str) -> Any:
        files = [(str(path), text), (HEADER_PATH, header)]
        arguments = [*ARGUMENTS, "-include", HEADER_PATH, f"-I{path.parent}"]
        index = self._cindex.Index.create()
        return index.parse(str(path), arguments, unsaved_files=files)

    def _bodies(self, cursor: Any, path: str) -> Iterator[tuple[Any, Any]]:
        kinds = self._kinds
        functions = (
            kinds.FUNCTION_DECL, kinds.FUNCTION_TEMPLATE, kinds.CXX_METHOD, kinds.CONSTRUCTOR,
            kinds.CONVERSION_FUNCTION,
        )  # fmt: skip
        for child in cursor.get_children():
            if child.location.file is None or child.location.file.name != path:
                continue
            if child.kind in functions:
                body = [each for each in child.get_children() if each.kind == kinds.COMPOUND_STMT]
                if body:
                    yield child, body[-1]
            else:
                yield from self._bodies(child, path)

    def _top(self, cursor: Any) -> Iterator[Any]:
        kinds = self._kinds
        if cursor.kind == kinds.VAR_DECL:
            found = self._lib.clang_Cursor_getVarDeclInitializer(cursor)
            found._tu = cursor._tu
            if not found.kind.is_invalid() and found.extent.start.offset != cursor.location.offset:
                yield found
        elif cursor.kind.is_expression():
            yield cursor
        elif cursor.kind not in (
            kinds.STRUCT_DECL, kinds.ENUM_DECL, kinds.UNION_DECL, kinds.STATIC_ASSERT,
            kinds.TYPEDEF_DECL, kinds.TYPE_ALIAS_DECL,
        ):  # fmt: skip
            for child in cursor.get_children():
                yield from self._top(child)

    def _shape(self, cursor: Any) -> str:  # noqa: C901, PLR0912 - a table of clang's kinds
        kinds, inner = self._kinds, list(cursor.get_children())
        values = [each for each in inner if each.kind.is_expression()]
        kind = cursor.kind
        if kind in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR):
            code = self._lib.clang_getCursorBinaryOperatorKind(cursor)
            operator = _text(self._lib.clang_getBinaryOperatorKindSpelling(code))
            return _list(operator, list(map(self._shape, values)))
        if kind == kinds.UNARY_OPERATOR:
            code = self._lib.clang_getCursorUnaryOperatorKind(cursor)
            operator = _text(self._lib.clang_getUnaryOperatorKindSpelling(code))
            head = f"post{operator}" if code in (1, 2) else operator
            return f"({head} {self._shape(values[0])})"
        if kind == kinds.CONDITIONAL_OPERATOR:
            return _list("?", list(map(self._shape, values)))
        if kind == kinds.ARRAY_SUBSCRIPT_EXPR:
            return _list("index", list(map(self._shape, values)))
        if kind == kinds.CXX_UNARY_EXPR:
            return "(sizeof)"
        if kind == kinds.CXX_THIS_EXPR:
            return "this"
        if kind == kinds.INIT_LIST_EXPR:
            return _list("{}", list(map(self._shape, values)))
        if kind in (
            kinds.CSTYLE_CAST_EXPR, kinds.CXX_STATIC_CAST_EXPR, kinds.CXX_REINTERPRET_CAST_EXPR,
            kinds.CXX_CONST_CAST_EXPR, kinds.CXX_FUNCTIONAL_CAST_EXPR,
        ):  # fmt: skip
            operand = self._shape(values[-1]) if values else "#"
            return operand if operand.startswith("({}") else f"(cast {operand})"
        if kind == kinds.MEMBER_REF_EXPR:
            name = cursor.spelling or UNKNOWN
            return f"(. {self._shape(values[0])} {name})" if values else name
        if kind in (kinds.DECL_REF_EXPR, kinds.OVERLOADED_DECL_REF):
            return cursor.spelling.split("<")[0] or UNKNOWN
        if kind == kinds.CALL_EXPR:
            return self._call(cursor, inner, values)
        if kind in (kinds.UNEXPOSED_EXPR, kinds.PAREN_EXPR):
            if len(values) == 1:
                return self._shape(values[0])
            return cursor.spelling or UNKNOWN
        return "#"

    def _call(self, cursor: Any, inner: list[Any], values: list[Any]) -> str:
        kinds = self._kinds
        shapes = list(map(self._shape, values))
        called = cursor.referenced
        if any(each.kind in (kinds.TYPE_REF, kinds.TEMPLATE_REF) for each in inner) and (
            called is None or called.kind in (kinds.CONSTRUCTOR, kinds.FUNCTION_TEMPLATE)
        ):
            return f"(cast {shapes[0]})" if len(shapes) == 1 else _list("make", shapes)
        if called is not None and called.kind == kinds.CONSTRUCTOR:
            return shapes[0] if len(shapes) == 1 else _list("make", shapes)
        if called is not None and called.spelling.startswith("operator"):
            return self._operator(called.spelling.removeprefix("operator"), cursor, shapes)
        if not values or values[0].extent.start.offset != cursor.extent.start.offset:
            return f"(cast {shapes[0]})" if len(shapes) == 1 else _list("make", shapes)
        return _list("call", shapes)

    def _operator(self, operator: str, cursor: Any, shapes: list[str]) -> str:
        shapes = [each for each in shapes if not each.startswith("operator")]
        if operator == "()":
            return _list("call", shapes)
        if operator == "[]":
            return _list("index", shapes)
        if operator.strip().isidentifier():  # an implicit conversion
            return shapes[0]
        return _list(operator, shapes)


def _text(found: Any) -> str:
    return found if isinstance(found, str) else type(found).from_result(found)


def _without_known(match: re.Match[str]) -> str:
    name = match[2].strip().strip('<>"').split(">")[0].split('"')[0]
    return "" if is_known(name) or name in KNOWN else match[0]


# Both


class Agreement(NamedTuple):
    """Of how many functions and expressions both have a shape, and where these differ.

    `unknown` expressions are not compared: clang does not tell all of them.
    """

    functions: int
    expressions: int
    unknown: int
    differences: list[str]


def compare(reader: ClangReader, path: Path) -> Agreement:
    """Compare what both read of a file.

    Raises:
        Refused: we do not parse it.
    """
    text = path.read_text("utf-8", "replace")
    ours = our_shapes(parse(text, path=str(path), read=_beside), str(path))
    theirs = reader.shapes(path)
    functions = expressions = unknown = 0
    differences = list[str]()
    for key in ours.keys() & theirs.keys():
        functions += 1
        mine, clang = ours[key], theirs[key]
        unknown += sum(UNKNOWN in each for each in clang)
        expressions += sum(UNKNOWN not in each for each in clang)
        pairs = _unequal(mine, clang)
        differences += [f"{path}:{key[1]} {key[0]}:\n    {a}\n    {b}" for a, b in pairs]
    return Agreement(functions, expressions, unknown, differences)


def _unequal(mine: list[str], clang: list[str]) -> Iterator[tuple[str, str]]:
    """What differs in order: (ours, clang's). Clang drops the value of what it cannot declare."""
    matcher = difflib.SequenceMatcher(None, mine, clang, autojunk=False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        ours, theirs = mine[start:stop], clang[first:last]
        if kind in ("replace", "insert"):
            pairs = itertools.zip_longest(ours, theirs, fillvalue="")
            yield from ((a, b) for a, b in pairs if b and UNKNOWN not in b)


def _beside(name: str, path: str) -> tuple[str, str] | None:
    file = Path(path).parent / name
    return (str(file), file.read_text("utf-8", "replace")) if file.is_file() else None


def main(folders: list[str]) -> None:
    """Compare all sources in the folders, and print the differences."""
    import clang.cindex  # noqa: PLC0415 - of the oracle alone

    reader = ClangReader(clang.cindex)
    functions = expressions = unknown = files = 0
    differences = list[str]()
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.cu")):
            try:
                found = compare(reader, path)
            except Refused:
                continue
            files += 1
            functions += found.functions
            expressions += found.expressions
            unknown += found.unknown
            differences += found.differences
    for difference in differences:
        print(difference)
    print(f"{files} files, {functions} functions, {unknown} expressions that clang does not tell")
    print(f"{expressions} expressions, {len(differences)} differ")


if __name__ == "__main__":
    main(sys.argv[1:])
