"""Runs statements of the typed program, for threads that may be at different places.

A statement gets the mask of the threads that reach it and returns the mask of those that reach the
next (None: no thread). At `Break`, `Continue` and `Return` none of them goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from grader.simt.checks.counters import Site
from grader.simt.lockstep.exact import set_exactly
from grader.simt.lockstep.expressions import evaluator, finder
from grader.simt.lockstep.gathering import GatheredFrame, is_sparse
from grader.simt.lockstep.merging import merge, merge_result, replace_result
from grader.simt.lockstep.scopes import Scope
from grader.simt.lockstep.waiting import WaitingLoop
from grader.simt.machine.chunk import OutOfBudget, Split
from grader.simt.machine.frame import Execute, Frame, LoopMasks, PausedThreads, Value
from grader.simt.machine.turns import (
    chain,
    chain_in_turns,
    drop_exited,
    rejoin,
    settle,
    take_paused,
)
from grader.simt.masks import Mask, unite
from grader.simt.program import nodes
from grader.simt.program.types import Array, Dynamic, RecordType

Operate = Callable[[Frame, Mask], None]
_PATIENCE = 16
"""Iterations without a thread leaving a loop that may spin, before those that left continue."""


def build_block(block: nodes.Block, scope: Scope) -> Execute:
    """Return what executes statements, one after the other."""
    if len(block) == 1 and isinstance(block[0], nodes.Graph):
        return _build(block[0], scope)  # no statement of the source: it counts those it is made of
    steps = [(node.site, _build(node, scope)) for node in block]
    pauses = any(id(node) in scope.pausing for node in block)
    return chain_in_turns(steps) if pauses else chain(steps)


def _build(node: nodes.Statement, scope: Scope) -> Execute:
    return _BUILDERS[type(node)](node, scope)


def _step(node: nodes.Step, scope: Scope) -> Execute:
    run = build_operations(node.operations, scope)

    def execute(frame: Frame, mask: Mask) -> Mask:
        run(frame, mask)
        return mask

    return execute


def build_operations(operations: Sequence[nodes.Operation], scope: Scope) -> Operate:
    """Return what runs operations, one after the other."""
    built = [_operation(operation, scope) for operation in operations]
    if not built:
        return _nothing
    if len(built) == 1:
        return built[0]

    def run(frame: Frame, mask: Mask) -> None:
        for operate in built:
            operate(frame, mask)

    return run


def _nothing(_frame: Frame, _mask: Mask) -> None:
    """Do nothing."""


def _operation(operation: nodes.Operation, scope: Scope) -> Operate:
    match operation:
        case nodes.Set():
            return _set(operation, scope)
        case nodes.Store(place, value):
            return _store(place, value, scope)
        case nodes.Update():
            return _update(operation, scope)
        case nodes.Do(value):
            return evaluator(value, scope)
        case nodes.When():
            return _when(operation, scope)


def _set(operation: nodes.Set, scope: Scope) -> Operate:
    store = _setter(operation, scope)
    if scope.function.follow is not None and not nodes.is_temporary(operation.variable):
        store = scope.function.follow(operation.variable, store)
    if operation.variable in scope.wraps.variables:
        return set_exactly(operation, store, scope, evaluator)
    evaluate = evaluator(operation.value, scope)

    def assign(frame: Frame, mask: Mask) -> None:
        store(frame, mask, evaluate(frame, mask))

    return assign


def _setter(operation: nodes.Set, scope: Scope) -> Callable[[Frame, Mask, Value], None]:
    name, kind = operation.variable, operation.value.type
    if id(operation) not in scope.liveness.kept:

        def replace(frame: Frame, _mask: Mask, value: Value) -> None:
            frame.values[name] = value

        return replace

    def merge_value(frame: Frame, mask: Mask, value: Value) -> None:
        if isinstance(kind, (Array, RecordType)) and not frame.chunk.waits_for(mask):
            frame.values[name] = value  # one array for all that are left, not a choice
        else:
            frame.values[name] = merge(mask, value, frame.values.get(name))

    return merge_value


def _store(place: nodes.Place, value: nodes.Expression, scope: Scope) -> Operate:
    find, evaluate = finder(place, scope), evaluator(value, scope)

    def store(frame: Frame, mask: Mask) -> None:
        given = evaluate(frame, mask)
        cells = find(frame, mask)
        if cells is not None:
            cells.store(given)

    return store


def _update(operation: nodes.Update, scope: Scope) -> Operate:
    find, old, value = (
        finder(operation.place, scope),
        operation.old,
        evaluator(operation.value, scope),
    )

    def update(frame: Frame, mask: Mask) -> None:
        cells = find(frame, mask)
        if cells is None:
            return
        frame.values[old] = cells.load()
        cells.store(value(frame, cells.mask))

    return update


def _nested(node: nodes.Nested, scope: Scope) -> Execute:
    return build_block(node.body, scope)


def _when(operation: nodes.When, scope: Scope) -> Operate:
    test = evaluator(operation.test, scope)
    body, other = build_operations(operation.yes, scope), build_operations(operation.no, scope)

    def run(frame: Frame, mask: Mask) -> None:
        yes, no = mask.split(test(frame, mask))
        if yes is not None:
            body(frame, yes)
        if no is not None:
            other(frame, no)

    return run


def _if(node: nodes.If, scope: Scope) -> Execute:
    test, site = evaluator(node.test, scope), node.site
    before = build_operations(node.before, scope)
    body, other = build_block(node.yes, scope), build_block(node.no, scope)

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        before(frame, mask)
        yes, no = mask.split(test(frame, mask))
        count_branch(site, mask, yes, no)
        if no is None:
            return body(frame, mask)
        if yes is None:
            return other(frame, mask)
        splits = frame.chunk.splits
        splits.append(Split(mask, site))
        left = body(frame, yes)
        paused = take_paused(frame)
        right = other(frame, no)
        splits.pop()
        if left is yes and right is no:
            return mask
        paused += take_paused(frame)
        return rejoin(frame, mask, unite(mask, left, right), paused)

    return execute


class _Loop:
    """A loop, ready to run."""

    def __init__(self, node: nodes.Loop, scope: Scope) -> None:
        self._site, self._spins = node.site, id(node) in scope.pausing
        self._gathered = scope.gathered.get(id(node))
        wait = scope.waits.get(id(node))
        is_kernel = scope.function.is_kernel
        self._wait = wait and WaitingLoop(wait, node.site, in_kernel=is_kernel)
        self._test = None if node.test is None else evaluator(node.test, scope)
        self._begin = build_operations(node.begin, scope)
        self._head = build_operations(node.head, scope)
        self._enter = build_operations(node.enter, scope)
        self._step = build_operations(node.step, scope)
        self._body = build_block(node.body, scope)
        self._other = build_block(node.otherwise, scope)

    def execute(self, frame: Frame, mask: Mask) -> Mask | None:
        """Run it from the beginning."""
        if self._wait is not None:
            self._wait.restart(frame)
        self._begin(frame, mask)
        return self._go_on(frame, mask)

    def _go_on(
        self, frame: Frame, mask: Mask, rounds: int = 0, around: Sequence[Split] = ()
    ) -> Mask | None:
        """Run it from its head, after some rounds; `around` is where others waited before."""
        with _enter_loop(frame, mask, self._site) as (masks, split):
            split.rounds, split.around = rounds, around or tuple(frame.chunk.splits[:-1])
            outside = self._run(frame, mask, split)
        paused, frame.paused = frame.paused, None
        left = _finish(frame, mask, outside, masks, self._other)
        frame.paused = paused
        return left

    def _run(self, frame: Frame, mask: Mask, split: Split) -> list[Mask]:
        """Return the threads that leave at the head; the others are in the frame's loop."""
        outside, going, rounds = list[Mask](), mask, 0
        while True:
            if self._gathered is not None and is_sparse(frame, going):
                outside += self._run_few(GatheredFrame(frame, going, *self._gathered), split)
                break
            split.rounds += 1
            if self._wait is not None:
                self._wait.begin_round(frame, split.rounds)
            inside, done = self._split(frame, going)
            frame.chunk.spend(self._site)
            frame.chunk.work.add(going)
            if done is not None:
                outside.append(done)
            left = self._round(frame, inside)
            if self._wait is not None and (left is None or left.count < going.count):
                frame.chunk.launch.note_change()  # at the head or in the body
            if left is None:
                break
            rounds = rounds + 1 if left.count == going.count else 0
            going = left
            self._step(frame, going)
            if self._wait is not None:
                self._wait.end_round(frame, mask, going, split)
            if self._spins and rounds > _PATIENCE and _may_wait(frame, mask, going):
                again = partial(self._go_on, mask=going, rounds=split.rounds, around=split.around)
                frame.paused = PausedThreads(going, again)
                break
        return outside

    def _run_few(self, few: GatheredFrame, split: Split) -> list[Mask]:
        """Return the threads of few warps that leave at the head."""
        try:
            outside = self._run(few.frame, few.mask, split)
        except OutOfBudget:
            few.return_work()
            raise
        few.put_back()
        return [few.scatter_mask(mask) for mask in outside]

    def _round(self, frame: Frame, inside: Mask | None) -> Mask | None:
        """Run the body; return the threads that reach the next round."""
        if inside is None:
            return None
        self._enter(frame, inside)
        return _run_round(self._body, frame, inside)

    def _split(self, frame: Frame, going: Mask) -> tuple[Mask | None, Mask | None]:
        """Return the threads that begin a round, and those that leave."""
        self._head(frame, going)
        if self._test is None:
            return going, None
        inside, done = going.split(self._test(frame, going))
        count_branch(self._site, going, inside, done)
        return inside, done


