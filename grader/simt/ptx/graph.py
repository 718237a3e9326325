"""Cuts a function into basic blocks, and orders them so that paths meet before what follows them.

A block comes behind all that lead to it but for loops, whose blocks follow each other without a
gap: a weak topological order (F. Bourdoncle, "Efficient chaotic iteration strategies with
widenings", 1993), which any graph has, reducible or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.errors import Refused
from grader.simt.ptx import syntax

_LEAVE = ("ret", "exit")
_BRANCHES = ("bra", "brx", *_LEAVE)


@frozen(eq=False)
class BasicBlock:
    """Instructions that follow each other, and where threads go behind them.

    Attributes:
        first, end: the numbers of its first instruction, and of the one behind its last.
        branch: its last instruction, if that is one that decides.
        targets: numbers of blocks; None: out of the function. First those that the branch names,
            then, where it has a guard, the block behind it.
        loop: the block that the innermost loop around it begins at; None outside of loops.
    """

    first: int
    end: int
    branch: syntax.Instruction | None
    targets: tuple[int | None, ...]
    loop: int | None = None


def find_blocks(function: syntax.Function) -> tuple[tuple[BasicBlock, ...], dict[int, int]]:
    """Return the blocks of a function that threads can reach, in order, and where loops end.

    Returns:
        The blocks; and the last block of each loop, by its first one.

    Raises:
        Refused: a branch names a label that is not there.
    """
    blocks = _cut(function)
    order, loops, ends = _order(blocks)
    for number in [each for each in order if _aborts(function, blocks[each])]:
        _advance(number, blocks, (order, loops, ends))
    numbers = {old: new for new, old in enumerate(order)}
    placed = tuple(
        BasicBlock(
            blocks[old].first, blocks[old].end, blocks[old].branch,
            tuple(None if to is None else numbers[to] for to in blocks[old].targets),
            None if loops.get(old) is None else numbers[loops[old]],
        )
        for old in order
    )  # fmt: skip
    return placed, {numbers[start]: last for start, last in ends.items()}


def _cut(function: syntax.Function) -> list[BasicBlock]:
    instructions = function.instructions
    starts = {0, *function.labels.values()}
    for number, each in enumerate(instructions):
        if each.opcode in _BRANCHES:
            starts.add(number + 1)
    cuts = sorted(each for each in starts if each < len(instructions))
    numbers = {first: number for number, first in enumerate(cuts)}

    def block_at(number: int) -> int | None:
        return numbers.get(number)  # behind the last instruction, the function ends

    def target(name: str, line: int) -> int | None:
        if name not in function.labels:
            raise Refused(fact("ptx.no-label", name=name), line=line)
        return block_at(function.labels[name])

    found = []
    for first, end in zip(cuts, [*cuts[1:], len(instructions)], strict=True):
        last, behind = instructions[end - 1], block_at(end)
        branch = last if last.opcode in _BRANCHES else None
        targets: tuple[int | None, ...] = (behind,)
        if last.opcode in _LEAVE:
            targets = (None,)
        elif branch is not None:
            targets = tuple(target(name, last.line) for name in _labels(function, last))
        if branch is not None and branch.guard:
            targets = (*targets, behind)
        found.append(BasicBlock(first, end, branch, targets))
    return found


def _labels(function: syntax.Function, branch: syntax.Instruction) -> tuple[str, ...]:
    """Return the labels that a branch leads to: one, or those of a table."""
    if branch.opcode == "bra":
        return (str(branch.operands[0]),)
    table = str(branch.operands[1])
    if table not in function.tables:
        raise Refused(fact("ptx.no-label", name=table), line=branch.line)
    return function.tables[table]


def _order(blocks: Sequence[BasicBlock]) -> tuple[list[int], dict[int, int], dict[int, int]]:
    """Return the blocks that can be reached, in order.

    Returns:
        The blocks; for each one in a loop, where that begins; where each loop ends, in order.
    """
    order, loops, ends = list[int](), dict[int, int](), dict[int, int]()

    def place(members: set[int], entry: int, head: int | None) -> None:
        for component in _components(blocks, members, entry, head):
            inner = next(iter(component))
            if len(component) == 1 and (inner == head or inner not in _after(blocks, inner)):
                order.append(inner)
                if head is not None:
                    loops[inner] = head
                continue
            start = _entry(blocks, component, members, entry)
            place(component, start, start)
            ends[start] = len(order) - 1

    reached = _reach(blocks, 0)
    place(reached, 0, None)
    return order, loops, ends


def _aborts(function: syntax.Function, block: BasicBlock) -> bool:
    """Return True if threads end the launch in a block."""
    return any(
        each.opcode == "trap" or (each.opcode == "call" and "__assertfail" in each.operands)
        for each in function.instructions[block.first : block.end]
    )


def _advance(
    number: int, blocks: Sequence[BasicBlock], to: tuple[list[int], dict[int, int], dict[int, int]]
) -> None:
    """Move a block right behind those that lead to it: nobody waits in vain for its threads."""
    order, loops, ends = to
    leading = [each for each in order if each != number and number in _after(blocks, each)]
    if not leading or number in loops:
        return
    behind = {start: order[last] for start, last in ends.items()}
    before = leading[-1]
    order.remove(number)
    order.insert(order.index(before) + 1, number)
    if before in loops:
        loops[number] = loops[before]
    for start, last in behind.items():
        at_end = last == before and before in loops
        ends[start] = order.index(number if at_end else last)


def _after(blocks: Sequence[BasicBlock], number: int) -> list[int]:
    return [to for to in blocks[number].targets if to is not None]


def _reach(blocks: Sequence[BasicBlock], first: int) -> set[int]:
    seen, waiting = {first}, [first]
    while waiting:
        for to in _after(blocks, waiting.pop()):
            if to not in seen:
                seen.add(to)
                waiting.append(to)
    return seen


def _entry(
    blocks: Sequence[BasicBlock], component: set[int], members: Iterable[int], entry: int
) -> int:
    """Return where threads get into a loop: the first block that one outside of it leads to."""
    if entry in component:
        return entry
    into = {
        to
        for each in members
        if each not in component
        for to in _after(blocks, each)
        if to in component
    }
    return min(into or component)


def _components(
    blocks: Sequence[BasicBlock], members: set[int], entry: int, head: int | None
) -> list[set[int]]:
    """Return the strongly connected components in topological order, without the edges to `head`.

    Of two that no path orders, the one that stands first in the text comes first.
    """
    search = _Search(blocks, members, head)
    for root in (entry, *sorted(members)):
        search.begin_at(root)
    return search.found[::-1]


class _Search:
    """R. Tarjan's search for components, without recursion.

    Attributes:
        found: the components, each before those that lead to it.
    """

    def __init__(self, blocks: Sequence[BasicBlock], members: set[int], head: int | None) -> None:
        self.found: list[set[int]] = []
        self._blocks, self._members, self._head = blocks, members, head
        self._index: dict[int, int] = {}
        self._low: dict[int, int] = {}
        self._stack: list[int] = []

    def begin_at(self, root: int) -> None:
        """Visit what can be reached from a block, unless that was visited before."""
        if root in self._index:
            return
        work = [self._visit(root)]
        while work:
            number, rest = work[-1]
            into = next(rest, None)
            if into is None:
                work.pop()
                self._leave(number)
                if work:
                    self._lower(work[-1][0], self._low[number])
            elif into not in self._index:
                work.append(self._visit(into))
            elif into in self._stack:
                self._lower(number, self._index[into])

    def _visit(self, number: int) -> tuple[int, Iterator[int]]:
        self._index[number] = self._low[number] = len(self._index)
        self._stack.append(number)
        after = {to for to in _after(self._blocks, number) if to in self._members}
        # What is visited first is placed last.
        return number, iter(sorted(after - {self._head}, reverse=True))

    def _lower(self, number: int, low: int) -> None:
        self._low[number] = min(self._low[number], low)

    def _leave(self, number: int) -> None:
        if self._low[number] == self._index[number]:
            at = self._stack.index(number)
            self.found.append(set(self._stack[at:]))
            del self._stack[at:]
