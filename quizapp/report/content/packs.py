"""Packs as rows of a table, as plain data, and in a line. Reads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from quizapp.report.words import Words

if TYPE_CHECKING:
    from quizapp.deck.index import PackEntry
    from quizapp.study.packs import ListedPack, ListedTopic

_COLUMNS = ("pack", "title", "version", "license", "questions", "state", "source")
_TOPIC_COLUMNS = ("topic", "pack", "title", "questions")
_NONE = "–"


def pack_rows(packs: Iterable[ListedPack], say: Words) -> Iterator[Sequence[str]]:
    """Yield a row per pack, below the names of the columns."""
    yield tuple(say(f"pack.column.{name}") for name in _COLUMNS)
    for pack in packs:
        about = pack.about
        yield (
            about.id,
            say.topic(about.titles),
            about.version or _NONE,
            about.license or _NONE,
            f"{pack.questions:,}",
            _state(pack, say),
            say(f"pack.source.{pack.source}"),
        )


def pack_as_plain(pack: ListedPack) -> dict[str, Any]:
    """Return a pack as `quiz pack list --json` prints it; the keys are promised in docs/cli.md."""
    return {
        "pack": pack.about.id,
        "title": pack.about.title_en,
        "version": pack.about.version or None,
        "license": pack.about.license or None,
        "questions": pack.questions,
        "on": pack.on,
        "new_per_day": pack.new_per_day,
        "held_back": pack.held_back,
        "extras_missing": dict(pack.extras),
        "source": pack.source,
        "folder": pack.folder,
    }


def topic_rows(topics: Iterable[ListedTopic], say: Words) -> Iterator[Sequence[str]]:
    """Yield a row per topic of a pack, below the names of the columns."""
    yield tuple(say(f"pack.column.{name}") for name in _TOPIC_COLUMNS)
    for topic in topics:
        yield topic.id, topic.pack, say.topic(topic.titles), f"{topic.questions:,}"


def topic_as_plain(topic: ListedTopic) -> dict[str, Any]:
    """Return a topic as `quiz pack topics --json` prints it; docs/cli.md promises the keys."""
    return {
        "topic": topic.id,
        "pack": topic.pack,
        "title": topic.titles[0],
        "questions": topic.questions,
    }


def pack_facts(pack: PackEntry, questions: int, say: Words) -> str:
    """Say version, license, and number of questions of a pack, as far as it states them."""
    stated = []
    if pack.version:
        stated.append(say("pack.version", version=pack.version))
    if pack.license:
        stated.append(say("pack.license", license=pack.license))
    return " · ".join([*stated, say("count.questions", n=questions)])


def _state(pack: ListedPack, say: Words) -> str:
    """Say whether a pack asks, how much, and what waits for consent."""
    said = [say("settings.pack-on" if pack.on else "settings.pack-off")]
    if pack.new_per_day is not None:
        said.append(say("pack.new-per-day", n=pack.new_per_day))
    if pack.held_back:
        said.append(say("pack.held-back", n=pack.held_back))
    said += (say("pack.extra-missing", n=n, extra=extra) for extra, n in pack.extras.items())
    return ", ".join(said)
