"""What home shows, and what a session is narrowed to: frozen values.

Home is drawn from kept ones before the study is open, so this imports nothing of it: types of
questions and of the schedule take 25 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Filter:
    """What a session is narrowed to; `limit` counts questions, `new` replaces the daily limit.

    `questions`: exactly these, in this order; `failed`: exactly those rated Again today or on the
    study day before; `guided`: the first of each kind in the default order, which explains the
    kinds. Of them what is neither due nor new is asked as practice. `practice`: all of the
    selection is, any number of times, and no schedule and no limit knows of it. A pack that is
    switched off is asked only by name, `pack` or `questions`, and as practice.
    """

    topic: str | None = None
    kind: str | None = None
    limit: int | None = None
    new: int | None = None
    questions: tuple[str, ...] = ()
    failed: bool = False
    practice: bool = False
    guided: bool = False
    pack: str | None = None

    @property
    def is_chosen(self) -> bool:
        """True if the day's queue and its limits do not decide what is asked."""
        return bool(self.questions) or self.failed or self.practice or self.guided

    @property
    def narrows(self) -> bool:
        """True if it is of a part of the deck."""
        return any((self.pack, self.topic, self.kind))

    @property
    def by_schedule(self) -> Filter:
        """The same topic, kind and limits, for the day's queue."""
        return replace(self, questions=(), failed=False, practice=False, guided=False)


_FEW_SEEN = 5


@dataclass(frozen=True, slots=True)
class TopicRow:
    """One topic of one pack; without a topic the sum of a pack, without a pack of all of them.

    `names`: what it is called, in English and in Chinese. `known`: mean chance, 0–1, to recall its
    questions now, unseen ones as 0. `due`, `new`: what could be asked today; 0 of a pack that is
    not `on`. `resting`: reviews of such a pack that would be due.
    """

    pack: str
    topic: str
    names: tuple[str, str]
    questions: int
    seen: int
    known: float
    due: int
    new: int
    hardest: str = ""
    on: bool = True
    resting: int = 0

    @property
    def is_pack(self) -> bool:
        """True for the sum of one pack."""
        return bool(self.pack) and not self.topic

    @property
    def is_thin(self) -> bool:
        """True if so few questions were answered that `known` says little."""
        return self.seen < _FEW_SEEN


@dataclass(frozen=True, slots=True)
class Home:
    """What the home screen shows of a selection of questions. Days are study days.

    `due`, `new` and `minutes` are of `asked` today, within the day's limits; `whole` sums the
    rows of `topics`, which know no limits, and `packs` those of each pack; one that is off has no
    rows in `topics`. `streak`: study days in a row. `held_back`: by pack, how
    many questions are skipped until the person agrees to their Python. `planned`: how many of the
    unseen fit into the plan; None without one. `overdue_minutes`: of reviews that new questions
    wait for; 0 if they do not. `narrowed`: to a pack, a topic or a kind. `shown_minutes`: rounded,
    and no more than the day has; `runs_over`: the last question is expected to end later.
    """

    day: int
    streak: int
    due: int
    new: int
    unseen: int
    questions: int
    minutes: int
    next_due_day: int | None
    next_due: int
    asked: frozenset[str]
    left_out: int
    held_back: Mapping[str, int]
    whole: TopicRow
    packs: tuple[TopicRow, ...]
    topics: tuple[TopicRow, ...]
    drafts: int
    interview_in: int | None = None
    forecast: float | None = None
    planned: int | None = None
    overdue_minutes: int = 0
    narrowed: bool = False
    shown_minutes: int = 0
    runs_over: bool = False
