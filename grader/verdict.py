"""What every grader returns: gates in order, each passed, failed or not reached. Values alone.

A gate that failed says what was expected, what came, a counterexample and a hint, each in words for
the person; `name` and `subject` are for programs (a deck lists the gate a wrong answer fails at).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

State = Literal["passed", "failed", "not reached"]


@dataclass(frozen=True, slots=True)
class Gate:
    """One check of a submission.

    Attributes:
        name: which check, the same word always: `one slot`, `wavefronts`.
        state: whether it was passed, and whether it was come to at all.
        subject: what was checked, where a check is made of several: `column load`.
        expected: what passes.
        came: what was there instead; also given where a gate passed with a figure to show.
        counterexample: the smallest case that shows it.
        hint: what to do about it.
        line, column: where in the source, from 1; 0 where no place is to blame.
    """

    name: str
    state: State
    subject: str = ""
    expected: str = ""
    came: str = ""
    counterexample: str = ""
    hint: str = ""
    line: int = 0
    column: int = 0

    @property
    def key(self) -> str:
        """Name and subject: `wavefronts: column load`."""
        return f"{self.name}: {self.subject}" if self.subject else self.name


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gates of a submission, in the order they are come to."""

    gates: tuple[Gate, ...]

    @property
    def passed(self) -> bool:
        """Whether every gate was."""
        return all(gate.state == "passed" for gate in self.gates)

    @property
    def failure(self) -> Gate | None:
        """The first gate that failed."""
        return next((gate for gate in self.gates if gate.state == "failed"), None)

    @property
    def failed_at(self) -> str:
        """Its key; empty if every gate was passed."""
        return self.failure.key if self.failure else ""

    def fails_at(self, gate: str) -> bool:
        """Whether the first failure is this gate, by its name or its key."""
        failure = self.failure
        return failure is not None and gate in (failure.name, failure.key)


def verdict(come_to: Sequence[Gate], names: Iterable[str]) -> Verdict:
    """The gates come to, and those of `names` that none of them is, as not reached.

    Args:
        come_to: in order.
        names: keys of all gates, in order; a name alone also stands for a gate with a subject.
    """
    known = {name for gate in come_to for name in (gate.key, gate.name)}
    return Verdict((*come_to, *(_not_reached(name) for name in names if name not in known)))


def _not_reached(key: str) -> Gate:
    name, _, subject = key.partition(": ")
    return Gate(name, "not reached", subject)
