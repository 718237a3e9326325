"""The default order of new questions: most asked first, then easy first, kinds in turns. Pure.

Every kind is shown once before any is shown twice. Then come those that most interviews ask for,
tier after tier; within a tier each kind of each pack advances through its questions at the same
rate, so that all of them last until its end, and topics take turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import Literal, Protocol, TypeVar, get_args

KINDS_BY_EFFORT = ("choice", "number", "trace", "recall", "spot", "index", "kernel")
"""The kinds as a newcomer meets them: from picking an option to writing a kernel."""

Job = Literal["kernel", "inference", "training", "hpc"]
"""What a person interviews for: kernel engineer, LLM inference, training infrastructure, HPC."""

JOBS: tuple[Job, ...] = get_args(Job)

MOST_ASKED = 3
"""Concepts that so many lists of interview questions ask for are the first tier."""

LOOKAHEAD = 20
"""To change the topic, no question is asked more than this many places early."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question of the deck as far as order and queue care."""

    question: str
    topic: str
    requires: tuple[str, ...]
    rev: int
    kind: str = ""
    difficulty: int = 1
    concept: str = ""
    builds_on: tuple[str, ...] = ()
    """Concepts that a person must have met, in a question of any pack, before this one."""
    frequency: int = 0
    """How many lists of interview questions ask for its concept."""
    pack: str = field(init=False, repr=False, compare=False)
    """The pack it is in, which its canonical id begins with: every choice of a question asks."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pack", self.question.rpartition("/")[0])


class OrderedCandidate(Protocol):
    """What is kept apart from others of its kind and topic."""

    @property
    def kind(self) -> str:
        """One of the kinds of questions."""

    @property
    def topic(self) -> str:
        """What it is about."""


P = TypeVar("P", bound=OrderedCandidate)


def arrange(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Put all questions of a deck into the default order.

    Each comes after what it requires, and after the first question of each concept it builds on.
    Among equals the given order decides, so the same deck has the same order everywhere.
    """
    kinds: dict[str, list[Candidate]] = {}
    every = sorted(candidates, key=attrgetter("difficulty"))
    for candidate in every:
        kinds.setdefault(candidate.kind, []).append(candidate)
    tiers = find_tiers(every)
    head: list[Candidate] = []
    shares: list[tuple[int, float, int, Candidate]] = []
    for rank, kind in enumerate(sorted(kinds, key=_effort)):
        members = _spread_topics(kinds[kind])
        head += _easiest(members, head)
        parts: dict[tuple[int, str], list[Candidate]] = {}
        for member in members:
            if member not in head:
                parts.setdefault((tiers[member.question], member.pack), []).append(member)
        for (tier, _), rest in parts.items():
            shares += ((-tier, i / len(rest), rank, member) for i, member in enumerate(rest, 1))
    shares.sort(key=lambda entry: entry[:3])
    found = list(interleave(head))
    met = frozenset(shown.concept for shown in found)
    last = found[-1] if found else None
    return [*found, *interleave((member for *_, member in shares), last, met)]


def find_tiers(easiest_first: Sequence[Candidate]) -> dict[str, int]:
    """Return the tier of each question, from `MOST_ASKED` down to 0 for what no list asks for.

    The second question of a concept counts half of the first, the third a third: breadth goes
    before depth. What another one requires or builds on is in its tier at least.
    """
    places: Counter[str] = Counter()
    first: dict[str, str] = {}
    tiers: dict[str, int] = {}
    for each in easiest_first:
        places[each.concept] += 1
        first.setdefault(each.concept, each.question)
        share = max(min(1, each.frequency), each.frequency // places[each.concept])
        tiers[each.question] = min(MOST_ASKED, share)
    needs = {
        each.question: [*each.requires, *(first[n] for n in each.builds_on if n in first)]
        for each in easiest_first
    }
    rising = list(tiers)
    while rising:
        name = rising.pop()
        for needed in needs[name]:
            if tiers.get(needed, MOST_ASKED) < tiers[name]:
                tiers[needed] = tiers[name]
                rising.append(needed)
    return tiers


def interleave(
    candidates: Iterable[Candidate], last: Candidate | None = None, met: Set[str] = frozenset()
) -> Iterator[Candidate]:
    """Yield all in their order as far as neighbors, from `last` on, differ in kind and topic.

    What is required comes first. No two of one kind follow each other while another kind is left;
    topics may repeat where no question nearby has another one. `met`: concepts that need no
    question of these to be known.
    """
    rest = list(candidates)
    missing = {candidate.question for candidate in rest}
    unmet = {candidate.concept for candidate in rest} - met
    kinds = Counter(candidate.kind for candidate in rest)
    while rest:
        ready = (
            c for c in rest if missing.isdisjoint(c.requires) and unmet.isdisjoint(c.builds_on)
        )
        nearby = ready if len(kinds) > 1 else islice(ready, LOOKAHEAD)
        last = next_apart(nearby, last) or rest[0]  # the latter requires itself, in a circle
        yield last
        rest.remove(last)
        missing.remove(last.question)
        unmet.discard(last.concept)
        kinds -= Counter((last.kind,))


def next_apart(items: Iterable[P], last: OrderedCandidate | None) -> P | None:
    """Return the first that differs from `last` in kind and topic; else in kind; else in topic.

    Returns:
        the first of all where none differs; None where there are none.
    """
    first = other_kind = other_topic = None
    for place, item in enumerate(items):
        if last is None:
            return item
        if item.kind != last.kind and item.topic != last.topic:
            return item if other_kind is None or place < LOOKAHEAD else other_kind
        if item.kind != last.kind:
            other_kind = other_kind or item
        elif item.topic != last.topic:
            other_topic = other_topic or item
        first = first or item
        if other_kind is not None and place >= LOOKAHEAD:
            break
    return other_kind or other_topic or first


def _effort(kind: str) -> int:
    """Return a kind's place among all; what is not a kind comes last."""
    known = kind in KINDS_BY_EFFORT
    return KINDS_BY_EFFORT.index(kind) if known else len(KINDS_BY_EFFORT)


def _spread_topics(members: Iterable[Candidate]) -> list[Candidate]:
    """Take turns among the topics of each difficulty; `members` are easiest first."""
    turns: Counter[tuple[int, str]] = Counter()
    placed: list[tuple[int, int, Candidate]] = []
    for member in members:
        level = member.difficulty, member.topic
        placed.append((member.difficulty, turns[level], member))
        turns[level] += 1
    return [member for *_, member in sorted(placed, key=lambda entry: entry[:2])]


def _easiest(members: Sequence[Candidate], head: Sequence[Candidate]) -> list[Candidate]:
    """Return the question that shows what a kind is like, of a topic not shown yet if possible.

    Returns:
        one of the easiest of `members` that need nothing but what `head` introduces; none where
        all do.
    """
    met, shown = {one.concept for one in head}, {one.topic for one in head}
    free = [one for one in members if not one.requires and met.issuperset(one.builds_on)]
    easiest = [member for member in free if member.difficulty == free[0].difficulty]
    return sorted(easiest, key=lambda member: member.topic in shown)[:1]
