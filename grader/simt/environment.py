"""The types of a function's variables at one place, and where two ways meet."""

from __future__ import annotations

from grader.simt.types import Type, joined

Env = dict[str, Type] | None
"""None where nobody comes."""


def copied(env: Env) -> Env:
    """One that can be changed."""
    return None if env is None else dict(env)


def joined_env(one: Env, other: Env) -> Env:
    """The types where two ways meet; a variable that one way lacks has the other's."""
    if one is None:
        return copied(other)
    if other is None:
        return copied(one)
    both = dict(one)
    for name, kind in other.items():
        both[name] = joined(both[name], kind) if name in both else kind
    return both
