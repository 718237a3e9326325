"""What the preview knows of a file: its questions laid open, and what is wrong with it.

Reading is separate from showing, so that a broken state of the file can be merged with a good one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quizapp.deck.compile import compile_deck
from quizapp.deck.lint import files_at, lint
from quizapp.deck.problems import Problem
from quizapp.domain.projection import Card
from quizapp.errors import Ungraded
from quizapp.study.browsing import examined, revealed
from quizapp.study.examiner import Examiner
from quizapp.study.trial import Trial


@dataclass(frozen=True, slots=True)
class Picture:
    """What a file holds: its questions laid open, and what is wrong. `kept`: some are older."""

    trials: tuple[Trial, ...] = ()
    problems: tuple[Problem, ...] = ()
    kept: bool = False

    @property
    def names(self) -> list[str]:
        """The ids of the questions."""
        return [trial.asked.entry.id for trial in self.trials]


def read(path: Path, roots: Sequence[str], examiner: Examiner) -> Picture:
    """The file as it is now; problems are those of `quiz lint`.

    Raises:
        UsageError, OSError: it is not there, or cannot be read.
    """
    problems = lint([path], roots).problems
    result = compile_deck(list(files_at(path, roots)))
    pairs = zip(result.compiled.entries, result.found, strict=True)
    trials = tuple(
        _laid_open(revealed(entry, item.question, Card(entry.id)), examiner)
        for entry, item in pairs
    )
    return Picture(trials, problems)


def _laid_open(trial: Trial, examiner: Examiner) -> Trial:
    """With what the emulator says; without where it says nothing, which is one of the problems."""
    try:
        return examined(trial, examiner)
    except Ungraded:
        return trial


def merged(before: Picture, now: Picture) -> Picture:
    """The new picture, where a question that is broken now stays as it was."""
    if not now.trials:
        return replace(now, trials=before.trials, kept=bool(before.trials))
    broken = {problem.question for problem in now.problems} - set(now.names)
    fresh = dict(zip(now.names, now.trials, strict=True))
    old = dict(zip(before.names, before.trials, strict=True))
    kept = [name for name in before.names if name in broken]
    if not kept:
        return now
    order = [name for name in before.names if name in fresh or name in broken]
    order += [name for name in now.names if name not in old]
    trials = tuple(fresh[name] if name in fresh else old[name] for name in order)
    return replace(now, trials=trials, kept=True)
