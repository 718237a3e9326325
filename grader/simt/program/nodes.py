"""The node types of the typed program: what a front end lowers a kernel to.

An expression has a type, and every conversion is a node of its own. Expressions have no effects but
those of `Load`, `Perform`, and `Call`. A `Step` is one statement of the source: what it counts is
counted there. The lockstep machine (`grader.simt.lockstep`) says what each node does; it knows no
language. Nodes compare by identity; each is one place of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.frozen import frozen
from grader.simt.checks.counters import Site
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.types import INT64, Pointer, Scalar, Type, VectorType


@frozen(eq=False)
class Expression:
    """A value for each thread: a number, a tuple, memory, or nothing."""

    type: Type


@frozen(eq=False)
class Static(Expression):
    """Something that only the front end knows: a type, a function, a text. It has no value."""


@frozen(eq=False)
class Number(Expression):
    """A number of the source, which wraps to the dtype of its type."""

    value: Any


@frozen(eq=False)
class Position(Expression):
    """A number that follows from where a thread is in the grid, or from the size of the grid.

    Attributes:
        get: from the machine's `Chunk`.
        bounds: from the launch's `Geometry` to the least and the largest value; None if unknown.
    """

    name: str
    get: Callable[[Any], Any]
    bounds: Callable[[Any], tuple[int, int]] | None = None


@frozen(eq=False)
class Memory(Expression):
    """An array that the kernel declares: each block's own, or each thread's.

    Attributes:
        declared: which; None for dynamic shared memory, where all arrays begin at the same byte.
    """

    declared: DeclaredArray | None


@frozen(eq=False)
class Read(Expression):
    """The value of a variable; of a wider type where paths met that set it to several."""

    variable: str


@frozen(eq=False)
class Keep(Expression):
    """A value that is kept in a temporary, for a `Read` of it that follows."""

    variable: str
    operand: Expression


@frozen(eq=False)
class Convert(Expression):
    """A number, or each number of a tuple, as one of another type.

    Attributes:
        site: where an integer that does not fit is reported; None where it may wrap.
    """

    operand: Expression
    site: Site | None = None


@frozen(eq=False)
class Observe(Expression):
    """A value that a test depends on: what memory held uninitialized matters from here on."""

    operand: Expression


@frozen(eq=False)
class Operate(Expression):
    """An operator of `machine.operators`, on operands of the types that it takes.

    Attributes:
        site: where a result is reported that its signed type cannot hold, or a shift by too much;
            None where it wraps.
        wraps: the place of an unsigned operation, which is reported if what wraps is an index.
    """

    operator: str
    operands: tuple[Expression, ...]
    site: Site | None = None
    wraps: Site | None = None


@frozen(eq=False)
class Apply(Expression):
    """A function of values alone: it looks at no thread and at no memory, and has no effect.

    Attributes:
        function: from the operands' values to the result's, as vectors, tuples, or arrays.
        cost: operations for each number of the result, or of the first one of a tuple, beside one
            of its own; None for neither.
    """

    name: str
    function: Callable[..., Any]
    operands: tuple[Expression, ...]
    cost: int | None = None


VOLATILE_LOAD = "atomic volatile load"
ATOMIC_LOADS = ("atomic load", VOLATILE_LOAD)
"""Names of operations (`Perform`) that read memory which other threads may be changing."""


@frozen(eq=False)
class Perform(Expression):
    """Something that threads do at a place: what they exchange, wait for, check, or access.

    Attributes:
        run: gets the `ExecutionPoint`, then the operands' values.
        alone: True if it looks at no other thread and changes no memory.
        exits: True if threads may exit in it.
        caller: where the kernel called the function that this was a part of; None for its own.
    """

    name: str
    run: Callable[..., Any]
    operands: tuple[Expression, ...]
    site: Site
    alone: bool = False
    exits: bool = False
    caller: Site | None = None


@frozen(eq=False)
class Choose(Expression):
    """One of two values; each thread evaluates only its own."""

    test: Expression
    yes: Expression
    no: Expression


@frozen(eq=False)
class Logical(Expression):
    """The first operand that decides; a thread evaluates no operand after it.

    Attributes:
        conjunction: True for `and`, decided by what is false; False for `or`.
    """

    operands: tuple[Expression, ...]
    conjunction: bool


@frozen(eq=False)
class Pack(Expression):
    """Several values as a tuple."""

    parts: tuple[Expression, ...]


@frozen(eq=False)
class Part(Expression):
    """One value of a tuple, by its place."""

    whole: Expression
    place: int


@frozen(eq=False)
class AddressOf(Expression):
    """The pointer to the first element of an array that the kernel declares."""

    memory: Memory


@frozen(eq=False)
class Move(Expression):
    """A pointer, moved by an integer number of steps of some bytes.

    Attributes:
        written: the index as the source has it, if `index` is a part of it that cannot overflow.
    """

    pointer: Expression
    index: Expression
    step: int
    written: Expression | None = None


@frozen(eq=False)
class Place:
    """A number in memory, or what else a `Target` holds: located once, then read or written."""

    dtype: Scalar

    @property
    def kind(self) -> Scalar | VectorType | Pointer:
        """What is there."""
        return self.dtype


@frozen(eq=False)
class Element(Place):
    """An element of an array, by one integer per axis, which is checked."""

    array: Expression
    indices: tuple[Expression, ...]
    site: Site


@frozen(eq=False)
class FieldOf(Place):
    """A number in a record.

    Attributes:
        field: of `memory.records`.
        by_byte: True if it may be accessed a byte at a time, as in a packed record.
    """

    record: Expression
    field: Any
    site: Site
    by_byte: bool


@frozen(eq=False)
class Target(Place):
    """What a pointer points to: a number, a vector, or a pointer; of a struct, one member.

    Attributes:
        pointer: the address; of a `Move`, it is known how addresses are spaced.
        several: the type of a vector, whose members are of the dtype, or of a pointer.
    """

    pointer: Expression
    site: Site
    several: VectorType | Pointer | None = None

    @property
    def kind(self) -> Scalar | VectorType | Pointer:
        """See `Place`."""
        return self.several or self.dtype


def target(kind: Scalar | VectorType | Pointer, pointer: Expression, site: Site) -> Target:
    """Return what a pointer points to, as a place."""
    match kind:
        case VectorType(dtype):
            return Target(dtype, pointer, site, kind)
        case Pointer():
            return Target(INT64, pointer, site, kind)
        case _:
            return Target(kind, pointer, site)


@frozen(eq=False)
class Load(Expression):
    """What a place holds."""

    place: Place


@frozen(eq=False)
class Call(Expression):
    """A call of a function of the program, by the threads that get there.

    Attributes:
        itself: where a function calls itself, whose body is not known yet; None elsewhere.
    """

    function: Function
    arguments: tuple[Expression, ...]
    itself: Site | None = None
    site: Site | None = None


@frozen(eq=False)
class Set:
    """Give a variable a value."""

    variable: str
    value: Expression


@frozen(eq=False)
class Store:
    """Write to a place; the value is evaluated first."""

    place: Place
    value: Expression


@frozen(eq=False)
class Update:
    """Read a place, then write to it what `value` makes of the temporary `old`."""

    place: Place
    old: str
    value: Expression


@frozen(eq=False)
class Do:
    """Evaluate an expression for its effects."""

    value: Expression


@frozen(eq=False)
class When:
    """Operations for the threads for which a test holds, and others for the rest.

    It is part of one statement, and counts nothing.
    """

    test: Expression
    yes: tuple[Operation, ...]
    no: tuple[Operation, ...]


Operation = Set | Store | Update | Do | When


@frozen(eq=False)
class Statement:
    """From the threads that reach it to those that reach the next one."""

    site: Site


Block = tuple[Statement, ...]


@frozen(eq=False)
class Step(Statement):
    """A statement without control flow, as operations that are not counted themselves."""

    operations: tuple[Operation, ...]


@frozen(eq=False)
class Nested(Statement):
    """A statement that stands for others: a branch that was decided before the launch."""

    body: Block


@frozen(eq=False)
class If(Statement):
    """A branch.

    Attributes:
        before: what comes before the test.
    """

    test: Expression
    yes: Block
    no: Block
    before: tuple[Operation, ...] = ()


@frozen(eq=False)
class Switch(Statement):
    """Statements that a `Break` leaves; a `Continue` in them is the loop's around it.

    Attributes:
        before: what comes before the first of them.
    """

    before: tuple[Operation, ...]
    body: Block


@frozen(eq=False)
class Loop(Statement):
    """A loop.

    Attributes:
        begin: before the first round.
        head: before each test.
        test: of each round; None for a loop that only `Break` and `Return` leave.
        enter: for the threads that begin a round.
        step: for the threads that begin the next round, also those that were at a `Continue`.
        otherwise: for the threads that leave by the test.
        counted: True if its rounds were counted before the first one: no block waits in it.
    """

    begin: tuple[Operation, ...]
    test: Expression | None
    enter: tuple[Operation, ...]
    body: Block
    step: tuple[Operation, ...]
    otherwise: Block
    counted: bool = False
    head: tuple[Operation, ...] = ()


@frozen(eq=False)
class Unrolled(Statement):
    """A loop whose rounds are written out, each with what begins it."""

    begin: tuple[Operation, ...]
    rounds: tuple[tuple[tuple[Operation, ...], Block], ...]
    otherwise: Block


@frozen(eq=False)
class Run:
    """Operations at one place, counted as so many instructions."""

    site: Site
    operations: tuple[Operation, ...]
    count: int


@frozen(eq=False)
class Segment:
    """A basic block of a `Graph`: its threads stay together, then go to one or two others.

    Attributes:
        runs: what is done.
        site: where threads part.
        test: which of them go to `yes`; None: all.
        yes, no: numbers of segments; None: they leave the function.
        loop: the number of the segment that the innermost loop around this one begins at.
        waits: True if threads may wait in that loop for what others do.
        rejoins: True behind a loop that only waits: lanes of a warp leave it together.
    """

    runs: tuple[Run, ...]
    site: Site
    test: Expression | None
    yes: int | None
    no: int | None
    loop: int | None
    waits: bool
    rejoins: bool = False


@frozen(eq=False)
class Graph(Statement):
    """A function's body as a graph, of any shape.

    Attributes:
        segments: those of a loop without a gap, each behind all that lead to it but for loops: the
            first one with threads in it goes first, so that paths meet before what follows them.
        result: what the function returns; None for nothing.
        ends: of each loop, by its first segment, the last one.
    """

    segments: tuple[Segment, ...]
    result: Expression | None
    ends: Mapping[int, int]


@frozen(eq=False)
class Break(Statement):
    """Leave the innermost loop."""


@frozen(eq=False)
class Continue(Statement):
    """Go on with the next round of the innermost loop."""


@frozen(eq=False)
class Return(Statement):
    """Leave the function; a kernel's threads exit.

    Attributes:
        before: what comes before the value.
    """

    value: Expression | None
    before: tuple[Operation, ...] = ()


@frozen(eq=False)
class Exit(Statement):
    """End the threads, in a kernel or in a function."""


@frozen(eq=False)
class Alive(Statement):
    """A statement in which threads may exit: only the others go on."""

    inner: Statement


@frozen(eq=False)
class Watched(Statement):
    """A statement that a recorder looks at.

    Attributes:
        watch: from what executes it to what also records.
    """

    inner: Statement
    watch: Callable[[Any], Any]


@dataclass(eq=False, slots=True)
class Function:
    """A function for one list of argument types.

    Attributes:
        body: set once it is lowered: a function that calls itself is named before.
        is_kernel: True if a thread that returns has exited.
        exits: True if threads may exit in it.
        follow: from a variable's name and what sets it to what also tells a recorder; None without.
        execute: what the machine made of the body, by the operations that it checks.
    """

    name: str
    parameters: tuple[str, ...]
    result: Type
    body: Block = ()
    types: tuple[Type, ...] = ()
    is_kernel: bool = False
    exits: bool = False
    follow: Callable[[str, Any], Any] | None = None
    execute: dict[frozenset[int], Any] = field(default_factory=dict, repr=False)


def is_temporary(variable: str) -> bool:
    """Return True for a variable that is none of the source."""
    return variable.startswith("%")


def inline_name(part: int, variable: str) -> str:
    """Return the name of a function's variable where its body is a part of its caller's."""
    return f"%{part}.{variable}"


def is_inlined(variable: str) -> bool:
    """Return True for such a name. The source's own variables among them may be read unset."""
    return is_temporary(variable) and "." in variable
