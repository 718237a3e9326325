"""What every grader returns: gates in order, each passed, failed or not reached. Values alone.

A gate that failed has a reason and a hint, each a fact, and where it is about a number the bounds
and the number itself. A deck lists the gate a wrong answer fails at, by `name` and `subject`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from grader.facts import Fact
from grader.wire import Count, Text, Whole

GateState = Literal["passed", "failed", "not reached"]
BEFORE_RUNNING = frozenset({"source", "compiles"})
"""Gates at which a submission fails before it runs: of layouts and kernels, and of a GPU."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One check of a submission.

    Attributes:
        name: which check, the same word always: `one slot`, `wavefronts`.
        state: whether it passed, failed, or was not reached.
        subject: what was checked, where a check is made of several: `column load`.
        reason: why it failed, as a fact.
        least, most: what passes, where the gate is about a number; None for no bound.
        count: the number that was counted; also given where a gate passed.
        hint: what to do about it, where the catalogue cannot know it from the reason alone.
        line, column: where in the source, from 1; 0 where no place is to blame.
    """

    name: Text
    state: GateState
    subject: Text = ""
    reason: Fact | None = None
    least: Whole | None = None
    most: Whole | None = None
    count: Count | None = None
    hint: Fact | None = None
    line: Count = 0
    column: Count = 0

    @property
    def key(self) -> str:
        """Name and subject: `wavefronts: column load`."""
        return f"{self.name}: {self.subject}" if self.subject else self.name


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gates of a submission, in order."""

    gates: tuple[Gate, ...]

    @property
    def passed(self) -> bool:
        """True if every gate passed."""
        return all(gate.state == "passed" for gate in self.gates)

    @property
    def failure(self) -> Gate | None:
        """The first gate that failed."""
        return next((gate for gate in self.gates if gate.state == "failed"), None)

    @property
    def failed_at(self) -> str:
        """Its key; empty if every gate was passed."""
        return self.failure.key if self.failure else ""

    @property
    def ran(self) -> bool:
        """False if the submission was refused before any of it ran."""
        return self.failure is None or self.failure.name not in BEFORE_RUNNING

    def fails_at(self, gate: str) -> bool:
        """Return True if the first failure is this gate, by its name or its key."""
        return self.failure is not None and names_gate(gate, self.failure.key)


def names_gate(given: str, key: str) -> bool:
    """Return True if what is given is a gate's key, or the name that its key begins with."""
    return given in (key, key.partition(":")[0])


def verdict(come_to: Sequence[Gate], names: Iterable[str]) -> Verdict:
    """Make a verdict: the gates reached, and the others of `names` as not reached.

    Args:
        come_to: in order.
        names: keys of all gates, in order; a name alone also stands for a gate with a subject.
    """
    known = {name for gate in come_to for name in (gate.key, gate.name)}
    return Verdict((*come_to, *(_not_reached_gate(name) for name in names if name not in known)))


def _not_reached_gate(key: str) -> Gate:
    name, _, subject = key.partition(": ")
    return Gate(name, "not reached", subject)
