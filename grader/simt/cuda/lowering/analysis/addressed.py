"""Which variables of a function have to live in memory, since something else can refer to them.

A reference to a register is passed by value and returned, which is right as long as nothing else
refers to it meanwhile: no pointer, and no other reference of the same call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from grader.simt.cuda import declared, syntax, trees

_REFERRING = frozenset(
    (syntax.Unary, syntax.Call, syntax.Construction, syntax.Variable, syntax.Bindings)
)
"""Kinds of nodes without which nothing refers to a variable."""
Nodes = Mapping[type[syntax.Node], Sequence[Any]]
"""The nodes of a body by kind, of each in order."""


class Bodies:
    """The nodes of functions' bodies, each gone through once for all that looks at them."""

    def __init__(self) -> None:
        self._known: dict[int, Nodes] = {}

    def nodes(self, function: declared.Function) -> Nodes:
        """Return the nodes of a function's body."""
        if id(function) not in self._known:
            self._known[id(function)] = found = defaultdict[type[syntax.Node], list[Any]](list)
            waiting: list[syntax.Node] = [] if function.body is None else [function.body]
            while waiting:
                node = waiting.pop()
                found[type(node)].append(node)
                if not isinstance(node, syntax.Name):  # in it are constants and types
                    waiting += trees.children(node)[::-1]
        return self._known[id(function)]


class Addressed:
    """Finds the variables of a source's functions that live in memory, once for each function."""

    def __init__(self, tree: declared.TranslationUnit, bodies: Bodies) -> None:
        self._tree = tree
        self._bodies = bodies
        self._known: dict[int, frozenset[str]] = {}

    @cached_property
    def _functions(self) -> Mapping[str, list[declared.Function]]:
        """The functions of the source by name, with those of structs."""
        found: dict[str, list[declared.Function]] = {}
        own = (each for each in self._tree.declarations if isinstance(each, declared.Function))
        members = (each for struct in self._tree.structs for each in struct.functions)
        for function in (*own, *members):
            found.setdefault(function.name, []).append(function)
        return found

    @cached_property
    def _referring(self) -> Mapping[str, Mapping[str, str]]:
        """Structs with members that are references, or that such structs are.

        By name: of each such member the struct, "" for a reference.
        """
        structs = list(self._tree.structs)
        for struct in structs:  # which grows by what is in them
            structs += [each for each in struct.types if isinstance(each, declared.Struct)]
        known: dict[str, dict[str, str]] = {}
        before = -1
        while before < (before := sum(map(len, known.values()))):
            for struct in structs:
                parts = [(each.name, each.type) for each in struct.members]
                parts += [(_last_name(each.type), each.type) for each in struct.bases]
                for name, kind in parts:
                    own, refers = _last_name(kind), isinstance(kind, syntax.ReferenceType)
                    if refers or own in known:
                        known.setdefault(struct.name, {})[name] = "" if refers else own
        return known

    def find(self, source: declared.Function) -> frozenset[str]:
        """Return the names of a function's variables that live in memory."""
        if id(source) not in self._known:
            self._known[id(source)] = frozenset()  # for one that calls itself
            self._known[id(source)] = self._find(source)
        return self._known[id(source)]

    def _find(self, source: declared.Function) -> frozenset[str]:
        found = set[str]()
        calls: list[tuple[declared.Function, list[str | None]]] = []
        nodes = self._bodies.nodes(source)
        if _REFERRING.isdisjoint(nodes) and not source.initializers:
            return frozenset()
        references = _find_references(nodes)
        for unary in nodes.get(syntax.Unary, ()):
            if unary.operator == "&" and (root := _root(unary.operand)):
                found.add(root)
        for call in nodes.get(syntax.Call, ()):
            if isinstance(call.function, syntax.Name):
                callees = self._functions.get(call.function.parts[-1].identifier)
                roots = [_root(each) for each in call.arguments] if callees else []
                calls += [(each, roots) for each in callees or ()]
        for struct, values in self._made(source, nodes):
            roots = [_root(each) for each in _unlisted(values)]
            constructors = self._functions.get(struct)
            calls += [(each, roots) for each in constructors or ()]
            found |= set() if constructors else {root for root in roots if root}
        for callee, roots in calls:
            found |= _exposed(callee, roots, references, self.find(callee))
        for _ in references:  # a reference to a reference takes a further round
            found |= {root for name, root in references.items() if name in found}
        return frozenset(found)

    def _made(
        self, source: declared.Function, nodes: Nodes
    ) -> Iterator[tuple[str, Sequence[syntax.Expression]]]:
        """Yield what structs with references are made of; "" for a reference alone."""
        for variable in nodes.get(syntax.Variable, ()):
            if variable.initializer is not None and _last_name(variable.type) in self._referring:
                yield _last_name(variable.type), variable.initializer.values
        for made in nodes.get(syntax.Construction, ()):
            if _last_name(made.type) in self._referring:
                yield _last_name(made.type), made.arguments
        members = self._referring.get(source.name, {})
        for each in source.initializers:
            name = each.name.parts[-1].identifier
            if name in members:
                yield members[name], each.initializer.values


def _last_name(kind: syntax.Type) -> str:
    """Return a type's name without what is around it; "" for one without."""
    return kind.name.parts[-1].identifier if isinstance(kind, syntax.NamedType) else ""


def _unlisted(values: Sequence[syntax.Expression]) -> Sequence[syntax.Expression]:
    """Return the values of a list that is alone."""
    alone = values[0] if len(values) == 1 else None
    return alone.values if isinstance(alone, syntax.BraceList) else values


def _find_references(nodes: Nodes) -> dict[str, str]:
    """Return the variables that references of a body refer to, as far as they are variables."""
    found = dict[str, str]()
    for variable in nodes.get(syntax.Variable, ()):
        given = variable.initializer
        if isinstance(variable.type, syntax.ReferenceType) and given and given.values:
            root = _root(given.values[0])
            found |= {variable.name: root} if root else {}
    for bound in nodes.get(syntax.Bindings, ()):
        root = _root(bound.initializer.values[0])
        if root and isinstance(bound.type, syntax.ReferenceType):
            found |= dict.fromkeys(bound.names, root)
    return found


def _root(node: syntax.TemplateArgument) -> str | None:
    """Return the variable that a place is a part of; None for what is in memory anyway."""
    while True:
        match node:
            case syntax.Member(_, inner, arrow=False) | syntax.Expansion(_, inner):
                node = inner
            case _:
                break
    return node.parts[-1].identifier if isinstance(node, syntax.Name) else None


def _exposed(
    callee: declared.Function,
    roots: Sequence[str | None],
    references: Mapping[str, str],
    inside: frozenset[str],
) -> set[str]:
    """Return what a call passes by references of which the function takes addresses, or twice."""
    found, seen = set[str](), dict[str, bool]()
    parameters = callee.parameters
    if parameters and parameters[-1].pack:
        parameters += (parameters[-1],) * len(roots)
    for parameter, root in zip(parameters, roots, strict=False):
        if root is None or not isinstance(parameter.type, syntax.ReferenceType):
            continue
        if parameter.name in inside:
            found.add(root)
        whole, const = references.get(root, root), trees.is_const(parameter.type.target)
        if whole in seen and not (const and seen[whole]):
            found |= {root, whole}
        seen[whole] = const and seen.get(whole, True)
    return found
