"""Which arguments a person's reference gets: by the names of its parameters, or in their order.

A member of a struct has the name `a.lr`; whole, the struct is an object with these attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, NamedTuple


class StructArgument:
    """A struct as a reference gets it: `a.lr`, `a["lr"]`, `a[0]`."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members

    def __getattr__(self, name: str) -> Any:
        """Return a member.

        Raises:
            AttributeError: there is none of this name.
        """
        found = _find(name, vars(self).get("_members", {}))
        if found is None:
            raise AttributeError(name)
        return self._members[found]

    def __getitem__(self, key: str | int) -> Any:
        """Return a member by its name or its place."""
        return self._members[key] if isinstance(key, str) else [*self._members.values()][key]

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name}={value}' for name, value in self._members.items())}}}"


class ReferenceArguments(NamedTuple):
    """What a reference is called with.

    Attributes:
        names: of the arguments, by its parameters.
        rest: names of the arguments that `**` takes.
        by_name: False if they follow from the order alone.
    """

    names: Mapping[str, str]
    rest: tuple[str, ...] = ()
    by_name: bool = True

    def take(self, given: Sequence[str]) -> tuple[str, ...]:
        """Return the names of all that is taken, with the members of structs, in order."""
        taken = {*self.names.values(), *self.rest}
        return tuple(name for name in given if taken & {name, *_structs_of(name)})


def bind(
    signature: Signature, given: Sequence[str], outputs: Sequence[str]
) -> ReferenceArguments | str:
    """Return what a function is called with; the first parameter that nothing is given for, if any.

    If a parameter is named as no argument is, the order decides: of all that are no outputs, else
    of all, structs as they are or member by member. What has a name must then be at its place.

    Args:
        given: the names of all arguments, in order.
        outputs: the names of those that are stored to.
    """
    whole = tuple(dict.fromkeys(name.partition(".")[0] for name in given))
    kinds = {name: each.kind for name, each in signature.parameters.items()}
    own = [name for name, kind in kinds.items() if kind not in _COLLECTING]
    found = {name: _find(name, (*whole, *given)) or _find_member(name, given) for name in own}
    named = {name: each for name, each in found.items() if each is not None}
    missing = [
        name for name in own
        if name not in named and signature.parameters[name].default is Parameter.empty
    ]  # fmt: skip
    if not missing:
        if Parameter.VAR_KEYWORD not in kinds.values():
            return ReferenceArguments(named)
        rest = (name for name in whole if name not in named.values())
        return ReferenceArguments(named, tuple(rest))
    inputs = [[name for name in names if name not in outputs] for names in (whole, given)]
    for chosen in (*inputs, whole, given):
        pairs = dict(zip(own, chosen, strict=False))
        if len(chosen) == len(own) and pairs.items() >= named.items():
            return ReferenceArguments(pairs, by_name=False)
    return missing[0]


def group_members(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments by their names, with structs in place of members."""
    grouped = dict[str, Any]()
    for name, value in given.items():
        first, dot, inner = name.partition(".")
        if dot:
            grouped.setdefault(first, {})[inner] = value
        else:
            grouped[name] = value
    return {
        name: StructArgument(group_members(value)) if isinstance(value, dict) else value
        for name, value in grouped.items()
    }


def split_members(name: str, value: Any, members: Sequence[str]) -> dict[str, Any]:
    """Return the members of a struct by their names, and any other argument by its own."""
    if isinstance(value, tuple):
        value = dict(zip(members or map(str, range(len(value))), value, strict=False))
    if not isinstance(value, dict):
        return {name: value}
    parts = [split_members(f"{name}.{own}", each, ()) for own, each in value.items()]
    return {own: each for part in parts for own, each in part.items()}


_COLLECTING = {Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL}


def _find(name: str, known: Iterable[str]) -> str | None:
    """Return the name that one of Python stands for: `in_` for `in`, if there is no `in_`."""
    bare = name.removesuffix("_")
    return next((each for wanted in (name, bare) for each in known if each == wanted), None)


def _find_member(name: str, given: Iterable[str]) -> str | None:
    """Return the only member of a struct that has a name."""
    found = [each for each in given if each.rpartition(".")[2] == name]
    return found[0] if len(found) == 1 else None


def _structs_of(name: str) -> Iterable[str]:
    """Yield the structs that a member is of."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
