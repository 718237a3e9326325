"""Which question comes next: a day's queue as a pure function of cards, limits and what was asked.

The state is a value; `next_item` draws, `answer` gives the state after. Nothing here reads the
store, so a restarted program rebuilds the same queue from the day's cards.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from types import MappingProxyType

from quizapp.domain.log.projection import Card
from quizapp.domain.minutes import NEW_ANSWERS, REPEAT_ANSWERS, REVIEW_ANSWERS, DayMinutes, fill
from quizapp.domain.order import Candidate, interleave, next_apart
from quizapp.domain.rating import Rating
from quizapp.domain.workload import group_by_concept

REPEAT_AFTER = 3
"""A question answered wrong returns after this many others, or at the end if there are fewer.

Each time that it is wrong again it waits twice as long, so that others are asked meanwhile.
"""


class Stage(StrEnum):
    """Why a question is asked now."""

    NEW = "new"
    REVIEW = "review"
    REPEAT = "repeat"
    PRACTICE = "practice"
    """It was chosen, and is neither new nor due: no schedule knows of the answer."""
    INTERVIEW = "interview"
    """A mock interview asks it: no card of the question knows of the answer."""
    PLACEMENT = "placement"
    """A placement asks it: at its end, what is known gets a first schedule."""


_ANSWERS = {Stage.NEW: NEW_ANSWERS, Stage.REVIEW: REVIEW_ANSWERS, Stage.REPEAT: REPEAT_ANSWERS}
"""Answers that a question takes in the mean; of the other stages one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many more new questions and reviews this day may bring.

    `new_of`: how many more new questions of the packs that have a limit of their own. `minutes`:
    what is left of the day's; both numbers hold within them. `later`: reviews that wait for
    a day with more time.
    """

    new: int
    reviews: int
    new_of: Mapping[str, int] = field(default_factory=dict)
    minutes: DayMinutes | None = None
    later: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """One place in the queue.

    `after`: questions that are asked before this one if they wait in the same queue. `failures`:
    how often it was answered wrong in this queue.
    """

    question: str
    topic: str
    stage: Stage
    kind: str = ""
    after: tuple[str, ...] = ()
    failures: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue: what waits, what returns (and after how many answers), and what was asked last.

    `first`: asked before all else, as it stands. `in_order`: what waits is asked as it stands,
    whatever its kinds and topics. `once`: what is answered wrong returns in another session of the
    day, not in this one.
    """

    waiting: tuple[Item, ...]
    returning: tuple[tuple[int, Item], ...] = ()
    asked: int = 0
    last: Item | None = None
    in_order: bool = False
    once: bool = False
    first: tuple[Item, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """All that is still to come, in no order."""
        return (*self.first, *self.waiting, *(item for _, item in self.returning))

    @property
    def left(self) -> int:
        """The number of questions still to come."""
        return len(self.items)


def stage_of(candidate: Candidate, card: Card | None, day: int) -> Stage | None:
    """Say why this question could be asked on `day`; None if it should not be."""
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


def is_unlocked(candidate: Candidate, cards: Mapping[str, Card], known: frozenset[str]) -> bool:
    """Return True if all it requires was answered right once, as far as the deck has it."""
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
    *,
    concepts: Mapping[str, str] | None = None,
) -> Queue:
    """Build the queue of `day`: repeats, then reviews (longest overdue first) mixed with new ones.

    Of siblings one is asked per day, the longest overdue; the others stay due and come first later.

    `limits`: what is left of the day's limits. `known`: all questions there are, where `candidates`
    is only a part of them. `concepts`: the concept of each question that has siblings among all
    there are.
    """
    known = frozenset(c.question for c in candidates) if known is None else known
    concepts = group_by_concept(candidates) if concepts is None else concepts
    staged = [(c, stage_of(c, cards.get(c.question), day)) for c in candidates]
    returning = [c for c, stage in staged if stage is Stage.REPEAT]
    reviews = [c for c, stage in staged if stage is Stage.REVIEW and c.question not in limits.later]
    reviews.sort(key=lambda c: _due_day(cards[c.question]))
    taken = _concepts_of_day(cards, concepts, day)
    reviews = list(islice(_without_siblings(reviews, concepts, taken), max(0, limits.reviews)))
    new = [c for c, stage in staged if stage is Stage.NEW]
    met = frozenset(c.concept for c, stage in staged if stage is not Stage.NEW)
    held = {c.concept for c in new} - met
    unlocked = _introduced([c for c in new if is_unlocked(c, cards, known)], held)
    apart = _without_siblings(interleave(unlocked, met=met), concepts, taken, limits.new_of)
    fresh: Iterable[Candidate] = islice(apart, max(0, limits.new))
    if limits.minutes is not None:
        old, new_today = expect_repeats(returning, cards, day, limits.minutes.each)
        spent = limits.minutes.spent[0] + old, limits.minutes.spent[1] + new_today
        reviews, fresh = fill(reviews, fresh, replace(limits.minutes, spent=spent))
    waiting = _spread([_item(c, Stage.REVIEW) for c in reviews], _new_items(fresh))
    return Queue(waiting, tuple((0, _item(c, Stage.REPEAT)) for c in returning))


