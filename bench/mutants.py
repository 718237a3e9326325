"""Mutants of the shipped deck: how many its inputs kill, question by question.

Takes what `quiz lint --mutants` has kept in the person's cache, and runs what is not there.
"""

from __future__ import annotations

from typing import Any

from bench.data import Data
from bench.figures import Figure, note
from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import sources
from quizapp.deck.linting.mutating import QuestionMutants, mutate
from quizapp.exercises.mutants import MOST_EXCUSED
from quizapp.system.paths import find_paths, shipped_content

_WORST = 5


def measure(_data: Data, **_options: Any) -> list[Figure]:
    """The mutants that survive, with the worst five questions, and the share that is excused."""
    found = compile_deck(sources([str(shipped_content())])).found
    _, mutated = mutate(found, find_paths().mutant_cache, _tell)
    order = sorted(mutated, key=lambda each: (-_count_alive(each), -each.count("excused")))
    made = sum(each.count() for each in mutated)
    alive = sum(map(_count_alive, mutated))
    excused = sum(each.count("excused") for each in mutated)
    worst = "; ".join(map(_row, order[:_WORST]))
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
        f"killed, {each.count('excused'):>2} excused, {_count_alive(each):>2} survived"
    )


def _count_alive(each: QuestionMutants) -> int:
    return each.count("survived", "crashed")


def _tell(done: int, total: int, name: str) -> None:
    note(f"  {name}: {done} of {total}")
