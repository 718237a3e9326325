"""Somebody new who is asked every shipped question of a kind, one after the other."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.data import QUIZ, Data, environment
from bench.figures import note
from bench.person import Person
from bench.start import READING_S
from bench.terminal import Terminal
from quizapp.deck.deck import load


class Sitting(NamedTuple):
    """A question on the terminal, with who sits there."""

    person: Person
    terminal: Terminal


def ask_all(kind: str, group: str) -> Iterator[Sitting]:
    """Ask them all; whoever iterates ends each question. `group` names the benchmark in notes."""
    with tempfile.TemporaryDirectory(prefix="quiz-bench-") as folder:
        home = Path(folder)
        (home / "config.toml").write_text("welcomed = true\n")
        fresh = Data(home / "none", home)
        deck = load(fresh.roots, str(home / "cache" / "deck"))
        many = sum(entry.kind == kind for entry in deck.entries.values())
        command = [QUIZ, "start", "--kind", kind, "--new", str(many)]
        with Terminal(command, environment(home)) as terminal:
            terminal.wait_for("enter")
            person = Person(fresh, str(home), terminal)
            terminal.quiet(READING_S)
            for number in range(many):
                person.go_on()
                note(f"{group} … {kind} {number + 1} of {many}: {person.question}")
                terminal.quiet(READING_S)
                yield Sitting(person, terminal)