def _loop(node: nodes.Loop, scope: Scope) -> Execute:
    return _Loop(node, scope).execute


def _may_wait(frame: Frame, came: Mask, going: Mask) -> bool:
    """Return True if other threads can continue, none of them in a block that stays."""
    if frame.chunk.launch.grid_synced or going.count == frame.chunk.everyone.count:
        return False
    stay = going.full.any(axis=1)
    return bool((going.full == came.full)[stay].all())


def _switch(node: nodes.Switch, scope: Scope) -> Execute:
    before, body = build_operations(node.before, scope), build_block(node.body, scope)

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        before(frame, mask)
        around = frame.loops[-1].continued if frame.loops else []
        switch = LoopMasks(continued=around)
        frame.loops.append(switch)
        left = settle(frame, mask, body(frame, mask))
        frame.loops.pop()
        return unite(mask, left, *switch.broken)

    return execute


def _unrolled(node: nodes.Unrolled, scope: Scope) -> Execute:
    site, begin = node.site, build_operations(node.begin, scope)
    rounds = [
        (build_operations(enter, scope), build_block(body, scope)) for enter, body in node.rounds
    ]
    other = build_block(node.otherwise, scope)

    def execute(frame: Frame, mask: Mask) -> Mask | None:
        begin(frame, mask)
        going: Mask | None = mask
        with _enter_loop(frame, mask, site) as (masks, split):
            for enter, body in rounds:
                if going is None:
                    break
                split.rounds += 1
                count_branch(site, going, going, None)
                frame.chunk.work.add(going)
                enter(frame, going)
                going = _run_round(body, frame, going)
        return _finish(frame, mask, [] if going is None else [going], masks, other)

    return execute


