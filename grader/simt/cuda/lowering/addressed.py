"""Which variables of a function have to live in memory, since something else can refer to them.

A reference to a register is passed by value and returned, which is right as long as nothing else
refers to it meanwhile: no pointer, and no other reference of the same call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.simt.cuda import syntax

Functions = Mapping[str, Sequence[syntax.Function]]


def functions_by_name(tree: syntax.TranslationUnit) -> Functions:
    """Return a source's functions by their names without what is around them."""
    found: dict[str, list[syntax.Function]] = {}
    own = (each for each in tree.declarations if isinstance(each, syntax.Function))
    for function in (*own, *(each for struct in tree.structs for each in struct.functions)):
        found.setdefault(function.name, []).append(function)
    return found


def find_addressed(
    source: syntax.Function, functions: Functions, known: dict[int, frozenset[str]]
) -> frozenset[str]:
    """Return the names of a function's variables that live in memory.

    Args:
        source: the function.
        functions: those of the source, by name.
        known: what was found for functions, by identity; it is added to.
    """
    if id(source) not in known:
        known[id(source)] = frozenset()  # for one that calls itself
        known[id(source)] = _find(source, functions, known)
    return known[id(source)]


def _find(
    source: syntax.Function, functions: Functions, known: dict[int, frozenset[str]]
) -> frozenset[str]:
    found, references = set[str](), dict[str, str]()
    calls: list[tuple[syntax.Function, list[str | None]]] = []
    for node in () if source.body is None else syntax.walk(source.body):
        match node:
            case syntax.Unary(_, "&", operand):
                found |= {root} if (root := _root(operand)) else set()
            case syntax.Variable(_, name, syntax.ReferenceType(), syntax.Initializer() as given):
                root = _root(given.values[0]) if given.values else None
                references |= {name: root} if root else {}
            case syntax.Call(_, syntax.Name() as called, arguments):
                roots = [_root(argument) for argument in arguments]
                named = called.parts[-1].identifier
                calls += [(each, roots) for each in functions.get(named, ())]
    for callee, roots in calls:
        found |= _exposed(callee, roots, references, find_addressed(callee, functions, known))
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