def expect_repeats(
    candidates: Iterable[Candidate],
    cards: Mapping[str, Card],
    day: int,
    each: Callable[[str], float],
) -> tuple[float, float]:
    """Estimate the minutes that what returns on `day` takes: of reviews, and of what is new.

    `each`: that one answer to a question takes.
    """
    spent = [0.0, 0.0]
    for candidate in candidates:
        card = cards.get(candidate.question)
        if card is not None and stage_of(candidate, card, day) is Stage.REPEAT:
            is_new = card.memory is not None and card.memory.repetitions == 1
            spent[is_new] += each(candidate.question) * REPEAT_ANSWERS
    return spent[0], spent[1]


def expect_minutes(items: Iterable[Item], each: Callable[[str], float]) -> float:
    """Estimate the minutes that questions take with what is expected to return of them.

    `each`: that one answer to a question takes.
    """
    return sum(each(item.question) * _ANSWERS.get(item.stage, 1.0) for item in items)


def _new_items(candidates: Iterable[Candidate]) -> list[Item]:
    """Return new questions, each after those of the same day that introduce what it builds on."""
    introduced: dict[str, str] = {}
    items: list[Item] = []
    for candidate in candidates:
        after = tuple(introduced[name] for name in candidate.builds_on if name in introduced)
        items.append(replace(_item(candidate, Stage.NEW), after=after))
        introduced.setdefault(candidate.concept, candidate.question)
    return items


def _concepts_of_day(cards: Mapping[str, Card], concepts: Mapping[str, str], day: int) -> set[str]:
    """Return the concepts of which a question was answered on `day`."""
    names = (n for n, card in cards.items() if card.memory and card.memory.last_day == day)
    return {concepts[name] for name in names if name in concepts}


