"""Which variables of a function have to live in memory, since something else can refer to them.

A reference to a register is passed by value and returned, which is right as long as nothing else
refers to it meanwhile: no pointer, and no other reference of the same call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.simt.cuda import syntax

_TELLING = (syntax.Unary, syntax.Variable, syntax.Call)
"""Nodes that may make something refer to a variable."""


class Bodies:
    """The nodes of functions' bodies, each gone through once for all that looks at them."""

    def __init__(self) -> None:
        self._known: dict[int, list[syntax.Node]] = {}

    def nodes(self, function: syntax.Function) -> list[syntax.Node]:
        """Return the nodes of a function's body, each before what is below it."""
        if id(function) not in self._known:
            body = () if function.body is None else (function.body,)
            self._known[id(function)] = syntax.walk(*body)
        return self._known[id(function)]


class Addressed:
    """Finds the variables of a source's functions that live in memory, once for each function."""

    def __init__(self, tree: syntax.TranslationUnit, bodies: Bodies) -> None:
        self._bodies = bodies
        self._known: dict[int, frozenset[str]] = {}
        self._functions: dict[str, list[syntax.Function]] = {}
        own = (each for each in tree.declarations if isinstance(each, syntax.Function))
        for function in (*own, *(each for struct in tree.structs for each in struct.functions)):
            self._functions.setdefault(function.name, []).append(function)

    def find(self, source: syntax.Function) -> frozenset[str]:
        """Return the names of a function's variables that live in memory."""
        if id(source) not in self._known:
            self._known[id(source)] = frozenset()  # for one that calls itself
            self._known[id(source)] = self._find(source)
        return self._known[id(source)]

    def _find(self, source: syntax.Function) -> frozenset[str]:
        found, references = set[str](), dict[str, str]()
        calls: list[tuple[syntax.Function, list[str | None]]] = []
        for node in self._bodies.nodes(source):
            if not isinstance(node, _TELLING):
                continue
            match node:
                case syntax.Unary(_, "&", operand):
                    found |= {root} if (root := _root(operand)) else set()
                case syntax.Variable(
                    _, name, syntax.ReferenceType(), syntax.Initializer() as given
                ):
                    root = _root(given.values[0]) if given.values else None
                    references |= {name: root} if root else {}
                case syntax.Call(_, syntax.Name() as called, arguments):
                    roots = [_root(argument) for argument in arguments]
                    named = called.parts[-1].identifier
                    calls += [(each, roots) for each in self._functions.get(named, ())]
        for callee, roots in calls:
            found |= _exposed(callee, roots, references, self.find(callee))
        for _ in references:  # a reference to a reference takes a further round
            found |= {root for name, root in references.items() if name in found}
        return frozenset(found)


def _root(node: syntax.Expression) -> str | None:
    """Return the variable that a place is a part of; None for what is in memory anyway."""
    while isinstance(node, syntax.Member) and not node.arrow:
        node = node.object
    return node.parts[-1].identifier if isinstance(node, syntax.Name) else None


def _exposed(
    callee: syntax.Function,
    roots: Sequence[str | None],
    references: Mapping[str, str],
    inside: frozenset[str],
) -> set[str]:
    """Return what a call passes by references of which the function takes addresses, or twice."""
    found, seen = set[str](), dict[str, bool]()
    for parameter, root in zip(callee.parameters, roots, strict=False):
        if root is None or not isinstance(parameter.type, syntax.ReferenceType):
            continue
        if parameter.name in inside:
            found.add(root)
        whole, const = references.get(root, root), syntax.is_const(parameter.type.target)
        if whole in seen and not (const and seen[whole]):
            found |= {root, whole}
        seen[whole] = const and seen.get(whole, True)
    return found
