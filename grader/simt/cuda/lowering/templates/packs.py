"""Parameter packs: a template is written out for as many elements as each of its packs has.

What names a pack once is then written once for each element, under a name of its own, so nothing
behind this module knows packs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.names import words
from grader.simt.cuda.places import ill_formed, not_emulated

_Of = TypeVar("_Of", bound=syntax.Node)


@frozen(eq=False)
class PackOf:
    """What a template's pack stands for."""

    entities: tuple[Any, ...]


def element_name(name: str, at: int) -> str:
    """Return the name of an element of a pack; no source has such a name."""
    return f"{name}#{at}"


def unpack(module: Any, source: _Of, bindings: Mapping[str, Any]) -> tuple[_Of, dict[str, Any]]:
    """Write a template out for what its packs stand for, once for each number of elements.

    Returns:
        The template without packs, and what its parameters and the elements stand for.

    Raises:
        Refused: an expansion names packs of several lengths.
    """
    packs = {name: each for name, each in bindings.items() if isinstance(each, PackOf)}
    if not packs:
        return source, dict(bindings)
    counts = {name: len(each.entities) for name, each in packs.items()}
    key = id(source), tuple(sorted(counts.items()))
    if key not in module.unpacked:
        module.unpacked[key] = _Writer(counts).declaration(source), source  # whose `id` is the key
    written: _Of = module.unpacked[key][0]
    return written, {**bindings, **elements_of(packs)}


def unpack_arguments(
    arguments: tuple[syntax.TemplateArgument, ...], bindings: Mapping[str, Any]
) -> tuple[syntax.TemplateArgument, ...]:
    """Write out what a list of arguments has of packs; see `unpack`."""
    counts = {
        name: len(each.entities) for name, each in bindings.items() if isinstance(each, PackOf)
    }
    written: tuple[syntax.TemplateArgument, ...] = _Writer(counts).values(arguments)
    return written


