"""Makes a kernel a `Graph` whose threads wait for each other in branches: warps with roles.

Statements are run by all threads that are in them before those of another branch have a turn, so a
producer would wait for a consumer that has not begun, and a warp that has taken a lock for those
that spin for it. In a `Graph` both go on; but lanes of a warp that leave a loop which only waits do
so together. Functions in which threads wait become part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from grader.simt.checks.counters import Site
from grader.simt.program import nodes
from grader.simt.program.waiting import find_spins
from grader.simt.program.walking import find_functions, walk_block, walk_statements

_WAIT = "mbarrier-wait"
_WAITS = (_WAIT, "atomic")
"""How names begin of what a loop does that may wait for other threads."""
_TREES = (
    nodes.Expression, nodes.Place, nodes.Set, nodes.Store, nodes.Update, nodes.Do, nodes.When,
)  # fmt: skip


class _Unable(Exception):
    """A function in which threads wait is called by those for which a part of a test holds."""


def flatten(kernel: nodes.Function) -> None:
    """Make a kernel's body one `Graph` if its threads test barriers in memory, or spin."""
    called = {each: find_functions(each) for each in find_functions(kernel)}
    waits = frozenset[int]().union(*(find_spins(each.body) for each in called))
    direct = {each for each in called if _tests(each) or _spins(each, waits)}
    testing = {each for each, below in called.items() if not direct.isdisjoint(below)}
    if not testing:
        return
    looping = {each for each in testing if any(map(_loops, called[each]))}
    with suppress(_Unable):
        kernel.body = (_Flattening(testing, looping, waits).run(kernel),)


def _tests(function: nodes.Function) -> bool:
    return any(
        isinstance(node, nodes.Perform) and node.name.startswith(_WAIT)
        for node in walk_block(function.body)
    )


def _spins(function: nodes.Function, waits: frozenset[int]) -> bool:
    return any(id(each) in waits for each in walk_statements(function.body))


def _loops(function: nodes.Function) -> bool:
    return any(isinstance(each, nodes.Loop) for each in walk_statements(function.body))


@dataclass(eq=False)
class _Label:
    """A segment that others lead to. `number`: once it is there."""

    number: int = -1


@dataclass(eq=False)
class _Draft:
    """A segment that is being made."""

    loop: _Label | None
    site: Site
    runs: list[nodes.Run] = field(default_factory=list)
    test: nodes.Expression | None = None
    yes: _Label | None = None
    no: _Label | None = None
    rejoins: bool = False


def _may_wait(draft: _Draft) -> bool:
    return any(
        isinstance(node, nodes.Perform) and node.name.startswith(_WAITS)
        for run in draft.runs
        for node in walk_block((nodes.Step(run.site, run.operations),))
    )


def _finish(draft: _Draft, *, waits: bool) -> nodes.Segment:
    loop, yes, no = (None if to is None else to.number for to in (draft.loop, draft.yes, draft.no))
    return nodes.Segment(
        tuple(draft.runs), draft.site, draft.test, yes, no, loop, waits, draft.rejoins
    )


@dataclass(frozen=True)
class _Around:
    """What a statement is in.

    Attributes:
        names: of the variables of a function that became a part: what they are called.
        leave: what a `Return` does; None in the kernel itself.
        after, again: where `Break` and `Continue` lead.
        caller: where the kernel called the function; None in the kernel itself.
    """

    names: Callable[[str], str] = str
    leave: Callable[[nodes.Return], None] | None = None
    after: _Label | None = None
    again: _Label | None = None
    caller: Site | None = None


