"""Loops, for threads that may leave them at different times; typed until their types stand."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from grader.simt.assignments import Assignments
from grader.simt.chunk import Split
from grader.simt.counters import Site
from grader.simt.environment import Env, copied, joined_env
from grader.simt.intrinsics.sequences import Element, one_kind, range_of, series
from grader.simt.liveness import may_spin
from grader.simt.masks import Mask, together
from grader.simt.turns import settled
from grader.simt.typed import (
    Execute,
    Frame,
    Loop,
    Paused,
    Typed,
    Value,
    as_type,
)
from grader.simt.types import (
    Range,
    Scalar,
    Series,
    Tuple,
    Type,
)

Store = Callable[[Frame, Mask, Value], None]

_MOST_ROUNDS_OF_TYPING = 12
_PATIENCE = 16
"""Rounds in which nobody leaves a loop that may spin, until those who have left go on."""


class Loops(Assignments):
    """Loops, `break` and `continue`."""

    def block(self, body: Sequence[ast.stmt]) -> Execute:
        """Several statements, one after the other."""
        raise NotImplementedError

    def __init__(self, *args: Any, **kinds: Any) -> None:
        super().__init__(*args, **kinds)
        self._breaks: list[list[Env]] = []
        self._continues: list[list[Env]] = []

    def _typed_loop(
        self, make: Callable[[], Execute], orelse: Sequence[ast.stmt], *, forever: bool = False
    ) -> tuple[Execute, Execute]:
        """The body of a loop, typed anew until its variables' types no longer change.

        Its `else` is made ready with the types at the head. Afterwards `env` is that after `else`,
        joined with where the loop was left.
        """
        head = copied(self.env)
        for _ in range(_MOST_ROUNDS_OF_TYPING):
            self.env = copied(head)
            self._breaks.append([])
            self._continues.append([])
            body = make()
            back = self.env
            for one in self._continues.pop():
                back = joined_env(back, one)
            broken = self._breaks.pop()
            again = joined_env(head, back)
            if again == head:
                break
            head = again
        self.env = None if forever else head
        other = self.block(orelse)
        for one in broken:  # they come past `else`
            self.env = joined_env(self.env, one)
        return body, other

    def _typed_for(self, node: ast.For, kind: Type) -> tuple[Execute, Execute, Store]:
        """The body and the `else` of a `for`, and what gives its target an element of `kind`."""
        stores: list[Store] = []

        def make() -> Execute:
            stores.append(self.target(node.target, kind, node))
            return self.block(node.body)

        return *self._typed_loop(make, node.orelse), stores[-1]

    def _while(self, node: ast.While) -> Execute:
        site, tests = self.site(node), []

        def make() -> Execute:
            tests.append(self.truth(node.test))
            return self.block(node.body)

        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
        body, other = self._typed_loop(make, node.orelse, forever=forever)
        test, spins = tests[-1], may_spin(node)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            outside, going, rounds, paused = list[Mask](), mask, 0, None
            with _running(frame, mask, site) as (loop, split):
                while True:
                    split.rounds += 1
                    inside, done = going.split(test(frame, going))
                    if not forever:
                        count_branch(site, going, inside, done)
                    frame.chunk.spend(site, going)
                    if done is not None:
                        outside.append(done)
                    left = None if inside is None else _round(body, frame, loop, inside)
                    if left is None:
                        break
                    rounds = rounds + 1 if left.count == going.count else 0
                    going = left
                    if spins and rounds > _PATIENCE and self._may_pause(frame, mask, going):
                        paused = Paused(going, partial(execute, mask=going))
                        break
            left = _finished(frame, mask, outside, loop, other)
            frame.paused = paused
            return left

        return execute

    def _may_pause(self, frame: Frame, came: Mask, going: Mask) -> bool:
        """Whether there are others who go on, and none of them is of a block that stays."""
        if self.program.grid_sync is not None or going.count == frame.chunk.everyone.count:
            return False
        stay = going.full.any(axis=1)
        return bool((going.full == came.full)[stay].all())

    def _for(self, node: ast.For) -> Execute:
        typed = self.value(node.iter)
        match typed.type:
            case Range(dtype):
                return self._for_range(node, typed, dtype)
            case Tuple(items):
                return self._for_each(node, items, lambda f, m: list(typed.evaluate(f, m)))
            case _:
                return self._for_series(node, series(self, node.iter, typed))

    def _for_series(self, node: ast.For, typed: Typed) -> Execute:
        assert isinstance(typed.type, Series)  # noqa: S101 — it was just made

        def rounds(frame: Frame, mask: Mask) -> tuple[Value, Value, Value, Element]:
            zero = np.zeros((1, 1), dtype=np.int64)
            return zero, zero + 1, *typed.evaluate(frame, mask)

        return self._counted(node, typed.type.kind, rounds)

    def _for_range(self, node: ast.For, typed: Typed, dtype: Scalar) -> Execute:
        def rounds(frame: Frame, mask: Mask) -> tuple[Value, Value, Value, Element]:
            return *range_of(typed, frame, mask), lambda _frame, _mask, value: value

        return self._counted(node, dtype, rounds)

    def _counted(
        self,
        node: ast.For,
        kind: Type,
        rounds: Callable[[Frame, Mask], tuple[Value, Value, Value, Element]],
    ) -> Execute:
        """A loop whose rounds are counted before it begins.

        `rounds` gives the first number, the step, how many, and from a number to the element.
        """
        site = self.site(node)
        body, other, store = self._typed_for(node, kind)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            outside = list[Mask]()
            going: Mask | None = mask
            value, step, count, element = rounds(frame, mask)
            number = 0
            with _running(frame, mask, site) as (loop, split):
                while going is not None:
                    split.rounds += 1
                    inside, done = going.split(count > number)
                    count_branch(site, going, inside, done)
                    frame.chunk.spend(site, going)
                    if done is not None:
                        outside.append(done)
                    if inside is None:
                        break
                    store(frame, inside, element(frame, inside, value))
                    going = _round(body, frame, loop, inside)
                    number, value = number + 1, value + step
            return _finished(frame, mask, outside, loop, other)

        return execute

    def _for_each(
        self, node: ast.For, items: tuple[Type, ...], values: Callable[[Frame, Mask], list[Value]]
    ) -> Execute:
        """A loop over a tuple, whose parts are of one type."""
        kind = one_kind(self, node.iter, items)
        site = self.site(node)
        body, other, store = self._typed_for(node, kind)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            outside = list[Mask]()
            going: Mask | None = mask
            with _running(frame, mask, site) as (loop, split):
                for value in values(frame, mask):
                    if going is None:
                        break
                    split.rounds += 1
                    count_branch(site, going, going, None)
                    store(frame, going, as_type(value, kind))
                    going = _round(body, frame, loop, going)
            if going is not None:
                outside.append(going)
            return _finished(frame, mask, outside, loop, other)

        return execute

    def _break(self, _node: ast.Break) -> Execute:
        return self._leave(self._breaks, lambda loop: loop.broken)

    def _continue(self, _node: ast.Continue) -> Execute:
        return self._leave(self._continues, lambda loop: loop.continued)

    def _leave(self, envs: list[list[Env]], masks: Callable[[Loop], list[Mask]]) -> Execute:
        envs[-1].append(copied(self.env))
        self.env = None

        def execute(frame: Frame, mask: Mask) -> None:
            masks(frame.loops[-1]).append(mask)

        return execute


def count_branch(site: Site, mask: Mask, yes: Mask | None, no: Mask | None) -> None:
    """A test by the warps of a mask, and how many of them went both ways."""
    counts = site.counts
    counts["branches"] += mask.warps
    if yes is not None and no is not None:
        both = yes.by_warp & no.by_warp
        counts["divergent_branches"] += int(np.count_nonzero(both)) * (mask.blocks // len(both))


@contextmanager
def _running(frame: Frame, mask: Mask, site: Site) -> Iterator[tuple[Loop, Split]]:
    """A loop while it runs. An error leaves its `Split` standing: a budget names the loop by it."""
    loop, split = Loop(), Split(mask, site)
    frame.loops.append(loop)
    frame.chunk.splits.append(split)
    yield loop, split
    frame.chunk.splits.pop()
    frame.loops.pop()


def _round(body: Execute, frame: Frame, loop: Loop, mask: Mask) -> Mask | None:
    """One round: who comes to the next."""
    left = settled(frame, mask, body(frame, mask))
    if not loop.continued:
        return left
    going = together(mask, left, *loop.continued)
    loop.continued.clear()
    return going


def _finished(
    frame: Frame, mask: Mask, outside: list[Mask], loop: Loop, other: Execute
) -> Mask | None:
    """Who comes out of a loop: `else` is for those that did not break."""
    done = together(mask, *outside)
    if done is not None:
        done = settled(frame, done, other(frame, done))
    return together(mask, done, *loop.broken)
