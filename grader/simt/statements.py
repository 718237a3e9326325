"""Statements, for threads that may be at different places.

A statement takes the mask of those that come to it and hands on the mask of those that go on to the
next one (None: nobody). `break`, `continue` and `return` are threads that do not go on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.simt.chunk import Here, Split
from grader.simt.counters import Site
from grader.simt.extents import length_of
from grader.simt.indexing import Indexing
from grader.simt.masks import Mask, together
from grader.simt.refused import REFUSED
from grader.simt.typed import (
    Evaluate,
    Execute,
    Frame,
    Loop,
    Typed,
    Value,
    as_type,
    cast,
    is_value,
    merged,
)
from grader.simt.types import (
    INT64,
    Array,
    Conflict,
    Nothing,
    Range,
    Scalar,
    Tuple,
    Type,
    described,
    joined,
    number,
)
from grader.simt.views import View

Env = dict[str, Type] | None
_AUGMENTED: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_FORMS: dict[type[ast.stmt], str] = {
    ast.Assign: "_assign",
    ast.AnnAssign: "_assign_annotated",
    ast.AugAssign: "_assign_augmented",
    ast.Expr: "_expression",
    ast.If: "_if",
    ast.For: "_for",
    ast.While: "_while",
    ast.Break: "_break",
    ast.Continue: "_continue",
    ast.Return: "_return",
    ast.Assert: "_assert",
}
"""Which method makes a form ready."""
_MOST_ROUNDS_OF_TYPING = 12


class Statements(Indexing):
    """Statements; each method types one and gives what executes it."""

    def __init__(self, *args: Any, **kinds: Any) -> None:
        super().__init__(*args, **kinds)
        self._breaks: list[list[Env]] = []
        self._continues: list[list[Env]] = []

    def block(self, body: Sequence[ast.stmt]) -> Execute:
        """Several statements, one after the other."""
        steps: list[tuple[Site, Execute]] = []
        for node in body:
            if isinstance(node, ast.Pass) or _is_text(node):
                continue
            steps.append((self.site(node), self._statement(node)))
            if self.env is None:
                break

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            chunk = frame.chunk
            for site, step in steps:
                counts = site.counts
                counts["instructions"] += mask.warps
                counts["lanes"] += mask.count
                chunk.spend(site, mask)
                left = step(frame, mask)
                if left is None:
                    return None
                mask = left
            return mask

        return execute

    def _statement(self, node: ast.stmt) -> Execute:
        form = _FORMS.get(type(node))
        if form is None:
            raise self.unavailable(node)
        made: Execute = getattr(self, form)(node)
        return made

    def _break(self, _node: ast.Break) -> Execute:
        return self._leave(self._breaks, lambda loop: loop.broken)

    def _continue(self, _node: ast.Continue) -> Execute:
        return self._leave(self._continues, lambda loop: loop.continued)

    def _expression(self, node: ast.Expr) -> Execute:
        self.unused = node.value  # an atomic's result, if it is one
        evaluate = self.value(node.value).evaluate

        def execute(frame: Frame, mask: Mask) -> Mask:
            evaluate(frame, mask)
            return mask

        return execute

    def _assert(self, node: ast.Assert) -> Execute:
        """Numba leaves the exception out where it does not debug; the test is evaluated."""
        test = self.truth(node.test)

        def execute(frame: Frame, mask: Mask) -> Mask:
            test(frame, mask)
            return mask

        return execute

    def _assign(self, node: ast.Assign) -> Execute:
        first = node.targets[0]
        self.naming = first.id if isinstance(first, ast.Name) else ""
        typed = self.value(node.value)
        self._check_value(node, typed.type)
        stores = [self._target(one, typed.type, node) for one in node.targets]
        evaluate = typed.evaluate

        def execute(frame: Frame, mask: Mask) -> Mask:
            value = evaluate(frame, mask)
            for store in stores:
                store(frame, mask, value)
            return mask

        return execute

    def _assign_annotated(self, node: ast.AnnAssign) -> Execute:
        if node.value is None:
            return lambda _frame, mask: mask
        plain = ast.copy_location(ast.Assign([node.target], node.value), node)
        self.liveness.kept[id(plain)] = self.liveness.kept[id(node)]
        return self._assign(plain)

    def _check_value(self, node: ast.stmt, kind: Type) -> None:
        """A name can also stand for a type or a function; for a loop's numbers it cannot."""
        if isinstance(kind, (Range, Conflict)):
            raise self.refused(node, f"{described(kind)} cannot be kept in a variable")

    def _target(
        self, target: ast.expr, kind: Type, node: ast.stmt
    ) -> Callable[[Frame, Mask, Value], None]:
        """Stores a value of a type."""
        match target:
            case ast.Name(id=name):
                return self._variable_target(name, kind, node)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self._unpacked(target, parts, kind, node)
            case ast.Subscript():
                place = self.place(target)
                holder = Typed(kind, lambda frame, _mask: frame.values["="])
                self.dtype(target, kind)
                store = self.store(place, self.narrowed(target, holder, place.kind.dtype))

                def keep(frame: Frame, mask: Mask, value: Value) -> None:
                    frame.values["="] = value
                    store(frame, mask)

                return keep
            case _:
                raise self.refused(target, "this cannot be assigned to", "use a name or a[i]")

    def _variable_target(
        self, name: str, kind: Type, node: ast.stmt
    ) -> Callable[[Frame, Mask, Value], None]:
        if self.env is not None:
            self.env[name] = kind
        if not is_value(kind):
            return lambda _frame, _mask, _value: None
        if name not in self.liveness.kept.get(id(node), ()):

            def replace(frame: Frame, _mask: Mask, value: Value) -> None:
                frame.values[name] = value

            return replace

        def merge(frame: Frame, mask: Mask, value: Value) -> None:
            try:
                frame.values[name] = merged(mask, value, frame.values.get(name))
            except NotImplementedError:
                what = f"{name} is one array in some threads and another one in others"
                raise self.refused(node, what, "index each array in its own branch") from None

        return merge

    def _unpacked(
        self, target: ast.expr, parts: Sequence[ast.expr], kind: Type, node: ast.stmt
    ) -> Callable[[Frame, Mask, Value], None]:
        if not isinstance(kind, Tuple) or len(kind.items) != len(parts):
            raise self.not_typed(target, f"{described(kind)} is not {len(parts)} values")
        stores = [
            self._target(part, one, node) for part, one in zip(parts, kind.items, strict=True)
        ]

        def unpack(frame: Frame, mask: Mask, value: Value) -> None:
            for store, one in zip(stores, value, strict=True):
                store(frame, mask, one)

        return unpack

    def _assign_augmented(self, node: ast.AugAssign) -> Execute:
        operator = _AUGMENTED.get(type(node.op))
        if operator is None:
            raise self.refused(node, *REFUSED[type(node.op)])
        if isinstance(node.target, ast.Subscript):
            place = self.place(node.target)

            def change(old: Typed) -> Evaluate:
                typed = self.operation(node, operator, old, self.value(node.value))
                return self.narrowed(node.target, typed, place.kind.dtype)

            update = self.update(place, change)

            def execute(frame: Frame, mask: Mask) -> Mask:
                update(frame, mask)
                return mask

            return execute
        if not isinstance(node.target, ast.Name):
            raise self.refused(node, "this cannot be assigned to", "use a name or a[i]")
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        typed = self.operation(node, operator, self.value(read), self.value(node.value))
        store = self._variable_target(node.target.id, typed.type, node)
        evaluate = typed.evaluate

        def assign(frame: Frame, mask: Mask) -> Mask:
            store(frame, mask, evaluate(frame, mask))
            return mask

        return assign

    def _if(self, node: ast.If) -> Execute:
        test, site = self.truth(node.test), self.site(node)
        before = _copied(self.env)
        body = self.block(node.body)
        after, self.env = self.env, before
        other = self.block(node.orelse)
        self.env = _joined(after, self.env)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            yes, no = mask.split(test(frame, mask))
            count_branch(site, mask, yes, no)
            if no is None:
                return body(frame, mask)
            if yes is None:
                return other(frame, mask)
            splits = frame.chunk.splits
            splits.append(Split(mask, site))
            left = body(frame, yes)
            right = other(frame, no)
            splits.pop()
            return mask if left is yes and right is no else together(mask, left, right)

        return execute

    def _typed_loop(self, make: Callable[[], Execute]) -> Execute:
        """The body of a loop, typed anew until its variables' types no longer change.

        Afterwards `env` is that at the head of the loop, joined with where it was left.
        """
        head = _copied(self.env)
        for _ in range(_MOST_ROUNDS_OF_TYPING):
            self.env = _copied(head)
            self._breaks.append([])
            self._continues.append([])
            body = make()
            back = self.env
            for one in self._continues.pop():
                back = _joined(back, one)
            broken = self._breaks.pop()
            again = _joined(head, back)
            if again == head:
                break
            head = again
        self.env = head
        for one in broken:
            self.env = _joined(self.env, one)
        return body

    def _while(self, node: ast.While) -> Execute:
        site, tests = self.site(node), []

        def make() -> Execute:
            tests.append(self.truth(node.test))
            return self.block(node.body)

        body = self._typed_loop(make)
        test = tests[-1]
        other = self.block(node.orelse)
        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            loop, outside, going = Loop(), list[Mask](), mask
            frame.loops.append(loop)
            split = Split(mask, site)
            frame.chunk.splits.append(split)
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
                going = left
            frame.chunk.splits.pop()
            frame.loops.pop()
            return _finished(frame, mask, outside, loop, other)

        return execute

    def _for(self, node: ast.For) -> Execute:
        typed = self.value(node.iter)
        match typed.type:
            case Range(dtype):
                return self._for_range(node, typed, dtype)
            case Tuple(items):
                return self._for_each(node, items, lambda f, m: list(typed.evaluate(f, m)))
            case Array(dtype=dtype, ndim=1):
                return self._for_elements(node, typed, dtype)
            case other:
                what = f"a loop over {described(other)} is not available"
                raise self.refused(node.iter, what, "write for i in range(n):")

    def _for_elements(self, node: ast.For, array: Typed, dtype: Scalar) -> Execute:
        """`for x in a`: the elements, by an index of its own."""
        site = self.site(node.iter)

        def rounds(frame: Frame, mask: Mask) -> tuple[Value, Value, Value]:
            length = length_of(array.evaluate(frame, mask))
            zero = np.zeros((1, 1), dtype=np.int64)
            return zero, zero + 1, length

        def element(frame: Frame, mask: Mask, index: Value) -> Value:
            view: View = array.evaluate(frame, mask)
            flat = index * view.strides[0] + view.offset
            return view.buffer.load(flat, Here(frame.chunk, mask, site))

        return self._counted(node, dtype, rounds, element)

    def _for_range(self, node: ast.For, typed: Typed, dtype: Scalar) -> Execute:
        def rounds(frame: Frame, mask: Mask) -> tuple[Value, Value, Value]:
            start, stop, step = typed.evaluate(frame, mask)
            step = np.where(step == 0, 1, step)  # Numba raises, which nobody sees on a device
            wide = [one.astype(np.int64) for one in (start, stop, step)]
            count = np.maximum(0, -((wide[0] - wide[1]) // wide[2]))
            return start, step, count

        return self._counted(node, dtype, rounds, lambda _frame, _mask, value: value)

    def _counted(
        self,
        node: ast.For,
        dtype: Scalar,
        rounds: Callable[[Frame, Mask], tuple[Value, Value, Value]],
        element: Callable[[Frame, Mask, Value], Value],
    ) -> Execute:
        """A loop whose rounds are counted before it begins: first number, step, how many."""
        site, stores = self.site(node), []

        def make() -> Execute:
            stores.append(self._target(node.target, dtype, node))
            return self.block(node.body)

        body = self._typed_loop(make)
        store = stores[-1]
        other = self.block(node.orelse)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            loop, outside = Loop(), list[Mask]()
            going: Mask | None = mask
            first, step, count = rounds(frame, mask)
            frame.loops.append(loop)
            split = Split(mask, site)
            frame.chunk.splits.append(split)
            number, value = 0, first
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
            frame.chunk.splits.pop()
            frame.loops.pop()
            return _finished(frame, mask, outside, loop, other)

        return execute

    def _for_each(
        self, node: ast.For, items: tuple[Type, ...], values: Callable[[Frame, Mask], list[Value]]
    ) -> Execute:
        """A loop over a tuple, whose parts are of one type."""
        kind: Type = items[0] if items else INT64
        for one in items:
            kind = joined(kind, one)
        if len({number(one) or one for one in items}) > 1:
            raise self.not_typed(node.iter, "the tuple has several types", "write the loop out")
        kind = number(kind) or kind
        site, stores = self.site(node), []

        def make() -> Execute:
            stores.append(self._target(node.target, kind, node))
            return self.block(node.body)

        body = self._typed_loop(make)
        store = stores[-1]
        other = self.block(node.orelse)

        def execute(frame: Frame, mask: Mask) -> Mask | None:
            loop, outside = Loop(), list[Mask]()
            going: Mask | None = mask
            frame.loops.append(loop)
            split = Split(mask, site)
            frame.chunk.splits.append(split)
            for value in values(frame, mask):
                if going is None:
                    break
                split.rounds += 1
                count_branch(site, going, going, None)
                store(frame, going, as_type(value, kind))
                going = _round(body, frame, loop, going)
            if going is not None:
                outside.append(going)
            frame.chunk.splits.pop()
            frame.loops.pop()
            return _finished(frame, mask, outside, loop, other)

        return execute

    def _leave(self, envs: list[list[Env]], masks: Callable[[Loop], list[Mask]]) -> Execute:
        envs[-1].append(_copied(self.env))
        self.env = None

        def execute(frame: Frame, mask: Mask) -> None:
            masks(frame.loops[-1]).append(mask)

        return execute

    def _return(self, node: ast.Return) -> Execute:
        typed = Typed(Nothing()) if node.value is None else self.value(node.value)
        self.returns.append(typed.type)
        self.env = None
        site, evaluate, is_kernel = self.site(node), typed.evaluate, self.is_kernel

        def execute(frame: Frame, mask: Mask) -> None:
            value = evaluate(frame, mask)
            if value is not None:
                frame.result = merged(mask, value, frame.result)
            elif is_kernel:
                frame.chunk.returned.append((mask, site))

        return execute

    def narrowed(self, node: ast.AST, typed: Typed, dtype: Scalar) -> Evaluate:
        """Cast, with a warning where a whole number does not fit."""
        evaluate, given = cast(typed, dtype), number(typed.type)
        if given is None or given.kind not in "iu" or dtype.kind not in "iu":
            return evaluate
        if given.itemsize <= dtype.itemsize:
            return evaluate
        wide, limits, site = cast(typed, given), np.iinfo(dtype), self.site(node)

        def narrow(frame: Frame, mask: Mask) -> Value:
            value = wide(frame, mask)
            least, most = frame.chunk.patterns.of(value).bounds
            if least < limits.min or most > limits.max:
                _report_overflow(frame, mask, value, dtype, site)
            return value.astype(dtype)

        return narrow


def _report_overflow(frame: Frame, mask: Mask, value: Value, dtype: Scalar, site: Site) -> None:
    limits = np.iinfo(dtype)
    beyond = (value < limits.min) | (value > limits.max)
    beyond = beyond if mask.lanes is None else beyond & mask.lanes
    if beyond.any():
        first = int(np.broadcast_to(value, beyond.shape)[beyond][0])
        message = f"{first} does not fit {dtype.name} and wraps to {_wrapped(first, dtype)}"
        Here(frame.chunk, mask, site).report("warning", beyond, message, topic="overflow")


def _wrapped(value: int, dtype: Scalar) -> int:
    return int(np.array([value], dtype=np.int64).astype(dtype)[0])


def count_branch(site: Site, mask: Mask, yes: Mask | None, no: Mask | None) -> None:
    """A test by the warps of a mask, and how many of them went both ways."""
    counts = site.counts
    counts["branches"] += mask.warps
    if yes is not None and no is not None:
        both = yes.by_warp & no.by_warp
        counts["divergent_branches"] += int(np.count_nonzero(both)) * (mask.blocks // len(both))


def _round(body: Execute, frame: Frame, loop: Loop, mask: Mask) -> Mask | None:
    """One round: who comes to the next."""
    left = body(frame, mask)
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
        done = other(frame, done)
    return together(mask, done, *loop.broken)


def _copied(env: Env) -> Env:
    return None if env is None else dict(env)


def _joined(one: Env, other: Env) -> Env:
    """The types where two ways meet; a variable that one way lacks has the other's."""
    if one is None:
        return _copied(other)
    if other is None:
        return _copied(one)
    both = dict(one)
    for name, kind in other.items():
        both[name] = joined(both[name], kind) if name in both else kind
    return both


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