def _without_siblings(
    candidates: Iterable[Candidate],
    concepts: Mapping[str, str],
    taken: set[str],
    limits: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[Candidate]:
    """Yield the first of each concept that is not in `taken`, and add its concept there.

    `limits`: how many of a pack are yielded at most; of other packs there may be any number.
    """
    left = dict(limits)
    for candidate in candidates:
        concept = concepts.get(candidate.question)
        if left.get(candidate.pack, 1) > 0 and (concept is None or concept not in taken):
            yield candidate
            taken |= set() if concept is None else {concept}
            if candidate.pack in left:
                left[candidate.pack] -= 1


def _introduced(unlocked: list[Candidate], held: Set[str]) -> list[Candidate]:
    """Leave out what builds on a concept of `held` that none of the others introduces."""
    offered = {candidate.concept for candidate in unlocked}
    kept = [c for c in unlocked if offered.issuperset(held & set(c.builds_on))]
    return kept if len(kept) == len(unlocked) else _introduced(kept, held)


def head(
    queue: Queue, candidates: Iterable[Candidate], cards: Mapping[str, Card], day: int
) -> Queue:
    """Return the queue with these questions first, due or not; what is put away stays away."""
    first: list[Item] = []
    for candidate in candidates:
        card = cards.get(candidate.question)
        put_away = card is not None and (card.suspended or (card.buried_until or 0) > day)
        if not put_away:
            stage = stage_of(candidate, card, day) or Stage.REVIEW
            first.append(_item(candidate, stage))
            queue = _without(queue, candidate.question)
    return replace(queue, first=tuple(first))


def choose(
    candidates: Sequence[Candidate],
    cards: Mapping[str, Card],
    day: int,
    practice: Container[str] = (),
    *,
    once: bool = False,
) -> Queue:
    """Build a queue of exactly these, in this order and without limits; `once` as in `Queue`.

    What is neither new nor due is practice, and so are the questions in `practice`.
    """
    items = []
    for candidate in candidates:
        chosen = candidate.question in practice
        stage = None if chosen else stage_of(candidate, cards.get(candidate.question), day)
        items.append(_item(candidate, stage or Stage.PRACTICE))
    return Queue(tuple(items), in_order=True, once=once)


def next_item(queue: Queue) -> Item | None:
    """Return the next question: of another kind and topic than the last, what returns first.

    What introduces a concept comes before what builds on it.
    """
    if queue.first:
        return queue.first[0]
    ready = [item for after, item in queue.returning if after <= queue.asked]
    if queue.in_order and (ready or queue.waiting):
        return (*ready, *queue.waiting)[0]
    if ready or queue.waiting:
        waits = frozenset(item.question for item in queue.waiting)
        free = (item for item in queue.waiting if waits.isdisjoint(item.after))
        return next_apart((*ready, *free), queue.last)
    return queue.returning[0][1] if queue.returning else None


def answer(queue: Queue, item: Item, rating: Rating) -> Queue:
    """Return the queue after `item` was answered; Again puts it back a few questions later.

    Practice does not return by itself.
    """
    after = _without(queue, item.question)
    after = replace(after, asked=queue.asked + 1, last=item)
    returns = rating is Rating.AGAIN and item.stage is not Stage.PRACTICE
    return _schedule_return(after, item) if returns and not queue.once else after


def drop(queue: Queue, question: str) -> Queue:
    """Return the queue without a question (buried, suspended, deleted)."""
    return _without(queue, question)


def offer(queue: Queue, item: Item) -> Queue:
    """Return the queue with a question to ask next, unless it is to be asked anyway."""
    if any(item.question == known.question for known in queue.items):
        return queue
    return replace(queue, returning=(*queue.returning, (queue.asked, item)))


def drop_offer(queue: Queue, question: str) -> Queue:
    """Return the queue without a question that was offered, new or to practice."""
    offered = [(question, Stage.PRACTICE), (question, Stage.NEW)]
    kept = ((n, i) for n, i in queue.returning if (i.question, i.stage) not in offered)
    return replace(queue, returning=tuple(kept))


def drop_done(
    queue: Queue, candidates: Iterable[Candidate], cards: Mapping[str, Card], day: int
) -> Queue:
    """Return the queue without what was answered elsewhere, revealed, or lost in the meantime."""
    stages = {c.question: stage_of(c, cards.get(c.question), day) for c in candidates}
    for item in queue.items:
        kept = Stage.PRACTICE if item.stage is Stage.PRACTICE else stages.get(item.question)
        if item.question not in stages or kept is None:
            queue = _without(queue, item.question)
    return queue


def rerate(queue: Queue, item: Item, rating: Rating) -> Queue:
    """Return the queue after the last answer's rating was overridden."""
    after = _without(queue, item.question)
    returns = rating is Rating.AGAIN and not queue.once
    return _schedule_return(after, item) if returns else after


def put_back(queue: Queue, item: Item, *, answer: bool) -> Queue:
    """Return the queue with `item` in front again; `answer`: an answer to it was undone."""
    rest = _without(queue, item.question)
    asked = max(0, rest.asked - 1) if answer else rest.asked
    if rest.first:
        return replace(rest, first=(item, *rest.first), asked=asked, last=None)
    return replace(rest, returning=((0, item), *rest.returning), asked=asked, last=None)


def shorten(queue: Queue, limit: int) -> Queue:
    """Keep the first `limit` questions of the queue in the order they would be asked."""
    drawn: list[Item] = []
    rest = queue
    while len(drawn) < limit and (item := next_item(rest)) is not None:
        drawn.append(item)
        rest = answer(rest, item, Rating.GOOD)
    kept = frozenset(drawn)
    return replace(
        queue,
        first=tuple(item for item in queue.first if item in kept),
        waiting=tuple(item for item in drawn if item in queue.waiting),
        returning=tuple((n, item) for n, item in queue.returning if item in kept),
    )


def _schedule_return(queue: Queue, item: Item) -> Queue:
    """Return the queue with `item` due again a few answers from now, later each time."""
    after = queue.asked + REPEAT_AFTER * 2**item.failures
    entry = (after, replace(item, stage=Stage.REPEAT, failures=item.failures + 1))
    return replace(queue, returning=(*queue.returning, entry))


def _item(candidate: Candidate, stage: Stage) -> Item:
    return Item(candidate.question, candidate.topic, stage, candidate.kind)


def _due_day(card: Card) -> int:
    return card.memory.due_day if card.memory is not None else 0


def _without(queue: Queue, question: str) -> Queue:
    return replace(
        queue,
        first=tuple(i for i in queue.first if i.question != question),
        waiting=tuple(i for i in queue.waiting if i.question != question),
        returning=tuple((n, i) for n, i in queue.returning if i.question != question),
    )


def _spread(reviews: Sequence[Item], fresh: Sequence[Item]) -> tuple[Item, ...]:
    """Merge both lists evenly, each in its own order, reviews first."""
    placed: Iterable[tuple[float, int, Item]] = (
        *(((i + 0.5) / len(reviews), 0, item) for i, item in enumerate(reviews)),
        *(((i + 0.5) / len(fresh), 1, item) for i, item in enumerate(fresh)),
    )
    return tuple(item for _, _, item in sorted(placed, key=lambda entry: entry[:2]))
