"""Draws typed expressions from tables of forms, and the variables that a kernel stores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

WORDS = 4
"""Of each input, by thread."""
_HOLE = re.compile(r"\$(\w+)")
_LIST = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_LEAVES = 0.4
"""How often an operand is a variable or an input, where it could be an expression."""


class Shown(NamedTuple):
    """A type of variables.

    Attributes:
        leaf: a value of it, made from inputs.
        words: what a kernel stores of a variable `@`: unsigned numbers of 32 bits.
    """

    leaf: str
    words: tuple[str, ...]


def read_forms(text: str) -> dict[str, list[str]]:
    """Read a table with a form in each line, `result: expression`, by the types of results."""
    forms: dict[str, list[str]] = {}
    for line in text.strip().splitlines():
        kind, _, form = line.strip().partition(": ")
        forms.setdefault(kind, []).append(form)
    return forms


@dataclass(eq=False)
class Writer:
    """Writes the body of one kernel.

    Attributes:
        lines: what is written so far.
        variables: names by type, which later expressions read.
        before: declarations in front of the kernel.
        faults: single edits that make it wrong: what is written, and instead of it.
        cluster: blocks of a cluster, if there are clusters.
        inputs: declarations of what it reads of its inputs, by their names: each is loaded once.
    """

    random: Random
    types: Mapping[str, Shown]
    forms: Mapping[str, list[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    variables: dict[str, list[str]] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    cluster: int = 0
    inputs: dict[str, str] = field(default_factory=dict)
    _names: int = 0

    def write(self, text: str) -> None:
        """Write lines."""
        self.lines.extend(text.strip("\n").splitlines())

    def wrong_if(self, old: str, new: str = "") -> None:
        """Note a fault."""
        self.faults.append((old, new))

    def name(self) -> str:
        """Return a name that nothing has."""
        self._names += 1
        return f"v{self._names}"

    def pick(self, *choices: str) -> str:
        """Return one of them."""
        return self.random.choice(choices)

    def leaf(self, kind: str) -> str:
        """Return a value made from inputs."""
        return self.fill(self.types[kind].leaf, self.input)

    def input(self, hole: str) -> str:
        """Return an input, or a literal."""
        literals = {
            "small": str(self.random.randrange(32)),
            "byte": f"0x{self.random.randrange(256):02x}",
            "word": f"0x{self.random.getrandbits(32):08x}u",
            "nibbles": f"0x{self.random.getrandbits(16) & 0x7777:04x}",
        }
        return literals.get(hole) or self._loaded(hole == "f")

    def _loaded(self, real: bool) -> str:  # noqa: FBT001 - of the two inputs
        at, by_row = self.random.randrange(WORDS), self.random.random() < 0.5
        array, kind = ("x", "float") if real else ("a", "unsigned")
        name = f"{array}{at}{'r' if by_row else 'c'}"
        index = f"i * {WORDS} + {at}" if by_row else f"{at} * n + i"
        self.inputs[name] = f"const {kind} {name} = {array}[{index}];"
        return name

    def all_read(self) -> list[str]:
        """Return a word of all inputs, so that a compiler drops none; none if there are none."""
        words = [name if name[0] == "a" else f"bits({name})" for name in sorted(self.inputs)]
        return [" ^ ".join(words)] if words else []

    def fill(self, form: str, fill: Callable[[str], str]) -> str:
        """Fill the holes of a form, and choose among its lists."""
        chosen = _LIST.sub(lambda found: self.random.choice(found[1].split("|")), form)
        return _HOLE.sub(lambda found: fill(found[1]), chosen)

    def value(self, kind: str, depth: int) -> str:
        """Return an expression."""
        known = self.variables.get(kind, [])
        if depth <= 0 or kind not in self.forms or self.random.random() < _LEAVES - 0.1 * depth:
            if known and self.random.random() < 0.7:
                return self.random.choice(known)
            return self.leaf(kind)
        form = self.random.choice(self.forms[kind])
        return self.fill_with_values(form, depth - 1)

    def fill_with_values(self, form: str, depth: int = 1) -> str:
        """Fill the holes of a form with expressions."""
        return self.fill(form, lambda hole: self.operand(hole, depth))

    def operand(self, hole: str, depth: int) -> str:
        """Return what fills a hole of a form."""
        return self.value(hole, depth) if hole in self.types else self.input(hole)

    def declare(self, kind: str, value: str | None = None, depth: int = 3) -> str:
        """Declare a variable; return its name."""
        name = self.name()
        self.write(f"{kind} {name} = {value or self.value(kind, depth)};")
        self.variables.setdefault(kind, []).append(name)
        return name

    def declare_some(self, kinds: Iterable[str], count: int, depth: int = 3) -> None:
        """Declare variables of any of these types, one of each at least."""
        every = list(kinds)
        drawn = every + [self.random.choice(every) for _ in range(count - len(every))]
        for kind in drawn:
            self.declare(kind, depth=depth)

    def shown(self, most: int) -> list[str]:
        """Return the words of the variables that were declared last."""
        found = [
            word.replace("@", name)
            for kind, names in self.variables.items()
            for name in names
            for word in self.types[kind].words
        ]
        return self.random.sample(found, most) if len(found) > most else found
