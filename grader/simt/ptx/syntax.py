"""What a PTX text says: its functions, their instructions in order, and its variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grader.frozen import frozen
from grader.simt.geometry import Three


@frozen
class SourcePlace:
    """A place in the source that PTX was compiled from.

    Attributes:
        file: its number in the PTX; see `Module.files`.
    """

    file: int
    line: int
    column: int


@frozen
class Address:
    """What brackets hold: a register or a symbol, and a number of bytes beyond it.

    Attributes:
        place: coordinates in the tensor whose map is there, if it is that of one.
    """

    base: str
    offset: int = 0
    place: tuple[str, ...] = ()


@frozen
class Group:
    """Registers in braces: a vector, or the halves of a wider register."""

    parts: tuple[str, ...]


Operand = str | Address | Group
"""A register, a number, or a symbol as it is written; `a|b` is one operand, with both names."""


def registers_of(operand: Operand) -> tuple[str, ...]:
    """Return what an operand names: the registers of a group, or itself."""
    return operand.parts if isinstance(operand, Group) else (str(operand),)


@frozen(eq=False)
class Instruction:
    """One instruction.

    Attributes:
        source: where that is in the source, then where that was inlined, outward; empty without
            line information.
        guard: the predicate register that decides whether it is executed; "" without one.
        negated: True if it is executed where that does not hold.
        modifiers: what follows it, each without its dot.
        selectors: of a video instruction, the part of each operand that it takes, without the
            dot; empty if it takes all of each.
    """

    line: int
    source: tuple[SourcePlace, ...]
    guard: str
    negated: bool
    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    selectors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The instruction with its modifiers."""
        return ".".join((self.opcode, *self.modifiers))


@frozen
class Parameter:
    """A parameter of a function, or what it returns.

    Attributes:
        type: such as `u64`; of an array of bytes, `b8`.
    """

    name: str
    type: str
    size: int


@frozen(eq=False)
class Variable:
    """A variable in memory.

    Attributes:
        space: `global`, `const`, `shared` or `local`.
        type: of its elements.
        count: of its elements; 0 for a dynamic array in shared memory.
        values: the first elements as they are written; the others are 0.
    """

    name: str
    space: str
    type: str
    count: int
    align: int
    values: tuple[str, ...] = ()
    line: int = 0


@frozen(eq=False)
class Function:
    """A kernel or a device function.

    Attributes:
        is_kernel: True for an `.entry`.
        labels: the number of the instruction that each label stands before.
        tables: the labels of each table of targets.
        registers: the type of each register, by its name.
        most_threads: of a block, if it says so.
        cluster: the blocks of a cluster along each axis, if it says so.
    """

    name: str
    line: int
    is_kernel: bool
    parameters: tuple[Parameter, ...]
    results: tuple[Parameter, ...]
    instructions: tuple[Instruction, ...]
    labels: Mapping[str, int]
    tables: Mapping[str, tuple[str, ...]]
    registers: Mapping[str, str]
    variables: tuple[Variable, ...]
    most_threads: int | None = None
    cluster: Three | None = None


@frozen(eq=False)
class Module:
    """A whole text.

    Attributes:
        files: the path of each numbered source file.
        target: such as `sm_90`.
        functions: by name, in order; those that are only declared are not among them.
        variables: in memory of the device, by name.
    """

    path: str
    lines: tuple[str, ...]
    files: Mapping[int, str]
    target: str
    functions: Mapping[str, Function]
    variables: Mapping[str, Variable]

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of its kernels, in order."""
        return tuple(name for name, each in self.functions.items() if each.is_kernel)

    def instructions(self) -> Iterator[Instruction]:
        """Return those of all functions."""
        for each in self.functions.values():
            yield from each.instructions
