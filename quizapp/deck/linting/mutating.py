"""Runs the mutants of kernel questions, and keeps what each came to in the person's cache.

A result is found again by the program's version, the problem and the mutant's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.kernels import InvalidProblem, Referee, ReferenceFailed
from quizapp.domain.question import Kernel
from quizapp.exercises.faults import BadExercise, FieldFault
from quizapp.exercises.kernel_proofs import at_fault
from quizapp.exercises.mutants import (
    MutantResult,
    State,
    mutant_faults,
    run_mutants,
    too_many_excused,
)
from quizapp.system.kept_results import keep_results, read_results

if TYPE_CHECKING:
    from quizapp.deck.linting.proving import Progress
    from quizapp.deck.problems import ContentProblem
    from quizapp.deck.question_location import LocatedQuestion


@dataclass(frozen=True, slots=True)
class QuestionMutants:
    """A kernel question, by its id, and its mutants."""

    question: str
    results: tuple[MutantResult, ...]

    def count(self, *states: State) -> int:
        """Count the mutants of these states; of all without any."""
        return sum(not states or result.state in states for result in self.results)


def mutate(
    found: Sequence[LocatedQuestion], cache: Path, told: Progress
) -> tuple[list[ContentProblem], list[QuestionMutants]]:
    """Run the mutants of the kernels among some questions.

    `cache`: the folder where results are kept; made if it is missing. `told`: the progress: mutants
    of a question.
    """
    problems: list[ContentProblem] = []
    mutated: list[QuestionMutants] = []
    with Referee() as referee:
        for item in found:
            if isinstance(item.question, Kernel):
                results, faults = _mutate_one(item.question, referee, cache, told)
                problems += (item.source.problem(fault, item.id) for fault in faults)
                mutated.append(QuestionMutants(item.id, tuple(results)))
    problems += _excess(found, mutated)
    return problems, mutated


def _excess(
    found: Sequence[LocatedQuestion], mutated: Sequence[QuestionMutants]
) -> Iterator[ContentProblem]:
    """Yield the problem of too many excuses, at the question that has most of them."""
    fault = too_many_excused([result for each in mutated for result in each.results])
    if fault is not None:
        worst = max(mutated, key=lambda each: each.count("excused"))
        item = next(item for item in found if item.id == worst.question)
        yield item.source.problem(fault, item.id)


def _mutate_one(
    question: Kernel, referee: Referee, cache: Path, told: Progress
) -> tuple[list[MutantResult], list[FieldFault]]:
    results: list[MutantResult] = []
    name = question.id
    known = read_results(cache, name)
    try:
        results += run_mutants(question, referee, known, partial(_say, told, name))
    except BadExercise as error:
        return results, [error.fault]
    except (InvalidProblem, ReferenceFailed) as error:
        return results, [at_fault(error)]
    finally:
        keep_results(cache, name, known)
    return results, list(mutant_faults(question, results))


def _say(told: Progress, name: str, done: int, total: int) -> None:
    told(done, total, name)
