"""What the preview knows of a file: its questions with everything shown, and what is wrong.

Reading is separate from showing, so that a broken state of the file can be merged with a good one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quizapp.deck.compiler import compile_deck
from quizapp.deck.index import CompiledDeck, ContentRoot
from quizapp.deck.linting.lint import files_at, lint
from quizapp.deck.problems import ContentProblem
from quizapp.domain.errors import Ungraded
from quizapp.domain.log.projection import Card
from quizapp.domain.question import AnyQuestion
from quizapp.study.browsing import RevealedAnswer, examine, reveal
from quizapp.study.examiner import Examiner
from quizapp.study.sessions.drawing import linked_ids


@dataclass(frozen=True, slots=True)
class Picture:
    """What a file holds: its questions with everything shown, and what is wrong.

    `kept` is True if some of them are of an earlier state of the file.
    """

    questions: tuple[RevealedAnswer, ...] = ()
    problems: tuple[ContentProblem, ...] = ()
    kept: bool = False

    @property
    def names(self) -> list[str]:
        """The ids of the questions."""
        return [question.turn.entry.id for question in self.questions]


def read(
    path: Path,
    roots: Sequence[str | ContentRoot],
    examiner: Examiner,
    earlier: CompiledDeck | None = None,
) -> Picture:
    """Read the file as it is now; problems are those of `quiz lint`.

    `roots`: folders of packs, which are known too. `earlier`: a deck of these roots; what beside
    the file is as it was is not read again.

    Raises UsageError, OSError: it is not there, or cannot be read.
    """
    report = lint([path], roots, earlier=earlier)
    result = compile_deck(list(files_at(path, roots)))
    pairs = zip(result.compiled.entries, result.found, strict=True)
    shown = (reveal(entry, item.question, Card(entry.id)) for entry, item in pairs)
    questions = tuple(_examine(_link(question, report.known), examiner) for question in shown)
    return Picture(questions, report.problems)


def _link(question: RevealedAnswer, known: Mapping[str, AnyQuestion]) -> RevealedAnswer:
    """Add the questions that its follow-ups name."""
    turn = question.turn
    ids = linked_ids(turn.entry.pack, turn.question).items()
    linked = {name: known[whole] for name, whole in ids if whole in known}
    return replace(question, turn=replace(turn, linked=linked))


def _examine(question: RevealedAnswer, examiner: Examiner) -> RevealedAnswer:
    """Add what the emulator says; its failure to answer is one of the problems."""
    try:
        return replace(question, attempt=examine(question.attempt, examiner))
    except Ungraded:
        return question


def merge(before: Picture, now: Picture) -> Picture:
    """Merge the new picture with the old: a question that is broken now stays as it was."""
    if not now.questions:
        return replace(now, questions=before.questions, kept=bool(before.questions))
    broken = {problem.question for problem in now.problems} - set(now.names)
    fresh = dict(zip(now.names, now.questions, strict=True))
    old = dict(zip(before.names, before.questions, strict=True))
    kept = [name for name in before.names if name in broken]
    if not kept:
        return now
    order = [name for name in before.names if name in fresh or name in broken]
    order += [name for name in now.names if name not in old]
    questions = tuple(fresh[name] if name in fresh else old[name] for name in order)
    return replace(now, questions=questions, kept=True)
