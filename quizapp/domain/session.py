"""Which question comes next: a day's queue as a pure function of cards, limits and what was asked.

The state is a value; `next_item` draws, `answered` gives the state after. Nothing here reads the
store, so a restarted program rebuilds the same session from the day's cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from quizapp.domain.projection import Card
from quizapp.domain.rating import Rating

REPEAT_AFTER = 3
"""A question answered wrong returns after this many others, or at the end if there are fewer."""


class Stage(StrEnum):
    """Why a question is asked now."""

    NEW = "new"
    REVIEW = "review"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question of the deck as far as the queue cares."""

    question: str
    topic: str
    requires: tuple[str, ...]
    rev: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How many more new questions and reviews this day may bring."""

    new: int
    reviews: int


@dataclass(frozen=True, slots=True)
class Item:
    """One place in the queue."""

    question: str
    topic: str
    stage: Stage


@dataclass(frozen=True, slots=True)
class Session:
    """The queue: what waits, what returns (and after how many answers), the last topic."""

    waiting: tuple[Item, ...]
    returning: tuple[tuple[int, Item], ...] = ()
    asked: int = 0
    last_topic: str | None = None

    @property
    def left(self) -> int:
        """How many questions are still to come."""
        return len(self.waiting) + len(self.returning)


def stage_of(candidate: Candidate, card: Card | None, day: int) -> Stage | None:
    """Why this question could be asked on `day`; None when it should not be."""
    if card is None:
        return Stage.NEW
    if card.suspended or (card.buried_until is not None and card.buried_until > day):
        return None
    if card.memory is None:
        return Stage.NEW
    if card.again_day == day:
        return Stage.REPEAT
    if card.memory.last_day >= day:
        return None
    if card.memory.due_day <= day or card.rev < candidate.rev:
        return Stage.REVIEW
    return None


def unlocked(candidate: Candidate, cards: Mapping[str, Card], known: frozenset[str]) -> bool:
    """Whether all it requires was answered right once; what the deck lacks holds nothing back."""
    return all(
        (card := cards.get(needed)) is not None and card.passed
        for needed in candidate.requires
        if needed in known
    )


def build(
    candidates: Sequence[Candidate],
    cards: Mapping[str, Card],
    limits: Limits,
    day: int,
    known: frozenset[str] | None = None,
) -> Session:
    """The queue of `day`: repeats, then reviews (longest overdue first), new ones among them.

    `known`: all questions there are, where `candidates` is only a part of them.
    """
    known = frozenset(c.question for c in candidates) if known is None else known
    staged = [(c, stage_of(c, cards.get(c.question), day)) for c in candidates]
    repeats = [_item(c, Stage.REPEAT) for c, stage in staged if stage is Stage.REPEAT]
    reviews = [c for c, stage in staged if stage is Stage.REVIEW]
    reviews.sort(key=lambda c: _due_day(cards[c.question]))
    fresh = [c for c, stage in staged if stage is Stage.NEW and unlocked(c, cards, known)]
    waiting = _spread(
        [_item(c, Stage.REVIEW) for c in reviews[: max(0, limits.reviews)]],
        [_item(c, Stage.NEW) for c in fresh[: max(0, limits.new)]],
    )
    return Session(waiting, tuple((0, item) for item in repeats))


def next_item(session: Session) -> Item | None:
    """The next question: one whose time to return has come, else the first on another topic."""
    ready = [item for after, item in session.returning if after <= session.asked]
    for items in (ready, session.waiting):
        for item in items:
            if item.topic != session.last_topic:
                return item
    for items in (ready, session.waiting, tuple(item for _, item in session.returning)):
        if items:
            return items[0]
    return None


def answered(session: Session, item: Item, rating: Rating) -> Session:
    """The queue after `item` was answered; Again puts it back a few questions later."""
    after = _without(session, item.question)
    after = replace(after, asked=session.asked + 1, last_topic=item.topic)
    return _returning(after, item) if rating is Rating.AGAIN else after


def dropped(session: Session, question: str) -> Session:
    """The queue without a question (buried, suspended, deleted)."""
    return _without(session, question)


def rerated(session: Session, item: Item, rating: Rating) -> Session:
    """The queue after the last answer's rating was overridden."""
    after = _without(session, item.question)
    return _returning(after, item) if rating is Rating.AGAIN else after


def put_back(session: Session, item: Item, *, answer: bool) -> Session:
    """The queue with `item` in front again; `answer`: what was undone is an answer to it."""
    rest = _without(session, item.question)
    asked = max(0, rest.asked - 1) if answer else rest.asked
    return replace(rest, returning=((0, item), *rest.returning), asked=asked, last_topic=None)


def shortened(session: Session, limit: int) -> Session:
    """The first `limit` questions of the queue in the order they would be asked."""
    drawn: list[Item] = []
    rest = session
    while len(drawn) < limit and (item := next_item(rest)) is not None:
        drawn.append(item)
        rest = answered(rest, item, Rating.GOOD)
    kept = frozenset(drawn)
    return replace(
        session,
        waiting=tuple(item for item in drawn if item in session.waiting),
        returning=tuple((n, item) for n, item in session.returning if item in kept),
    )


def _returning(session: Session, item: Item) -> Session:
    """The queue with `item` due again a few answers from now."""
    entry = (session.asked + REPEAT_AFTER, replace(item, stage=Stage.REPEAT))
    return replace(session, returning=(*session.returning, entry))


def _item(candidate: Candidate, stage: Stage) -> Item:
    return Item(candidate.question, candidate.topic, stage)


def _due_day(card: Card) -> int:
    return card.memory.due_day if card.memory is not None else 0


def _without(session: Session, question: str) -> Session:
    return replace(
        session,
        waiting=tuple(i for i in session.waiting if i.question != question),
        returning=tuple((n, i) for n, i in session.returning if i.question != question),
    )


def _spread(reviews: Sequence[Item], fresh: Sequence[Item]) -> tuple[Item, ...]:
    """Both lists merged evenly, each in its own order, reviews first."""
    placed: Iterable[tuple[float, int, Item]] = (
        *(((i + 0.5) / len(reviews), 0, item) for i, item in enumerate(reviews)),
        *(((i + 0.5) / len(fresh), 1, item) for i, item in enumerate(fresh)),
    )
    return tuple(item for _, _, item in sorted(placed, key=lambda entry: entry[:2]))
