"""Which loops only wait, for a lock or a flag: their rounds change no memory but by atomics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grader.simt.checks.counters import Site
from grader.simt.program import nodes
from grader.simt.program.graphs import PATIENT
from grader.simt.program.nodes import Expression
from grader.simt.program.walking import (
    Names,
    find_functions,
    inner_blocks,
    names_read,
    own_expressions,
    own_operations,
    walk_block,
    walk_expression,
    walk_statements,
)


class Wait(NamedTuple):
    """A loop that waits.

    Attributes:
        names: the variables that decide whether it ends; counters of its rounds are none of them.
        after: the statement that follows it; None at the end of a function.
    """

    names: Names
    after: Site | None


def find_waits(body: nodes.Block) -> dict[int, Wait]:
    """Return the loops (by id) of a function that only wait."""
    arrays = _Arrays(body)
    return {
        id(loop): Wait(_find_deciding(loop), after)
        for loop, after in _patient_loops(body)
        if _only_waits(loop, arrays)
    }


def find_spins(body: nodes.Block) -> frozenset[int]:
    """Return the loops (by id) in which threads may wait for what others do after the loop.

    A loop whose rounds look at different places searches, and does not wait. A compare-and-swap
    whose new value depends on the old one succeeds sooner or later, whatever other threads do.
    Kernels with a recorder have no such loops, since a graph's statements are not recorded.
    """
    if any(isinstance(each, nodes.Watched) for each in walk_statements(body)):
        return frozenset()
    spins = [
        loop
        for loop, _ in _patient_loops(body)
        if _repeats_atomic((loop,), _find_varying(loop)) or _rereads(loop, _with_called(loop))
    ]
    return frozenset(id(inner) for loop in spins for inner in _find_rounds(loop))


def _find_rounds(loop: nodes.Loop) -> Iterator[nodes.Loop]:
    """Yield a loop, and those that are a part of its rounds, also in what it calls."""
    called = [each.function for each in walk_block((loop,)) if isinstance(each, nodes.Call)]
    bodies = [each.body for function in called for each in find_functions(function)]
    for block in ((loop,), *bodies):
        for statement in walk_statements(block):
            if isinstance(statement, nodes.Loop):
                yield statement


def polls_volatile(kernel: nodes.Function) -> bool:
    """Return True if a kernel waits in a loop that reads something volatile: a flag."""
    return any(
        isinstance(node, nodes.Perform) and node.name == nodes.VOLATILE_LOAD
        for function in find_functions(kernel)
        for loop, _ in _loops(function.body, None)
        if not loop.counted and _is_patient((loop,), frozenset())
        for node in walk_block((loop,))
    )


def _repeats_atomic(
    block: nodes.Block, varying: Names, calls: frozenset[int] = frozenset()
) -> bool:
    """Return True if an atomic does the same in each round, here or in what is called."""
    for node in walk_block(block):
        if isinstance(node, nodes.Perform) and node.name.startswith("atomic"):
            if names_read(_deciding_operands(node)).isdisjoint(varying):
                return True
        elif isinstance(node, nodes.Call) and id(node.function) not in calls:
            called = node.function
            pairs = zip(called.parameters, node.arguments, strict=True)
            given = {name for name, each in pairs if names_read([each]) & varying}
            inside = _find_made_of(called.body, frozenset(given))
            if _repeats_atomic(called.body, inside, calls | {id(called)}):
                return True
    return False


def _find_made_of(body: nodes.Block, given: Names) -> Names:
    """Return the variables of a function whose values come from some of them."""
    values = [
        (each.variable, names_read([each.value]))
        for statement in walk_statements(body)
        for each in own_operations(statement)
        if isinstance(each, nodes.Set)
    ]
    known: Names = frozenset()
    while known != given:
        known, given = given, given | {name for name, names in values if names & given}
    return given


def _deciding_operands(atomic: nodes.Perform) -> Sequence[Expression]:
    """Return where an atomic is, and what a compare-and-swap writes."""
    *rest, last = atomic.operands
    if atomic.name == "atomic cas":
        return (*rest[:-1], last)
    return atomic.operands if atomic.name in nodes.ATOMIC_LOADS else rest


def _find_varying(loop: nodes.Loop) -> Names:
    """Return the variables that a round makes of what they were in the one before."""
    given = dict[str, Names]()
    for statement in walk_statements((loop,)):
        for each in own_operations(statement):
            if isinstance(each, nodes.Set):
                known = given.get(each.variable, frozenset())
                given[each.variable] = known | names_read([each.value])
    reached = dict(given)
    for _ in given:
        reached = {
            name: names.union(*(given.get(each, frozenset()) for each in names))
            for name, names in reached.items()
        }
    carried = {name for name, names in reached.items() if name in names}
    return frozenset(carried | {name for name, names in reached.items() if names & carried})


class _Arrays:
    """The variables that the arrays and pointers of a function come from, or its own arrays.

    Those are named `&array`: shared arrays, and variables in global memory.

    Attributes:
        written: those whose elements it writes.
    """

    def __init__(self, body: nodes.Block) -> None:
        operations = [
            each for statement in walk_statements(body) for each in own_operations(statement)
        ]
        self._given: dict[str, list[Expression]] = {}
        for each in operations:
            if isinstance(each, nodes.Set):
                self._given.setdefault(each.variable, []).append(each.value)
        stores = [each for each in operations if isinstance(each, (nodes.Store, nodes.Update))]
        self.written = frozenset[str]().union(*(self.of(each.place) for each in stores))

    def of(self, place: nodes.Place) -> Names:
        """Return those that a place is in; none where that is not known."""
        match place:
            case nodes.Element(_, array):
                return self._trace(array, frozenset())
            case nodes.Target(_, pointer):
                return self._trace(pointer, frozenset())
        return frozenset()

    def _trace(self, value: Expression, known: Names) -> Names:
        match value:
            case nodes.Move(_, pointer):
                return self._trace(pointer, known)
            case nodes.Convert(operand=operand) | nodes.AddressOf(memory=operand):
                return self._trace(operand, known)
            case nodes.Memory(_, declared):
                return frozenset({f"&{declared.label if declared else ''}"})
            case nodes.Read(_, variable) if variable not in known:
                came = known | {variable}
                given = self._given.get(variable, ())
                return frozenset({variable}).union(*(self._trace(each, came) for each in given))
        return frozenset()


def _loops(
    block: Sequence[nodes.Statement], end: Site | None
) -> Iterator[tuple[nodes.Loop, Site | None]]:
    """Yield loops, and what follows each."""
    for place, statement in enumerate(block):
        after = block[place + 1].site if place + 1 < len(block) else end
        if isinstance(statement, nodes.Loop):
            yield statement, after
            after = statement.site
        for inner in inner_blocks(statement):
            yield from _loops(inner, after)


def _patient_loops(body: nodes.Block) -> Iterator[tuple[nodes.Loop, Site | None]]:
    """Yield loops that end when memory changes and write it only by atomics; see `_loops`."""
    for loop, after in _loops(body, None):
        if not loop.counted and _depends_on_memory(loop) and _is_patient((loop,), frozenset()):
            yield loop, after


def _only_waits(loop: nodes.Loop, arrays: _Arrays) -> bool:
    inside = _with_called(loop)
    return _has_atomic(inside) or _reads_written(loop, arrays) or _rereads(loop, inside)


def _with_called(loop: nodes.Loop) -> list[Expression]:
    """Return what a loop has, and all functions that it calls."""
    inside = [*walk_block((loop,))]
    called = [
        node
        for call in inside
        if isinstance(call, nodes.Call)
        for function in find_functions(call.function)
        for node in walk_block(function.body)
    ]
    return [*inside, *called]


def _reads_written(loop: nodes.Loop, arrays: _Arrays) -> bool:
    """Return True for a loop that reads what the function writes elsewhere: a flag."""
    return any(
        isinstance(node, nodes.Load) and arrays.of(node.place) & arrays.written
        for node in walk_block((loop,))
    )


def _rereads(loop: nodes.Loop, inside: Iterable[Expression]) -> bool:
    """Return True for a loop that reads memory, in each round the same.

    Another function, launch, or the host may write it; a loop whose rounds differ may search.
    """
    if not any(isinstance(node, nodes.Load) for node in inside):
        return False
    deciding = _find_deciding(loop)
    given = [
        each
        for statement in walk_statements((loop,))
        for each in own_operations(statement)
        if isinstance(each, nodes.Set) and each.variable in deciding
    ]
    return not names_read(each.value for each in given) & {each.variable for each in given}


def _has_atomic(inside: Iterable[Expression]) -> bool:
    """Return True for a loop with an atomic; without one, it may search in what nobody changes."""
    return any(
        isinstance(node, nodes.Perform) and node.name.startswith("atomic") for node in inside
    )


def _depends_on_memory(loop: nodes.Loop) -> bool:
    """Return True if what other threads may change decides whether a loop ends."""
    statements, names = tuple(walk_statements((loop,))), _find_deciding(loop)
    operations = [each for statement in statements for each in own_operations(statement)]
    deciding = [
        *(each.test for each in statements if isinstance(each, (nodes.If, nodes.Loop))),
        *(each.test for each in operations if isinstance(each, nodes.When)),
        *(
            each.value
            for each in operations
            if isinstance(each, nodes.Set) and each.variable in names
        ),
    ]
    return any(
        isinstance(node, (nodes.Load, nodes.Call, nodes.Perform))
        for each in deciding
        if each is not None
        for node in walk_expression(each)
    )


def _is_patient(block: Iterable[nodes.Statement], calls: frozenset[int]) -> bool:
    statements = tuple(walk_statements(block))
    for statement in statements:
        if isinstance(statement, nodes.Watched):
            return False
        if any(isinstance(each, (nodes.Store, nodes.Update)) for each in own_operations(statement)):
            return False
    for node in walk_block(block):
        if isinstance(node, nodes.Perform) and not node.name.startswith(PATIENT):
            return False
        if isinstance(node, nodes.Call):
            called = node.function
            if id(called) in calls or not _is_patient(called.body, calls | {id(called)}):
                return False
    return True


def _find_deciding(loop: nodes.Loop) -> Names:
    """Return the variables that tests of a loop depend on, those of earlier rounds too."""
    statements = tuple(walk_statements((loop,)))
    operations = [each for statement in statements for each in own_operations(statement)]
    values = [(each.variable, each.value) for each in operations if isinstance(each, nodes.Set)]
    given = {id(value) for _, value in values}
    tests = [
        part
        for statement in statements
        for part in own_expressions(statement)
        if id(part) not in given
    ]
    found, known = names_read(tests), None
    while found != known:
        known = found
        found |= names_read(value for name, value in values if name in known)
    return found
