"""The types of a function's variables at one place, and where two paths meet."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.simt.reading.types import Type, join_types

Env = dict[str, Type] | None
"""None where no thread can get."""


@dataclass(eq=False)
class LoopEnvironments:
    """The types of variables where loops are left, and where they begin.

    Attributes:
        breaks, continues: at each `break` and `continue` of the loops around, innermost last.
        heads: at the head of every loop that was compiled before, by its node.
    """

    breaks: list[list[Env]] = field(default_factory=list)
    continues: list[list[Env]] = field(default_factory=list)
    heads: dict[int, Env] = field(default_factory=dict)


def copy_env(env: Env) -> Env:
    """Copy an environment, so that it can be changed."""
    return None if env is None else dict(env)


def join_envs(first: Env, second: Env) -> Env:
    """Join the types of two paths; a variable that one path lacks has the other's type."""
    if first is None:
        return copy_env(second)
    if second is None:
        return copy_env(first)
    both = dict(first)
    for name, kind in second.items():
        both[name] = join_types(both[name], kind) if name in both else kind
    return both
