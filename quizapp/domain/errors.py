"""Every error a person can meet, as one tree; each class fixes the exit status.

    QuizError                     exit status
    ├── UsageError                2   the command was called in a way that cannot work
    │   ├── UnknownTopic
    │   ├── UnknownPack
    │   ├── UnknownQuestion
    │   └── BadSetting
    ├── DataError                 3   content or stored progress cannot be used as it is
    │   ├── BadImport
    │   ├── BadPack
    │   ├── DeckError
    │   ├── UnaskableQuestion
    │   ├── NotAgreed
    │   ├── Ungraded
    │   │   └── Cancelled
    │   └── StoreError
    │       ├── StoreLocked
    │       ├── StoreReadOnly
    │       ├── StoreFull
    │       ├── StoreDamaged
    │       │   └── StoreLost
    │       └── StoreTooNew
    └── EnvironmentProblem        4   the surroundings lack something: a terminal, a folder

A message says what happened, where, and what to do next. Findings of `quiz lint` are not errors but
`quizapp.deck.problems.Problem` values, and end in status 1. A script that `quiz profile` ran and
that failed has said why itself: status 5.
"""

from __future__ import annotations

from grader import facts

OK = 0
FINDINGS = 1
USAGE = 2
DATA = 3
ENVIRONMENT = 4
SCRIPT = 5
INTERRUPTED = 130
TERMINATED = 143


class QuizError(Exception):
    """Base of the tree: what happened and, if the catalogue has no `.hint` for it, what to do."""

    exit_status = DATA

    def __init__(self, what: facts.Fact, hint: facts.Fact | None = None) -> None:
        self.what = what
        self.hint = hint
        super().__init__(what)

    def __str__(self) -> str:
        """What happened and, where known, what to do; for logs, a reader gets sentences."""
        return f"{self.what}\n{self.hint}" if self.hint else str(self.what)


class UsageError(QuizError):
    """The command was called in a way that cannot work."""

    exit_status = USAGE


class UnknownTopic(UsageError):
    """No question has this topic."""


class UnknownPack(UsageError):
    """No pack of this id has a question."""


class UnknownQuestion(UsageError):
    """No question has this id."""


class BadSetting(UsageError):
    """A configuration key or value is not one that exists."""


class DataError(QuizError):
    """Content or stored progress cannot be used as it is."""

    exit_status = DATA


class BadImport(DataError):
    """A file cannot be imported; nothing was changed."""


class BadPack(DataError):
    """A pack cannot be installed; nothing was changed."""


class DeckError(DataError):
    """The content cannot be read at all."""


class UnaskableQuestion(DataError):
    """A question cannot be computed; it is left out of the session, its progress stays."""

    def __init__(self, question: str, what: facts.Fact) -> None:
        super().__init__(facts.fact("error.unaskable", question=question, reason=what))


class NotAgreed(DataError):
    """A pack that is not the person's would run Python, and they have not agreed to it."""

    def __init__(self, pack: str, what: facts.Fact) -> None:
        super().__init__(what, facts.fact("error.not-agreed.hint", pack=pack))


class Ungraded(DataError):
    """A submission has no verdict: the grading ended, or its question is at fault."""


class Cancelled(Ungraded):
    """The person ended the grading."""


class StoreError(DataError):
    """The database cannot do what was asked; it is unchanged."""


class StoreLocked(StoreError):
    """Another program holds the database for longer than we wait."""


class StoreReadOnly(StoreError):
    """The data folder or the database cannot be written."""


class StoreFull(StoreError):
    """The disk is full: what was to be written is still in memory and can be tried again."""


class StoreDamaged(StoreError):
    """The file is not a database, or its pages are inconsistent."""


class StoreLost(StoreDamaged):
    """The file is empty, or holds fewer events than its newest backup."""


class StoreTooNew(StoreError):
    """A newer version of quiz wrote this database."""


class EnvironmentProblem(QuizError):
    """The surroundings lack something the command needs."""

    exit_status = ENVIRONMENT
