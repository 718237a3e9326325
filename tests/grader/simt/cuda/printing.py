"""Prints a whole tree as C++ again, so that tests can parse it once more.

What is printed parses to the same tree, but for places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grader.simt.cuda import declared, printing, trees
from grader.simt.cuda import syntax as s
from grader.simt.cuda.printing import (
    _angles,
    _capture,
    _expression,
    _list,
    _name,
    _split,
    _string,
    format_type,
)

_INDENT = "    "


def format_tree(unit: declared.TranslationUnit) -> str:
    """Return the source of what a kernel can use of a unit."""
    return "".join(f"{_scoped(each, format_node(each))}\n" for each in unit.declarations)


def format_node(node: s.Node, depth: int = 0) -> str:
    """The source of any node; a statement indented by `depth` levels."""
    if isinstance(node, _STATEMENTS):
        return _statement(node, depth)
    return printing.format_node(node)


def _scoped(declaration: declared.Declaration, text: str) -> str:
    for name in reversed(declaration.scope):
        text = f"namespace {name} {{ {text} }}"
    return text


def _lambda(node: s.Lambda) -> str:
    captures = ", ".join([*([node.default] if node.default else []), *map(_capture, node.captures)])
    made = node.function
    assert made.body is not None  # as of every lambda
    invented = {parameter.name: "auto" for parameter in made.template or ()}
    parameters = ", ".join(map(_parameter, made.parameters))
    for name, word in invented.items():
        parameters = parameters.replace(name, word)
    result = (
        ""
        if made.result is None or trees.is_auto(made.result)
        else f"-> {format_type(made.result)} "
    )
    mutable = "" if made.const else "mutable "
    return f"[{captures}]({parameters}) {mutable}{result}{_statement(made.body, 0)}"


def _initializer(node: s.Initializer | None) -> str:
    if node is None:
        return ""
    if node.form == "=":
        return f" = {_expression(node.values[0])}"
    return f"{node.form[0]}{_list(node.values)}{node.form[1]}"


def _variables(nodes: Sequence[s.Variable]) -> str:
    """Print variables of one declaration: they share specifiers and base type."""
    words = sorted(nodes[0].specifiers)
    if nodes[0].alignment is not None:
        words.append(f"alignas({_expression(nodes[0].alignment)})")
    words.append(_split(nodes[0].type, "")[0])
    each = (_split(node.type, node.name)[1] + _initializer(node.initializer) for node in nodes)
    return f"{' '.join(words)} {', '.join(each)}"


def _variable(node: s.Variable) -> str:
    return _variables([node])


def _condition(node: s.Condition) -> str:
    if isinstance(node, s.DeclarationStatement):
        return _variable(node.variables[0])
    return _expression(node)


def _optional(node: s.Condition | None) -> str:
    return "" if node is None else _condition(node)


def _first(node: declared.Statement) -> str:
    """Print what stands first in the parentheses of `for`."""
    if isinstance(node, s.DeclarationStatement):
        return f"{_variables(node.variables)};"
    return _statement(node, 0).strip()


def _unroll(node: s.Unroll | None) -> str:
    if node is None:
        return ""
    return "#pragma unroll" + ("" if node.count is None else f" ({_expression(node.count)})") + "\n"


def _template(parameters: tuple[declared.TemplateParameter, ...] | None) -> str:
    if parameters is None:
        return ""
    return f"template <{', '.join(map(_template_parameter, parameters))}> "


def _template_parameter(node: declared.TemplateParameter) -> str:
    name = f"...{node.name}" if node.pack else node.name
    text = f"typename {name}".strip() if node.type is None else format_type(node.type, name)
    return text if node.default is None else f"{text} = {format_node(node.default)}"


def _parameter(node: declared.Parameter) -> str:
    text = format_type(node.type, f"...{node.name}" if node.pack else node.name)
    return text if node.default is None else f"{text} = {_expression(node.default)}"


def _function(node: declared.Function, depth: int) -> str:
    words = sorted(node.specifiers)
    if node.launch_bounds:
        words.append(f"__launch_bounds__({_list(node.launch_bounds)})")
    name = f"{_name(node.owner)}::{node.name}" if node.owner else node.name
    if node.specialized is not None:
        name += _angles(node.specialized)
    call = f"{name}({', '.join(map(_parameter, node.parameters))})"
    conversion = node.name.startswith("operator ")
    shown = call if node.result is None or conversion else format_type(node.result, call)
    head = _template(node.template) + " ".join([*words, shown]) + (" const" if node.const else "")
    if node.initializers:
        each = (
            f"{_name(m.name)}{_initializer(m.initializer)}{'...' if m.pack else ''}"
            for m in node.initializers
        )
        head += f" : {', '.join(each)}"
    if node.body is not None:
        return f"{head} {_statement(node.body, depth).lstrip()}"
    ending = " = default" if node.defaulted else " = delete" if node.deleted else ""
    return f"{head}{ending};"


def _struct(node: declared.Struct, depth: int) -> str:
    pad = _INDENT * (depth + 1)
    aligned = "" if node.alignment is None else f"alignas({_expression(node.alignment)}) "
    name = node.name + ("" if node.specialized is None else _angles(node.specialized))
    lines = [_statement(each, depth + 1).strip() for each in node.types]
    lines += [f"{_variable(each)};" for each in (*node.constants, *node.members)]
    lines += [_function(each, depth + 1) for each in node.functions]
    body = "".join(f"{pad}{line}\n" for line in lines)
    head = f"{_template(node.template)}{node.keyword} {aligned}{name}"
    if node.bases:
        head += f" : {', '.join(map(_base, node.bases))}"
    return f"{head} {{\n{body}{_INDENT * depth}}};"


def _base(node: declared.Base) -> str:
    return f"{format_type(node.type)}{'...' if node.pack else ''}"


def _enum(node: declared.Enum) -> str:
    values = ", ".join(
        each.name if each.value is None else f"{each.name} = {_expression(each.value)}"
        for each in node.enumerators
    )
    under = "" if node.underlying is None else f" : {format_type(node.underlying)}"
    return f"enum {'class ' if node.scoped else ''}{node.name}{under} {{ {values} }};"


def _static_assert(node: declared.StaticAssert) -> str:
    message = "" if node.message is None else f", {_string(node.message)}"
    return f"static_assert({_expression(node.condition)}{message});"


def _if(node: s.If, depth: int) -> str:
    first = "" if node.initializer is None else f"{_first(node.initializer)} "
    constexpr = "constexpr " if node.constexpr else ""
    text = f"if {constexpr}({first}{_condition(node.condition)})\n{_inner(node.then, depth)}"
    if node.otherwise is not None:
        text += f"\n{_INDENT * depth}else\n{_inner(node.otherwise, depth)}"
    return text


def _inner(node: declared.Statement, depth: int) -> str:
    """Print a branch or a body in braces, so that no `else` finds another `if`."""
    if isinstance(node, s.Compound):
        return _statement(node, depth)
    pad = _INDENT * depth
    return f"{pad}{{\n{_statement(node, depth + 1)}\n{pad}}}"


def _for(node: s.For, depth: int) -> str:
    head = f"{_first(node.initializer)} {_optional(node.condition)}; {_optional(node.step)}"
    return f"{_unroll(node.unroll)}for ({head})\n{_inner(node.body, depth)}"


def _range_for(node: s.RangeFor, depth: int) -> str:
    head = f"{_variable(node.variable)} : {_expression(node.range)}"
    return f"{_unroll(node.unroll)}for ({head})\n{_inner(node.body, depth)}"


def _bindings(node: s.Bindings) -> str:
    return f"{format_type(node.type)} [{', '.join(node.names)}]{_initializer(node.initializer)};"


def _while(node: s.While, depth: int) -> str:
    return f"{_unroll(node.unroll)}while ({_condition(node.condition)})\n{_inner(node.body, depth)}"


def _do(node: s.DoWhile, depth: int) -> str:
    body = _inner(node.body, depth)
    return (
        f"{_unroll(node.unroll)}do\n{body}\n{_INDENT * depth}while ({_expression(node.condition)});"
    )


def _switch(node: s.Switch, depth: int) -> str:
    first = "" if node.initializer is None else f"{_first(node.initializer)} "
    lines = list[str]()
    for section in node.sections:
        for label in section.labels:
            shown = "default" if label is None else f"case {_expression(label)}"
            lines.append(f"{_INDENT * depth}{shown}:")
        lines.extend(_statement(each, depth + 1) for each in section.statements)
    body = "\n".join(lines)
    return f"switch ({first}{_condition(node.value)}) {{\n{body}\n{_INDENT * depth}}}"


def _compound(node: s.Compound, depth: int) -> str:
    inner = "".join(f"{_statement(each, depth + 1)}\n" for each in node.statements)
    return f"{{\n{inner}{_INDENT * depth}}}"


def _asm(node: s.Asm) -> str:
    parts = [_string(s.StringLiteral(node.place, node.text.encode()))]
    for group in (node.outputs, node.inputs):
        each = (f'"{operand.constraint}"({_expression(operand.expression)})' for operand in group)
        parts.append(", ".join(each))
    return f"asm volatile({' : '.join(parts)});"


def _using(node: declared.Using) -> str:
    name = _name(node.name) + ("..." if node.pack else "")
    return f"using {'namespace ' if node.namespace else ''}{name};"


_FORMS: dict[type[s.Node], Callable[[Any, int], str]] = {
    s.DeclarationStatement: lambda node, _: f"{_variables(node.variables)};",
    s.ExpressionStatement: lambda node, _: f"{_expression(node.expression)};",
    s.Compound: _compound,
    s.Empty: lambda *_: ";",
    s.If: _if,
    s.For: _for,
    s.While: _while,
    s.DoWhile: _do,
    s.Switch: _switch,
    s.Break: lambda *_: "break;",
    s.Continue: lambda *_: "continue;",
    s.Return: lambda n, _: "return;" if n.value is None else f"return {_expression(n.value)};",
    s.RangeFor: _range_for,
    s.Bindings: lambda node, _: _bindings(node),
    s.Asm: lambda node, _: _asm(node),
    s.Variable: lambda node, _: f"{_variable(node)};",
    declared.Function: _function,
    declared.Struct: _struct,
    declared.Enum: lambda node, _: _enum(node),
    declared.Alias: lambda n, _: f"{_template(n.template)}using {n.name} = {format_type(n.type)};",
    declared.StaticAssert: lambda node, _: _static_assert(node),
    declared.Using: lambda node, _: _using(node),
}
_STATEMENTS = tuple(_FORMS)


def _statement(node: s.Node, depth: int) -> str:
    return _INDENT * depth + _FORMS[type(node)](node, depth)


printing._EXPRESSIONS[s.Lambda] = _lambda