class _Flattening:
    """Writes down segments, each behind those that lead to it but for loops."""

    def __init__(
        self, testing: set[nodes.Function], looping: set[nodes.Function], waits: frozenset[int]
    ) -> None:
        self._testing = testing
        self._looping = looping
        self._waits = waits
        self._spins = set[_Label]()
        self._drafts: list[_Draft] = []
        self._open: _Draft | None = None
        self._loops: list[_Label] = []
        self._ends: dict[int, int] = {}
        self._parts = 0

    def run(self, kernel: nodes.Function) -> nodes.Graph:
        """Return the graph of a kernel."""
        site = kernel.body[0].site
        self._begin(_Label(), site)
        self._block(kernel.body, _Around())
        waiting = {each.loop for each in self._drafts if each.loop and _may_wait(each)}
        waiting |= self._spins
        segments = tuple(_finish(each, waits=each.loop in waiting) for each in self._drafts)
        return nodes.Graph(site, segments, None, self._ends)

    # Segments

    def _begin(self, label: _Label, site: Site) -> None:
        """Begin a segment, behind the one before if that goes on."""
        self._end(label)
        label.number = len(self._drafts)
        self._open = _Draft(self._loops[-1] if self._loops else None, site)
        self._drafts.append(self._open)

    def _end(self, label: _Label | None) -> None:
        """End a segment, whose threads go to a label, or leave the kernel."""
        if self._open is not None:
            self._open.yes = label
        self._open = None

    def _branch(self, site: Site, test: nodes.Expression, yes: _Label, no: _Label) -> None:
        """End a segment whose threads part."""
        assert self._open is not None  # a statement has begun it
        self._open.site, self._open.test = site, test
        self._open.yes, self._open.no = yes, no
        self._open = None

    def _do(
        self, site: Site, operations: Sequence[nodes.Operation], around: _Around, count: int = 0
    ) -> None:
        """Add operations to a segment, and whatever they call that waits."""
        self._run(site, (), count)
        for each in operations:
            operation = self._rewrite(each, site, around)
            if not (isinstance(operation, nodes.Do) and isinstance(operation.value, nodes.Read)):
                self._run(site, (operation,), 0)

    def _run(self, site: Site, operations: tuple[nodes.Operation, ...], count: int) -> None:
        assert self._open is not None  # a statement has begun it
        runs, self._open.site = self._open.runs, site
        if runs and runs[-1].site is site and not count:
            last = runs.pop()
            operations, count = (*last.operations, *operations), last.count
        runs.append(nodes.Run(site, operations, count))

    # Statements

    def _block(self, block: nodes.Block, around: _Around) -> None:
        for statement in block:
            if self._open is None:
                return  # no thread gets there
            self._statement(statement, around)

    def _statement(self, node: nodes.Statement, around: _Around) -> None:
        match node:
            case nodes.If():
                self._if(node, around)
            case nodes.Loop():
                self._loop(node, around)
            case nodes.Unrolled():
                self._unrolled(node, around)
            case nodes.Switch(site, before, body):
                after = _Label()
                self._do(site, before, around, 1)
                self._block(body, replace(around, after=after))
                self._begin(after, site)
            case nodes.Alive(_, inner) | nodes.Watched(_, inner):
                self._statement(inner, around)
            case nodes.Step(site, operations):
                self._do(site, operations, around, 1)
            case nodes.Nested(site, body):
                self._do(site, (), around, 1)
                self._block(body, around)
            case _:
                self._jump(node, around)

    def _jump(self, node: nodes.Statement, around: _Around) -> None:
        self._do(node.site, node.before if isinstance(node, nodes.Return) else (), around, 1)
        match node:
            case nodes.Break():
                self._end(around.after)
            case nodes.Continue():
                self._end(around.again)
            case nodes.Return() if around.leave is not None:
                around.leave(node)
            case nodes.Return() | nodes.Exit():
                self._end(None)
            case _:
                raise AssertionError(node)

    def _if(self, node: nodes.If, around: _Around) -> None:
        site, yes, no, after = node.site, _Label(), _Label(), _Label()
        self._do(site, node.before, around, 1)
        self._branch(site, self._rewrite(node.test, site, around), yes, no)
        for label, block in ((yes, node.yes), (no, node.no)):
            self._begin(label, site)
            self._block(block, around)
            self._end(after)
        self._begin(after, site)

    def _loop(self, node: nodes.Loop, around: _Around) -> None:
        site, head, inside, left, after = node.site, _Label(), _Label(), _Label(), _Label()
        again = _Label()
        self._do(site, node.begin, around, 1)
        self._loops.append(head)
        self._end(head)
        self._begin(head, site)
        self._do(site, node.head, around)
        if node.test is None:
            self._begin(inside, site)
        else:
            self._branch(site, self._rewrite(node.test, site, around), inside, left)
            self._begin(inside, site)
        self._do(site, node.enter, around)
        self._block(node.body, replace(around, after=after, again=again))
        self._begin(again, site)
        self._do(site, node.step, around)
        self._end(head)
        self._ends[head.number] = len(self._drafts) - 1
        self._loops.pop()
        if node.test is not None:
            self._begin(left, site)
            self._block(node.otherwise, around)
        self._begin(after, site)
        if id(node) in self._waits:
            self._spins.add(head)
            self._drafts[-1].rejoins = True

    def _unrolled(self, node: nodes.Unrolled, around: _Around) -> None:
        site, after = node.site, _Label()
        self._do(site, node.begin, around, 1)
        for enter, body in node.rounds:
            again = _Label()
            if self._open is not None:
                self._do(site, enter, around)
            self._block(body, replace(around, after=after, again=again))
            self._begin(again, site)
        self._block(node.otherwise, around)
        self._begin(after, site)

    # Functions

    def _rewrite(self, node: Any, site: Site, around: _Around, *, surely: bool = True) -> Any:
        """Return a tree with the names of its surroundings, and without calls that wait.

        Args:
            node: the tree, or anything else that a node has.
            surely: True if all threads that get there evaluate it.

        Raises:
            _Unable: not all of them would wait.
        """
        if isinstance(node, tuple):
            return tuple(self._rewrite(each, site, around, surely=surely) for each in node)
        if not isinstance(node, _TREES):
            return node
        surely = surely and not isinstance(node, (nodes.Choose, nodes.Logical, nodes.When))
        changed = {
            each.name: self._rewrite(getattr(node, each.name), site, around, surely=surely)
            for each in fields(node)
        }
        for name in ("variable", "old"):
            if isinstance(changed.get(name), str):
                changed[name] = around.names(changed[name])
        found = replace(node, **changed)
        if isinstance(found, nodes.Call) and found.function in self._testing:
            if surely:
                return self._inline(found, site, around.caller)
            if found.function in self._looping:
                raise _Unable
        if around.caller is None:
            return found
        if isinstance(found, nodes.Call):
            return replace(found, site=around.caller)
        return replace(found, caller=around.caller) if isinstance(found, nodes.Perform) else found

    def _inline(self, call: nodes.Call, site: Site, caller: Site | None) -> nodes.Expression:
        """Make a function's body a part, and return what reads its result."""
        self._parts += 1
        function, end = call.function, _Label()
        names = partial(nodes.inline_name, self._parts)
        result = names("result")
        given = zip(function.parameters, call.arguments, strict=True)
        for name, value in given:
            self._run(site, (nodes.Set(names(name), value),), 0)

        def leave(node: nodes.Return) -> None:
            if node.value is not None:
                value = self._rewrite(node.value, node.site, inner)
                self._run(node.site, (nodes.Set(result, value),), 0)
            self._end(end)

        inner = _Around(names, leave, caller=caller or call.site)
        self._block(function.body, inner)
        self._begin(end, site)
        return nodes.Read(call.type, result)
