"""The packs there are, as a list: what each is, where it is from, and what the person set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from quizapp.deck.index import PackEntry
from quizapp.deck.installing import consent
from quizapp.deck.installing.pack_installing import find_origins
from quizapp.deck.packs import PackNames
from quizapp.system.extras import find_missing
from quizapp.system.trust import read_trust

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck
    from quizapp.system.config import Settings
    from quizapp.system.paths import Paths


class ListedPack(NamedTuple):
    """One pack.

    Attributes:
        about: what its `pack.yaml` says.
        source: `shipped`, `installed`, `configured`, or `own`.
        folder: where it is.
        questions: how many it has; 0 if all have errors.
        on: True if it asks.
        new_per_day: the most new questions per day; None without a limit of its own.
        held_back: questions that run Python to which the person has not agreed.
        extras: by extra that is not installed, how many questions need it.
    """

    about: PackEntry
    source: str
    folder: str
    questions: int
    on: bool
    new_per_day: int | None
    held_back: int
    extras: Mapping[str, int]


class ListedTopic(NamedTuple):
    """One topic of a pack: its id, what it is called in English and in Chinese, its questions."""

    id: str
    pack: str
    titles: tuple[str, str]
    questions: int


def list_topics(deck: Deck, packs: Collection[str]) -> list[ListedTopic]:
    """List the topics of some packs, both in the order of the deck."""
    entries = [entry for entry in deck.entries.values() if entry.pack in packs]
    counts = Counter((entry.pack, entry.topic) for entry in entries)
    named = {(entry.pack, entry.topic): entry.topic_names for entry in entries}
    order = list(deck.packs)
    return [
        ListedTopic(topic, pack, named[pack, topic], n)
        for (pack, topic), n in sorted(counts.items(), key=lambda each: order.index(each[0][0]))
    ]


def _undescribed(name: str) -> PackEntry:
    """Describe a pack of which no question is in the deck."""
    (about,) = PackNames({}).entries([name])
    return about


def list_packs(deck: Deck, paths: Paths, settings: Settings) -> list[ListedPack]:
    """List all packs in the order of the deck; installed ones without a question last.

    Raises DataError: the file with the consent cannot be read.
    """
    origins, on = find_origins(deck, paths), deck.packs_on(settings.packs)
    counts = Counter(entry.pack for entry in deck.entries.values())
    held_back = consent.find_held_back(deck, read_trust(paths)).packs
    missing: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in deck.entries.values():
        if find_missing(entry.extra):
            missing[entry.pack][entry.extra] += 1
    found = []
    for name in dict.fromkeys((*deck.packs, *origins)):
        about = deck.packs.get(name) or _undescribed(name)
        found.append(
            ListedPack(
                about=about,
                source=origins[name].kind,
                folder=str(origins[name].folder),
                questions=counts[name],
                on=name in on,
                new_per_day=settings.new_per_pack.get(name),
                held_back=held_back.get(name, 0),
                extras=missing[name],
            )
        )
    return found
