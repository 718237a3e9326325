"""What C++ forbids in a tree whatever its types are: names declared twice, statements out of place.

Types and values are checked where they are lowered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.names import GLOBAL_SPACES, POSITIONS, VECTOR_TYPES
from grader.simt.cuda.places import ill_formed
from grader.simt.cuda.trees import type_name

_LOOPS = (syntax.For, syntax.RangeFor, syntax.While, syntax.DoWhile)
_NAMED = (syntax.Variable, declared.Struct, declared.Enum)


def check(tree: declared.TranslationUnit) -> None:
    """Check a source.

    Raises:
        Refused: it breaks a rule.
    """
    functions, others = list[declared.Function](), list[declared.Declaration]()
    for each in tree.declarations:
        if isinstance(each, declared.Function):
            functions.append(each)
        else:
            others.append(each)
    if others:
        _check_others(others)
    if len(functions) > 1:
        _check_overloads(functions)
    for struct in (each for each in others if isinstance(each, declared.Struct)):
        _check_struct(struct)
        functions += struct.functions
        for member in struct.functions:
            if "__global__" in member.specifiers:
                raise ill_formed(fact("cpp.kernel-member", name=member.name), member.place)
    for function in functions:
        check_function(function)


def _check_others(declarations: Sequence[declared.Declaration]) -> None:
    """Check types and variables of the file."""
    _Names.of(each for each in declarations if isinstance(each, _NAMED))
    for each in declarations:
        if isinstance(each, (declared.Struct, declared.Enum, declared.Alias)):
            _check_type_name(each)
    for variable in (each for each in declarations if isinstance(each, syntax.Variable)):
        if not variable.scope and variable.name in POSITIONS:
            raise ill_formed(fact("cpp.built-in", name=variable.name), variable.place)
        if variable.specifiers >= {"__shared__", "__constant__"}:
            raise ill_formed(fact("cpp.two-spaces", name=variable.name), variable.place)


class _Names:
    """The names of one scope."""

    def __init__(self, seen: Iterable[Any] = ()) -> None:
        self._seen: set[Any] = set(seen)

    @classmethod
    def of(cls, nodes: Iterable[Any]) -> _Names:
        """Return the names of a scope's declarations, as far as each may stand there once."""
        names = cls()
        for node in nodes:
            names.declare(node)
        return names

    def of_body(self) -> _Names:
        """Return the names of the body of a statement in whose head these are."""
        return _Names(self._seen)

    def declare(self, node: Any) -> None:
        """Add what declares a name.

        Raises:
            Refused: another declaration has.
        """
        if isinstance(node, declared.Enum) and not node.scoped:
            for each in node.enumerators:
                self._add((False, *node.scope, each.name), each)
        if isinstance(node, declared.Struct) and node.specialized is not None:
            return
        if not (isinstance(node, syntax.Variable) and "extern" in node.specifiers) and node.name:
            # `struct timer timer;`: a variable may have a type's name.
            is_type = isinstance(node, (declared.Struct, declared.Enum))
            self._add((is_type, *getattr(node, "scope", ()), node.name), node)

    def _add(self, name: Any, node: Any) -> None:
        if name in self._seen:
            raise ill_formed(fact("cpp.declared-twice", name=node.name), node.place)
        self._seen.add(name)


def _check_type_name(node: declared.Struct | declared.Enum | declared.Alias) -> None:
    """Check that a type does not have the name of another one that CUDA defines."""
    same = isinstance(node, declared.Alias) and type_name(node.type) == node.name
    if not node.scope and node.name in VECTOR_TYPES and not same:
        raise ill_formed(fact("cpp.built-in", name=node.name), node.place)


def _check_overloads(functions: Iterable[declared.Function]) -> None:
    """Check that functions of one name differ in their parameters."""
    bodies, results = set[Any](), dict[Any, Any]()
    own = [
        each
        for each in functions
        if each.specialized is None and each.template != () and not each.refusal
    ]
    named = Counter(each.name for each in own)
    for each in own:
        if named[each.name] == 1:
            continue
        parameters = tuple(
            shape_of(parameter.type, outermost=True) for parameter in each.parameters
        )
        template = each.template and tuple(shape_of(parameter.type) for parameter in each.template)
        key = (each.scope, shape_of(each.owner), each.name, template, parameters, each.const)
        result = shape_of(each.result)
        alone = template is None and results.setdefault(key, result) != result
        body = key if template is None else (key, result)  # templates may differ in it alone
        if alone or (each.body and body in bodies):
            raise ill_formed(fact("cpp.declared-twice", name=each.name), each.place)
        if each.body:
            bodies.add(body)


