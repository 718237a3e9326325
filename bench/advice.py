"""How often the emulator finds a change that removes a fault, over faulty kernels of the project.

Those are the mutations of clean kernels in CUDA C++ (`tests/data/kernels/cuda`), and the wrong
kernels of the deck, in both languages, that fail with a finding. A fault has advice if its own, or
that of another fault of the launch, removes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from bench.data import Data
from bench.figures import Figure
from bench.gpu.cuda.programs import CONTENT
from grader.kernels import grade
from grader.kernels.reference import ReferenceOutputs
from grader.simt import Finding, SimtError
from grader.simt.repairs import relaunching
from grader.simt.repairs.proving import RepairTrials
from quizapp.deck import index
from quizapp.deck.compiler import compile_deck
from quizapp.deck.deck import Deck
from quizapp.domain.languages import languages_of, put_in
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import problem
from tests.grader.simt.cuda.fault_corpus import mutations

Row = tuple[str, str, Sequence[Finding], RepairTrials]
"""Corpus, kernel, findings, and what was tried."""


def measure(_data: Data, repeat: int = 1) -> list[Figure]:
    """The share of faults with advice; `repeat` is not used, since nothing of it varies."""
    del repeat
    rows = [*_mutations(), *_wrong_kernels()]
    return [
        _figure(corpus, [row for row in rows if row[0] == corpus])
        for corpus in dict.fromkeys(row[0] for row in rows)
    ]


def _figure(corpus: str, rows: Sequence[Row]) -> Figure:
    faults, removed = Counter[str](), Counter[str]()
    for _, _, findings, _ in rows:
        gone = {
            (effect.subject, effect.line, effect.array)
            for each in findings
            if each.advice
            for effect in each.advice.effects
        }
        for each in findings:
            if each.kind != "warning":
                faults[each.kind] += 1
                removed[each.kind] += (each.kind, each.line, each.array) in gone
    tried = sum(trials.tried for *_, trials in rows)
    proven = sum(trials.proven for *_, trials in rows)
    by_kind = ", ".join(f"{kind} {removed[kind]} of {n}" for kind, n in faults.most_common())
    said = f"{tried:,} changes tried, {proven:,} proven, {tried - proven:,} dropped"
    share = 100 * sum(removed.values()) / max(1, sum(faults.values()))
    what = f"faults with a proven change, {corpus} ({len(rows)} kernels)"
    return Figure("advice", what, share, None, "%", f"{said}; {by_kind}")


@contextmanager
def _watch() -> Iterator[list[RepairTrials]]:
    """Note what is tried."""
    seen: list[RepairTrials] = []
    prove: Callable[..., Any] = relaunching.advise

    def watched(*given: Any) -> Any:
        findings, trials = prove(*given)
        seen.append(trials)
        return findings, trials

    with mock.patch.object(relaunching, "advise", watched):
        yield seen


def _mutations() -> Iterator[Row]:
    for each in mutations():
        try:
            advised = each.kernel.advise(each.text)
        except SimtError:
            continue
        yield "mutations in CUDA C++", each.edit, advised.findings, advised.trials


def _wrong_kernels() -> Iterator[Row]:
    deck = Deck(compile_deck(index.sources([str(CONTENT)])).compiled)
    for entry in deck.entries.values():
        question = deck.question(entry.id)
        if not isinstance(question, Kernel):
            continue
        for language in languages_of(question):
            put = put_in(question, language)
            asked = problem(put)
            expected = ReferenceOutputs(asked)
            for wrong in put.wrong:
                with _watch() as seen:
                    graded = grade(asked, wrong.source or "", expected)
                if seen:
                    findings = next(ran.findings for ran in graded.runs if ran.faults)
                    yield (
                        f"wrong kernels, {language}",
                        f"{entry.id} {wrong.file}",
                        findings,
                        seen[-1],
                    )