@contextmanager
def _enter_loop(frame: Frame, mask: Mask, site: Site) -> Iterator[tuple[LoopMasks, Split]]:
    """Enter a loop. An error leaves its `Split` on the stack: the budget names the loop by it."""
    loop, split = LoopMasks(), Split(mask, site)
    frame.loops.append(loop)
    frame.chunk.splits.append(split)
    yield loop, split
    frame.chunk.splits.pop()
    frame.loops.pop()


def _run_round(body: Execute, frame: Frame, mask: Mask) -> Mask | None:
    """Run one round; return the threads that reach the next."""
    loop = frame.loops[-1]
    left = settle(frame, mask, body(frame, mask))
    if not loop.continued:
        return left
    going = unite(mask, left, *loop.continued)
    loop.continued.clear()
    return going


def _finish(
    frame: Frame, mask: Mask, outside: list[Mask], loop: LoopMasks, other: Execute
) -> Mask | None:
    """Return the threads that leave a loop; what stands after its test runs for the others."""
    done = unite(mask, *outside)
    if done is not None:
        done = settle(frame, done, other(frame, done))
    return unite(mask, done, *loop.broken)


def _break(_node: nodes.Break, _scope: Scope) -> Execute:
    return lambda frame, mask: frame.loops[-1].broken.append(mask)


def _continue(_node: nodes.Continue, _scope: Scope) -> Execute:
    return lambda frame, mask: frame.loops[-1].continued.append(mask)


def _return(node: nodes.Return, scope: Scope) -> Execute:
    site, is_kernel = node.site, scope.function.is_kernel
    evaluate = None if node.value is None else evaluator(node.value, scope)
    give = replace_result if isinstance(scope.function.result, Dynamic) else merge_result
    before = build_operations(node.before, scope)

    def execute(frame: Frame, mask: Mask) -> None:
        before(frame, mask)
        value = None if evaluate is None else evaluate(frame, mask)
        if value is not None:
            give(frame, mask, value)
        elif is_kernel:
            frame.chunk.returned.append((mask, site))

    return execute


def _exit(node: nodes.Exit, scope: Scope) -> Execute:
    site = node.site
    if scope.function.is_kernel:
        return lambda frame, mask: frame.chunk.returned.append((mask, site))
    return lambda frame, mask: frame.chunk.end(mask, site)


def _alive(node: nodes.Alive, scope: Scope) -> Execute:
    return drop_exited(_build(node.inner, scope))


def _watched(node: nodes.Watched, scope: Scope) -> Execute:
    execute: Execute = node.watch(_build(node.inner, scope))
    return execute


def count_branch(site: Site, mask: Mask, yes: Mask | None, no: Mask | None) -> None:
    """Count a branch of the warps of a mask, and how many of them diverge."""
    if not site.number:
        return
    counts = site.counts
    counts["branches"] += mask.warps
    if yes is not None and no is not None:
        both = yes.by_warp & no.by_warp
        counts["divergent_branches"] += int(np.count_nonzero(both)) * (mask.blocks // len(both))


Builder = Callable[[Any, Scope], Execute]
_BUILDERS: dict[type[nodes.Statement], Builder] = {
    nodes.Step: _step,
    nodes.Nested: _nested,
    nodes.If: _if,
    nodes.Loop: _loop,
    nodes.Switch: _switch,
    nodes.Unrolled: _unrolled,
    nodes.Break: _break,
    nodes.Continue: _continue,
    nodes.Return: _return,
    nodes.Exit: _exit,
    nodes.Alive: _alive,
    nodes.Watched: _watched,
}


def register_statement(kind: type[nodes.Statement], build: Builder) -> None:
    """Add a statement whose runner is a module of its own."""
    _BUILDERS[kind] = build
