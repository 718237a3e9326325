"""Searches the deck by words: of its texts in every language, of kinds, states and the record.

A word that names a kind, a state or something of the person's record stands for that alone; in
quotes it is a word of the text like any other, and so is the name of a kind if nothing is found
otherwise. Each word of a query must match, as `search_words` reads it; if nothing has every word,
half of them are enough. What is about a word comes before what mentions it; a question whose title
the query is, or a part of it, is found whatever its words mean elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from types import MappingProxyType

from quizapp.deck.deck import Deck
from quizapp.deck.index import Entry
from quizapp.domain.question import KINDS, LANGUAGES, AnyQuestion, Choice, Prose, Recall, prose
from quizapp.report.content.search_words import (
    ABOUT,
    Searched,
    Wanted,
    fold,
    join_products,
    read_terms,
    read_words,
)
from quizapp.report.first_words import first_words
from quizapp.report.words import Words, texts
from quizapp.study.browsing import MARKS, Listed, State

_TITLE = 80
"""Characters of a prompt that count as its title: what a list shows at most terminals."""

_OVERVIEWS = MappingProxyType({"recall": 9.0, "kernel": 3.0})
"""What it adds that a question asks for a whole subject, and not for one fact of it."""

_FORM = re.compile(
    r"^(?:(?:calc|count|hopper|interview|kernel|pick|place|scenario|sources|spot|trace)-)+|-story$"
)
"""What an id says of the form of its question, not of its subject."""

_KIND = "kind."

NO_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType({})

_QUOTED = re.compile(r'["“]([^"”]*)["”]?')
_COUNTED: dict[str, Callable[[Listed], int | None]] = {
    "browser.in-days": lambda row: row.due_in,
    "browser.overdue": lambda row: None if row.due_in is None else -row.due_in,
    "browser.lapsed": lambda row: row.lapses,
    "browser.due-today": lambda row: int(row.due_in == 0),
}
"""Phrases with a number in them, and the number of a row that they speak of."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched: what must occur, and what must be so."""

    words: tuple[Wanted, ...]
    names: tuple[str, ...]
    counts: tuple[tuple[str, int], ...]


@lru_cache(maxsize=1)
def read_texts(deck: Deck) -> Mapping[str, Searched]:
    """Collect what a search looks at, by question: its words in every language.

    Decodes the whole deck, which the list alone does not need, and folds all of its text: 160 ms
    a thousand questions, once for a deck.
    """
    return {name: _searched(entry, deck.question(name)) for name, entry in deck.entries.items()}


def _searched(entry: Entry, question: AnyQuestion) -> Searched:
    names = "\n".join((_FORM.sub("", entry.id.rpartition("/")[2]), entry.concept, *question.tags))
    topic = "\n".join((entry.topic, *entry.topic_names))
    title = "\n".join(first_words(question, language)[:_TITLE] for language in LANGUAGES)
    whole = "\n".join((entry.id, names, topic, *_texts(entry, question)))
    return Searched(*(fold(text) for text in (names, topic, title, whole)))


def match(
    rows: Sequence[Listed],
    texts: Mapping[str, Searched],
    query: str,
    other_names: Mapping[str, Sequence[str]] = NO_NAMES,
) -> tuple[Listed, ...]:
    """Return the rows that every word of `query` matches, those that it is about first.

    One whose id it is comes before all, then those whose titles have it, whatever its words mean
    elsewhere. If no row has every word, those with at least half of them. Case does not matter.
    Rows that it fits equally well stay in their order.
    `other_names`: further names of terms and what texts use for each, see `searched_names`.
    """
    readings = [read_query(query, texts, other_names)]
    if readings[0].words and any(name.startswith(_KIND) for name in readings[0].names):
        readings.append(read_query(query, texts, other_names, kinds=False))
    for share, wanted in product((1.0, 0.5), readings):
        least = math.ceil(share * len(wanted.words))
        found = [row for row in rows if _matches(row, texts[row.entry.id], wanted, least)]
        if found:
            break
    name = query.strip().casefold()
    named = [row for row in rows if name in (row.entry.id, row.entry.id.rpartition("/")[2])]
    title = fold(query.strip().strip("…"))
    if readings[0].words and readings[0].names:
        named += [row for row in rows if row not in named and _is_title(title, texts[row.entry.id])]
    others = [row for row in found if row not in named]
    return (*named, *sorted(others, key=lambda row: -_fit(row, texts[row.entry.id], wanted)))