def elements_of(bindings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the elements of packs stand for, by their names."""
    return {
        element_name(name, at): entity
        for name, each in bindings.items()
        if isinstance(each, PackOf)
        for at, entity in enumerate(each.entities)
    }


def flat(bindings: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what the parameters of a template stand for, of a pack each element."""
    return tuple(
        entity
        for each in bindings.values()
        for entity in (each.entities if isinstance(each, PackOf) else (each,))
    )


class _Writer:
    """Writes out what names packs; `counts` has how many elements each has."""

    def __init__(self, counts: Mapping[str, int], unknown: Iterable[str] = ()) -> None:
        self._counts = dict(counts)
        self._unknown = frozenset(unknown)

    def declaration(self, source: Any) -> Any:
        """Write out a function or a struct; its template still has the packs."""
        return replace(self._node(source), template=source.template)

    def _node(self, node: Any, at: int | None = None) -> Any:
        """Write out a node; names of packs mean the element `at` that place, if it is given."""
        match node:
            case declared.Function() if _has_packs(node):
                return self._function(node, at)
            case syntax.PackSize(place, name) if name in self._counts:
                return syntax.IntegerLiteral(place, self._counts[name], "unsigned long")
            case syntax.Fold() if (folded := self._fold(node, at)) is not None:
                return folded
            case syntax.Name(parts=(first, *rest)) if at is not None and self._has(first):
                first = replace(first, identifier=element_name(first.identifier, at))
                node = replace(node, parts=(first, *rest))
            case syntax.Capture(name=name) if name in self._counts and at is not None:
                node = replace(node, name=element_name(name, at))
        return self.parts(node, at)

    def _function(self, node: declared.Function, at: int | None) -> declared.Function:
        """Write out a function with packs among its parameters, as far as these are known."""
        own = {each.name for each in node.template or () if each.pack} - self._counts.keys()
        packs = [each for each in node.parameters if each.pack]
        unknown = {*self._unknown, *own}
        known = {each.name: _Writer(self._counts, unknown).count(each.type) for each in packs}
        counts = {name: count for name, count in known.items() if count is not None}
        rest = known.keys() - counts.keys()
        inner = _Writer({**self._counts, **counts}, unknown | rest)
        made: declared.Function = inner.parts(node, at)
        return made

    def parts(self, node: Any, at: int | None) -> Any:
        """Write out what is below a node."""
        changed = {}
        for each in fields(node):
            value = getattr(node, each.name)
            made = self.values(value, at)
            if made is not value:
                changed[each.name] = made
        return replace(node, **changed) if changed else node

    def _has(self, part: syntax.NamePart) -> bool:
        return part.identifier in self._counts

    def values(self, value: Any, at: int | None = None) -> Any:
        """Write out a node, or a list of them; anything else stays."""
        if isinstance(value, syntax.Node):
            return self._node(value, at)
        if isinstance(value, tuple) and value and isinstance(value[0], syntax.Node):
            made = [each for item in value for each in self._items(item, at)]
            same = len(made) == len(value) and all(map(_is, made, value))
            return value if same else tuple(made)
        return value

    def _items(self, item: Any, at: int | None) -> Iterator[Any]:
        """Yield what an item of a list becomes: of an expansion any number."""
        match item:
            case syntax.Expansion(_, pattern) if (count := self.count(pattern)) is not None:
                yield from (self._node(pattern, each) for each in range(count))
            case (
                declared.Parameter(pack=True)
                | declared.Base(pack=True)
                | declared.MemberInitializer(pack=True)
                | declared.Using(pack=True)
                | syntax.Capture(pack=True)
            ) if (count := self.count(item)) is not None:
                yield from (self._element(item, each) for each in range(count))
            case _:
                yield self._node(item, at)

    def _element(self, item: Any, at: int) -> Any:
        made = replace(self._node(item, at), pack=False)
        if isinstance(item, declared.Parameter) and item.name:
            return replace(made, name=element_name(item.name, at))
        return made

    def count(self, pattern: syntax.Node) -> int | None:
        """Return how many elements a pattern is written for; None if it names no known pack.

        Raises:
            Refused: it names packs of several lengths.
        """
        names = set(_names(pattern))
        counts = {self._counts[name] for name in names if name in self._counts}
        if counts and names & self._unknown:
            raise not_emulated(fact("cpp.no-mixed-packs"), pattern.place)
        if len(counts) > 1:
            raise ill_formed(fact("cpp.pack-lengths"), pattern.place)
        return counts.pop() if counts else None

    def _fold(self, node: syntax.Fold, at: int | None) -> syntax.Expression | None:
        """Write out a fold; None if it names no known pack.

        Raises:
            Refused: it has no operand, and its operator no value for none.
        """
        sides = (node.left, node.right)
        known = [None if side is None else self.count(side) for side in sides]
        if known == [None, None]:
            return None
        pattern, count = (sides[0], known[0]) if known[0] is not None else (sides[1], known[1])
        first = sides[1] if pattern is sides[0] else sides[0]
        assert pattern is not None  # it names packs
        operands = [self._node(pattern, each) for each in range(count or 0)]
        to_the_right = pattern is node.left
        if first is not None:
            initial = self._node(first, at)
            operands = [*operands, initial] if to_the_right else [initial, *operands]
        if not operands:
            return _fold_none(node)
        return _join(node, operands, to_the_right=to_the_right)


def _has_packs(function: declared.Function) -> bool:
    own = any(each.pack for each in function.template or ())
    return own or any(each.pack for each in function.parameters)


def _is(one: object, other: object) -> bool:
    return one is other


def _names(pattern: syntax.Node) -> Iterator[str]:
    """Yield the names in a pattern that are not within an expansion of its own."""
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (syntax.Expansion, syntax.Fold)) and node is not pattern:
            continue
        match node:
            case syntax.Name(parts=(first, *_)):
                yield first.identifier
            case syntax.Capture(pack=True, name=name, initializer=None):
                yield name
        waiting += trees.children(node)


def _join(
    node: syntax.Fold, operands: Sequence[syntax.Expression], *, to_the_right: bool
) -> syntax.Expression:
    """Return operands with a fold's operator between them."""
    *rest, made = operands if to_the_right else operands[::-1]
    for each in reversed(rest):
        left, right = (each, made) if to_the_right else (made, each)
        if node.operator == ",":
            made = syntax.Comma(node.place, left, right)
        elif node.operator in _ASSIGN:
            made = syntax.Assignment(node.place, node.operator, left, right)
        else:
            made = syntax.Binary(node.place, node.operator, left, right)
    return made


_ASSIGN = words("= += -= *= /= %= &= |= ^= <<= >>=")


def _fold_none(node: syntax.Fold) -> syntax.Expression:
    """Return what a fold of no operands is."""
    match node.operator:
        case "&&" | "||":
            return syntax.BoolLiteral(node.place, node.operator == "&&")
        case ",":
            void = syntax.NamePart(node.place, "void")
            named = syntax.NamedType(node.place, syntax.Name(node.place, (void,)))
            return syntax.Cast(node.place, "C", named, syntax.IntegerLiteral(node.place, 0, "int"))
    raise ill_formed(fact("cpp.empty-fold", operator=node.operator), node.place)
