"""Prints expressions and types as C++ again: canonical, every operation in parentheses.

What is printed parses to the same tree, but for places; a lambda's body is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from grader.simt.cuda import syntax as s

_SUFFIXES = {
    "int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul", "long long": "ll",
    "unsigned long long": "ull",
}  # fmt: skip
_ESCAPES = {
    ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r", ord('"'): '\\"', ord("\\"): "\\\\",
}  # fmt: skip


def format_node(node: s.Node) -> str:
    """Return the source of an expression or a type."""
    return format_type(node) if isinstance(node, _TYPES) else _expression(node)


# Names and types


def _name(name: s.Name) -> str:
    return ("::" if name.rooted else "") + "::".join(map(_part, name.parts))


def _part(part: s.NamePart) -> str:
    return part.identifier if part.arguments is None else part.identifier + _angles(part.arguments)


def _angles(arguments: Sequence[s.TemplateArgument]) -> str:
    return f"<{', '.join(map(format_node, arguments))}>"


def format_type(of: s.Type, name: str = "") -> str:
    """Return a declaration of `name` with the type; of a type alone if there is no name."""
    base, declarator = _split(of, name)
    return f"{base} {declarator}" if declarator else base


def _split(of: s.Type, name: str) -> tuple[str, str]:
    """Return the type's specifiers, and the declarator of `name` that stands behind them."""
    match of:
        case s.PointerType():
            words = _words(("const", of.const), ("volatile", of.volatile))
            star = f"*{' '.join([*words, *(['__restrict__'] if of.restrict else [])])}"
            text = f"{star}{' ' if name and star != '*' else ''}{name}"
            return _split(of.target, _around(of.target, text))
        case s.ReferenceType():
            mark = "&&" if of.rvalue else "&"
            text = f"{mark}{'__restrict__ ' if of.restrict else ''}{name}"
            return _split(of.target, _around(of.target, text))
        case s.ArrayType():
            size = "" if of.size is None else _expression(of.size)
            return _split(of.element, f"{name}[{size}]")
        case s.FunctionType():
            return _split(of.result, f"{name}({_list(of.parameters)})")
        case s.DecltypeType():
            base = f"decltype({_expression(of.operand)})"
        case s.NamedType():
            base = _name(of.name)
    words = _words(("const", of.const), ("volatile", of.volatile))
    return " ".join([*words, base]), name


def _around(target: s.Type, text: str) -> str:
    return f"({text})" if isinstance(target, (s.ArrayType, s.FunctionType)) else text


def _words(*given: tuple[str, bool]) -> list[str]:
    return [word for word, there in given if there]


# Expressions


def _list(values: Iterable[s.Node]) -> str:
    return ", ".join(map(format_node, values))


def _string(node: s.StringLiteral) -> str:
    shown = "".join(
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}")
        for byte in node.value
    )
    return f'"{shown}"'


def _construction(node: s.Construction) -> str:
    opening, closing = "{}" if node.braces else "()"
    name = format_type(node.type).replace("unsigned int", "unsigned")  # one word before `(`
    return f"{name}{opening}{_list(node.arguments)}{closing}"


def _cast(node: s.Cast) -> str:
    to, operand = format_type(node.type), _expression(node.operand)
    return f"(({to}){operand})" if node.style == "C" else f"{node.style}<{to}>({operand})"


def _size_of(node: s.SizeOf) -> str:
    return f"{'alignof' if node.alignment else 'sizeof'}({format_node(node.operand)})"


def _fold(node: s.Fold) -> str:
    sides = (node.left, node.right)
    left, right = ("" if each is None else _expression(each) for each in sides)
    before = f"{left} {node.operator} " if left else ""
    after = f" {node.operator} {right}" if right else ""
    return f"({before}...{after})"


def _lambda(node: s.Lambda) -> str:
    captures = ", ".join([*([node.default] if node.default else []), *map(_capture, node.captures)])
    return f"[{captures}](…) {{ … }}"


def _capture(capture: s.Capture) -> str:
    return (
        ("&" if capture.reference and capture.name != "this" else "")
        + ("*" if capture.name == "this" and not capture.reference else "")
        + ("..." if capture.pack and capture.initializer is not None else "")
        + capture.name
        + ("..." if capture.pack and capture.initializer is None else "")
        + ("" if capture.initializer is None else f" = {_expression(capture.initializer)}")
    )


_EXPRESSIONS: dict[type[s.Node], Callable[[Any], str]] = {
    s.Name: _name,
    s.IntegerLiteral: lambda node: f"{node.value}{_SUFFIXES[node.type]}",
    s.FloatLiteral: lambda node: node.text,
    s.CharacterLiteral: lambda node: f"'\\{node.value % 256:03o}'",
    s.StringLiteral: _string,
    s.BoolLiteral: lambda node: str(node.value).lower(),
    s.NullPointer: lambda _: "nullptr",
    s.This: lambda _: "this",
    s.Unary: lambda node: f"({node.operator} {_expression(node.operand)})",
    s.Postfix: lambda node: f"({_expression(node.operand)}{node.operator})",
    s.Binary: lambda n: f"({_expression(n.left)} {n.operator} {_expression(n.right)})",
    s.Assignment: lambda n: f"({_expression(n.target)} {n.operator} {_expression(n.value)})",
    s.Comma: lambda node: f"({_expression(node.left)}, {_expression(node.right)})",
    s.Conditional: lambda n: (
        f"({_expression(n.test)} ? {_expression(n.yes)} : {_expression(n.no)})"
    ),
    s.Cast: _cast,
    s.Construction: _construction,
    s.Member: lambda n: f"{_expression(n.object)}{'->' if n.arrow else '.'}{_part(n.name)}",
    s.Index: lambda node: f"{_expression(node.object)}[{_expression(node.index)}]",
    s.Call: lambda node: f"{_expression(node.function)}({_list(node.arguments)})",
    s.SizeOf: _size_of,
    s.BraceList: lambda node: f"{{{_list(node.values)}}}",
    s.Lambda: _lambda,
    s.Expansion: lambda node: f"{format_node(node.pattern)}...",
    s.Fold: _fold,
    s.PackSize: lambda node: f"sizeof...({node.name})",
    s.Designated: lambda node: f".{node.name} = {_expression(node.value)}",
}


def _expression(node: s.Node) -> str:
    return _EXPRESSIONS[type(node)](node)


_TYPES = (
    s.NamedType, s.DecltypeType, s.PointerType, s.ReferenceType, s.ArrayType, s.FunctionType,
)  # fmt: skip