def _is_title(query: str, searched: Searched) -> bool:
    """Return True if a query, folded, is a title, a part of one, or begins with all of one."""
    return any(
        query in title or (len(title) > _TITLE // 2 and query.startswith(title))
        for title in searched.title.split("\n")
    )


def read_query(
    query: str,
    texts: Mapping[str, Searched],
    other_names: Mapping[str, Sequence[str]] = NO_NAMES,
    *,
    kinds: bool = True,
) -> Query:
    """Read a query: first what is in quotes, then phrases, names and terms, then single words.

    `kinds`: names of kinds stand for kinds, and are not words like any other.
    """
    rest = join_products(query.casefold())
    words = [Wanted((fold(quoted),)) for quoted in _QUOTED.findall(rest) if quoted.strip()]
    rest = _QUOTED.sub(" ", rest)
    counts: list[tuple[str, int]] = []
    for key, pattern in _phrases():
        counts += [(key, int(found[1] or 1)) for found in pattern.finditer(rest)]
        rest = pattern.sub(" ", rest)
    pattern, names = _names(kinds=kinds)
    terms, rest = read_terms(rest, other_names, names)
    keys = tuple(names[found[0]] for found in pattern.finditer(rest))
    rest = pattern.sub(" ", rest)
    words += terms
    words += read_words(rest, texts.values(), fillers=not words)
    return Query(tuple(words), keys, tuple(counts))


def _fit(row: Listed, searched: Searched, query: Query) -> float:
    """Return how much a question is about the words of a query."""
    fits = [word.fit(searched) for word in query.words]
    overview = _OVERVIEWS.get(row.entry.kind, 0.0)
    return sum(fits) + overview * sum(fit > ABOUT for fit in fits)


def _matches(row: Listed, searched: Searched, query: Query, least: int) -> bool:
    if not all(_is(row, key) for key in query.names):
        return False
    if not all(_COUNTED[key](row) == n for key, n in query.counts):
        return False
    for left, word in zip(range(len(query.words), 0, -1), query.words, strict=True):
        if not 0 < least <= left:
            break
        least -= word.is_in(searched)
    return least <= 0


def _is(row: Listed, key: str) -> bool:
    """Return True if what the catalogue names by `key` is so."""
    family, _, name = key.rpartition(".")
    match family:
        case "kind":
            return row.entry.kind == name
        case "browser.state":
            return row.state.value == name
        case _:
            return name in row.marks


@cache
def _names(*, kinds: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds a name of a kind, a state or a mark, and the key of each."""
    keys = (
        *(f"{_KIND}{kind}" for kind in KINDS if kinds),
        *(f"browser.state.{state.value}" for state in State),
        *(f"browser.mark.{mark}" for mark in MARKS),
    )
    names = {fold(Words(language)(key)): key for key in keys for language in LANGUAGES}
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, longest))})(?!\S)"), names


@cache
def _phrases() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what finds each phrase with a number, in every language; without one it is 1."""
    patterns = []
    for key in _COUNTED:
        spellings = [(texts(each), name) for each in LANGUAGES for name in (key, f"{key}.one")]
        forms = {said[name] for said, name in spellings if name in said}
        escaped = (re.escape(form.casefold()).replace(r"\{n\}", r"(\d+)") for form in forms)
        patterns += [(key, re.compile(rf"(?<!\S){form}(?!\S)()")) for form in escaped]
    return tuple(patterns)


def _texts(entry: Entry, question: AnyQuestion) -> Iterator[str]:
    """Yield every text of a question beside its names, in every language."""
    yield from (Words(language)(f"kind.{entry.kind}") for language in LANGUAGES)
    for value in _proses(question):
        yield from {prose(value, language) for language in LANGUAGES}


def _proses(question: AnyQuestion) -> Iterator[Prose]:
    yield from (question.prompt, question.explanation, *question.hints)
    match question:
        case Choice(options=options):
            yield from (option.text for option in options)
            yield from (option.why for option in options if option.why is not None)
        case Recall(answer=answer, rubric=rubric):
            yield answer
            yield from (point.point for point in rubric)
