"""What `pack.yaml` says, and what packs and topics are called.

A pack may be in several places: the person's changed copies are in a folder of the shipped pack's
name. What a later place says of it goes before what an earlier one says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from quizapp.deck.index import PackEntry
from quizapp.domain.question import LANGUAGES, Language, Prose, Slug, prose

USUAL_ORDER = 100
"""Packs that state no order are listed by the names of their folders."""

Label = Annotated[str, Meta(pattern=r"^\S(.*\S)?\Z", max_length=60)]
"""One line of text; YAML reads `version: 1.0` as a number, which is refused: quote it."""


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """What `pack.yaml` says.

    `languages` are those every prose field must have; `topics`, where given, are all there are,
    with their names. `builds_on` says which concepts come before a concept: a question is asked
    after the first question of each. A pack that is not `on_by_default` asks nothing until it is
    switched on. Wherever packs are listed, those of the smallest `order` come first. `version` and
    `license` (an SPDX expression) are shown where packs are listed.
    """

    title: Prose = ""
    description: Prose = ""
    languages: tuple[Language, ...] = ("en",)
    topics: dict[Slug, Prose] | tuple[Slug, ...] = ()
    builds_on: dict[Slug, tuple[Slug, ...]] = {}
    on_by_default: bool = True
    order: int = USUAL_ORDER
    version: Label | None = None
    license: Label | None = None


class PackNames:
    """The names of packs and topics; what has none is called as its id, without the hyphens."""

    def __init__(self, packs: Mapping[tuple[str, str], Pack]) -> None:
        """Collect them; `packs` are by place and id, later places last."""
        self._packs: dict[str, Pack] = {}
        self._topics: dict[tuple[str, str], Prose] = {}
        for (_, name), pack in packs.items():
            self._packs[name] = pack
            if isinstance(pack.topics, dict):
                self._topics |= {(name, topic): named for topic, named in pack.topics.items()}

    def of_topic(self, pack: str, topic: str) -> tuple[str, str]:
        """Return what a pack's topic is called in English and in Chinese."""
        return _in_both(self._topics.get((pack, topic), ""), topic)

    def builds_on(self, pack: str, concept: str) -> tuple[str, ...]:
        """Return the concepts that come before a pack's concept."""
        known = self._packs.get(pack)
        return known.builds_on.get(concept, ()) if known else ()

    def entries(self, ids: Iterable[str]) -> tuple[PackEntry, ...]:
        """Describe these packs, each once, by their order; those that are off by default last."""
        packs = {name: self._packs.get(name, Pack()) for name in dict.fromkeys(ids)}
        listed = sorted(packs.items(), key=lambda at: (not at[1].on_by_default, at[1].order))
        return tuple(_entry(name, pack) for name, pack in listed)


def _entry(name: str, pack: Pack) -> PackEntry:
    titles, about = _in_both(pack.title, name), _in_both(pack.description, "")
    labels = pack.version or "", pack.license or ""
    return PackEntry(name, *titles, *about, pack.on_by_default, *labels)


def _in_both(named: Prose, name: str) -> tuple[str, str]:
    """Return a name in English and in Chinese, in one line; without one what `name` reads as."""
    otherwise = name.replace("-", " ")
    english, chinese = (" ".join(prose(named, language).split()) for language in LANGUAGES)
    return english or otherwise, chinese or otherwise
