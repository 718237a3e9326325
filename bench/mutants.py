"""Mutants of the shipped deck: how many its inputs kill, question by question.

Takes what `quiz lint --mutants` has kept in the person's cache, and runs what is not there.
"""

from __future__ import annotations

from typing import Any

from bench.data import Data
from bench.figures import Figure, note
from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import sources
from quizapp.deck.mutating import QuestionMutants, mutate
from quizapp.exercises.mutants import MOST_EXCUSED
from quizapp.system.paths import find_paths, shipped_content

_WORST = 5


def measure(_data: Data, **_options: Any) -> list[Figure]:
    """The mutants that survive, with the worst questions first, and the share that is excused."""
    found = compile_deck(sources([str(shipped_content())])).found
    _, mutated = mutate(found, find_paths().mutant_cache, _tell)
    by_survivors = sorted(mutated, key=lambda each: -each.count("survived", "crashed"))
    made = sum(each.count() for each in mutated)
    alive = sum(each.count("survived", "crashed") for each in mutated)
    excused = sum(each.count("excused") for each in mutated)
    worst = "; ".join(map(_row, by_survivors[:_WORST]))
    rows = "; ".join(map(_row, mutated))
    return [
        Figure("mutants", f"survivors of {made:,} mutants; worst first", alive, 0, "", worst),
        Figure(
            "mutants", f"{excused:,} are excused", 100 * excused / max(made, 1),
            100 * MOST_EXCUSED, "%", rows,
        ),
    ]  # fmt: skip


def _row(each: QuestionMutants) -> str:
    return (
        f"{each.question.partition('/')[2]:<34} {each.count():>4} made, {each.count('killed'):>4} "
        f"killed, {each.count('excused'):>2} excused, {each.count('survived', 'crashed'):>2} alive"
    )


def _tell(done: int, total: int, name: str) -> None:
    note(f"  {name}: {done} of {total}")