def shape_of(node: Any, *, outermost: bool = False) -> Any:
    """Return a type without places; the `const` of a parameter itself does not count."""
    if isinstance(node, syntax.Node):
        if outermost and isinstance(node, syntax.ArrayType):
            return ("PointerType", shape_of(node.element), False)
        left_out = ("place", "const", "volatile") if outermost else ("place",)
        names = [name for name in type(node).__dataclass_fields__ if name not in left_out]
        kept = (False,) if outermost and "const" in type(node).__dataclass_fields__ else ()
        return (type(node).__name__, *(shape_of(getattr(node, name)) for name in names), *kept)
    if isinstance(node, tuple):
        return tuple(shape_of(each) for each in node)
    return node


def _check_struct(node: declared.Struct) -> None:
    _Names.of((*node.members, *node.constants))
    for member in node.members:
        _check_type(member)
        inner = member.type
        while isinstance(inner, syntax.ArrayType):
            inner = inner.element
        name = type_name(inner)
        itself = isinstance(inner, syntax.NamedType) and inner.name.parts[-1].arguments is None
        if name == "void" or (name == node.name and itself):
            raise ill_formed(fact("cpp.incomplete", type=name), member.place)


def _check_type(node: syntax.Variable | declared.Parameter) -> None:
    """Check that there are arrays of nothing but objects."""
    kind = node.type
    while isinstance(kind, (syntax.ArrayType, syntax.PointerType)):
        inner = kind.element if isinstance(kind, syntax.ArrayType) else kind.target
        is_array = isinstance(kind, syntax.ArrayType)
        if isinstance(inner, syntax.ReferenceType) or (is_array and type_name(inner) == "void"):
            raise ill_formed(fact("cpp.array-of-nothing", name=node.name), node.place)
        kind = inner


def check_function(node: declared.Function) -> None:
    """Check a function, or that of a lambda.

    Raises:
        Refused: it breaks a rule.
    """
    if "__global__" in node.specifiers:
        if node.specifiers & {"__device__", "__host__"}:
            raise ill_formed(fact("cpp.kernel-elsewhere", name=node.name), node.place)
        result = node.result  # None where the function is refused
        if result and type_name(result) != "void":
            raise ill_formed(fact("cpp.kernel-result", name=node.name), node.place)
    names = _Names.of(node.template) if node.template else _Names()
    for template_parameter in node.template or ():
        if type_name(template_parameter.type) in ("float", "double"):
            what = fact("cpp.template-arguments", name=node.name)
            raise ill_formed(what, template_parameter.place)
    default = False
    for parameter in node.parameters:
        names.declare(parameter)
        _check_type(parameter)
        if default and parameter.default is None:
            raise ill_formed(fact("cpp.default-missing", name=parameter.name), parameter.place)
        default = parameter.default is not None
    if node.body is not None:
        _check_all(node.body, names, "")


def _check_statement(node: Any, names: _Names, leaves: str) -> None:
    """Check a statement; `leaves` has "b" or "c" where `break` or `continue` leave something."""
    match node:
        case syntax.DeclarationStatement(_, variables):
            for variable in variables:
                _check_local(variable)
                names.declare(variable)
        case syntax.Bindings(place, own):
            for name in own:
                names.declare(declared.Parameter(place, name, node.type))
        case declared.Struct() | declared.Enum():
            names.declare(node)
        case syntax.Break() | syntax.Continue():
            word = type(node).__name__.lower()
            if word[0] not in leaves:
                raise ill_formed(fact("cpp.leaves-nothing", word=word), node.place)
        case syntax.Switch():
            _check_switch(node, leaves)
        case syntax.Compound():
            _check_all(node, _Names(), leaves)
        case _:
            _check_parts(node, "bc" if isinstance(node, _LOOPS) else leaves)


def _check_all(node: syntax.Compound, names: _Names, leaves: str) -> None:
    for each in node.statements:
        _check_statement(each, names, leaves)


def _check_parts(node: syntax.Node, leaves: str) -> None:
    """Check what is below a statement with a head: its outermost names clash with the head's."""
    head = _Names()
    for each in trees.statements_in(node):
        if isinstance(each, syntax.Compound):
            _check_all(each, head.of_body(), leaves)
        else:
            _check_statement(each, head, leaves)


def _check_switch(node: syntax.Switch, leaves: str) -> None:
    inner, defaults = _Names(), 0
    if node.initializer is not None:
        _check_statement(node.initializer, inner, leaves)
    for section in node.sections:
        defaults += section.labels.count(None)
        if defaults > 1:
            raise ill_formed(fact("cpp.label-twice"), section.place)
        for each in section.statements:
            _check_statement(each, inner, leaves + "b")


def _check_local(node: syntax.Variable) -> None:
    _check_type(node)
    if node.specifiers & GLOBAL_SPACES:
        raise ill_formed(fact("cpp.global-space", name=node.name), node.place)
    if "extern" in node.specifiers and "__shared__" not in node.specifiers:
        raise ill_formed(fact("cpp.extern-local", name=node.name), node.place)
