"""Proves exercises, which takes processes and seconds: by the emulator, then on a GPU if wanted.

What does not hold becomes a problem with its place; the rules are those of `quizapp.exercises`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from grader import kernels as kernel_grader
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import LocatedQuestion
from quizapp.domain.languages import languages_of
from quizapp.domain.question import CodeLanguage, Dialect, Kernel
from quizapp.exercises import gpu_proofs
from quizapp.exercises import proofs as emulator_proofs
from quizapp.exercises.faults import FieldFault

if TYPE_CHECKING:
    from grader.gpu import Gpu
    from grader.kernels import Referee
    from quizapp.exercises.gpu_proofs import GpuProofs
    from quizapp.exercises.kernel_proofs import Proof

Progress = Callable[[int, int, str], None]
"""Told before each question is proven, and on a GPU before each submission: how many questions
were, of how many, and its id."""


@dataclass(frozen=True, slots=True)
class EmulatorProofs:
    """A kernel question, by its id, and every submission that was graded to prove it."""

    question: str
    proofs: tuple[Proof, ...]

    @property
    def solved(self) -> Iterator[tuple[str, Dialect]]:
        """The question with each language in which its solution passes."""
        for proof in self.proofs:
            if proof.role == "solution" and proof.fault is None:
                yield self.question, proof.language


@dataclass(frozen=True, slots=True)
class DeviceProofs:
    """A kernel question, by its id, and what a GPU says; None: the emulator fails its solution."""

    question: str
    language: CodeLanguage
    proofs: GpuProofs | None


@dataclass(frozen=True, slots=True)
class ProofResults:
    """What came of it: what does not hold, and what was graded by the emulator and on a GPU."""

    problems: tuple[ContentProblem, ...]
    proven: tuple[EmulatorProofs, ...]
    measured: tuple[DeviceProofs, ...]


def prove(
    found: Sequence[LocatedQuestion], progress: Progress | None = None, gpu: Gpu | None = None
) -> ProofResults:
    """Compute all that can be computed of the exercises among some questions.

    Raises GpuFailed: there is no GPU any more.
    """
    told = progress or report_nothing
    problems: list[ContentProblem] = []
    proven: list[EmulatorProofs] = []
    measured: list[DeviceProofs] = []
    with kernel_grader.Referee() as referee:
        for number, item in enumerate(found):
            told(number, len(found), item.id)
            referee.author = item.source.file.pack
            proven_item, faults = _prove_emulated(item, referee)
            problems += _problems(item, faults)
            if proven_item.proofs:
                proven.append(proven_item)
        if gpu is not None:
            solved = {solved for proofs in proven for solved in proofs.solved}
            for item, language, proofs in _prove_on_gpus(found, solved, (gpu, referee), told):
                problems += _problems(item, () if proofs is None else proofs.faults)
                measured.append(DeviceProofs(item.id, language, proofs))
    return ProofResults(tuple(problems), tuple(proven), tuple(measured))


def report_nothing(done: int, total: int, name: str) -> None:
    """Report nothing."""


def _prove_emulated(
    item: LocatedQuestion, referee: Referee
) -> tuple[EmulatorProofs, list[FieldFault]]:
    """Grade what proves a question; return it with what does not hold."""
    proofs: list[Proof] = []
    found = list(emulator_proofs.faults(item.question, referee, proofs.append))
    return EmulatorProofs(item.id, tuple(proofs)), found


def _prove_on_gpus(
    found: Sequence[LocatedQuestion],
    solved: Set[tuple[str, Dialect]],
    by: tuple[Gpu, Referee],
    told: Progress,
) -> Iterator[tuple[LocatedQuestion, CodeLanguage, GpuProofs | None]]:
    """Yield each kernel with a GPU part in each language, with the GPU's results.

    What the emulator fails has none.
    """
    kernels = [
        (item, question, language)
        for item, question in ((item, item.question) for item in found)
        if isinstance(question, Kernel) and question.gpu
        for language in languages_of(question)
    ]
    for number, (item, question, language) in enumerate(kernels):
        say = partial(_say, told, number, len(kernels), f"{item.id} ({language})")
        passed = (item.id, language) in solved
        by[1].author = item.source.file.pack
        proofs = gpu_proofs.gpu_proofs(question, language, *by, say) if passed else None
        yield item, language, proofs


def _say(told: Progress, done: int, total: int, question: str, submission: str) -> None:
    told(done, total, f"{question} on the GPU: {submission}")


def _problems(item: LocatedQuestion, faults: Iterable[FieldFault]) -> Iterator[ContentProblem]:
    """Yield faults of a question with their places in its file."""
    for fault in faults:
        yield item.source.problem(fault, item.id)
