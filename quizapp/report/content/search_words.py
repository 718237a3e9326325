"""What a word of a search stands for, and how well a question fits it.

A word may be written with or without spaces and hyphens (`topk`, `top-k`), be another name of a
term of the glossary, or be misspelled. Chinese needs no spaces between its words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from grader.did_you_mean import find_nearest

_HAN = "\u3400-\u9fff"
_SEPARATORS = re.compile(r"(?:[^\S\n]|[_-])+")
_PRODUCT = re.compile(r"(?<=\d)(?<!\b0) ?[x*×] ?(?=\d)")
"""What multiplies: `32x64`, `32 * 64`; but `0x64` is hexadecimal."""
_BESIDE_HAN = re.compile(rf"(?<=[{_HAN}]) | (?=[{_HAN}])")
_RUNS = re.compile(rf"[{_HAN}]+|[^\s{_HAN}]+")
_WORD = re.compile("[a-z]{4,}")
_MISSPELLED = re.compile("[a-z]{5,}")
"""What may be misspelled: with fewer letters, every word is near to another."""
_ALIKE = 0.8
"""How alike a misspelled word is at least, as on the command line."""
_WHOLE = 3
"""Characters up to which a term is only a whole word: `sm` is also a part of `smaller`."""
_FILLERS = frozenset(
    """a an and are as can do does explain for from how i if implement in is it my of on or should
    the to use vs versus what when which with without write you""".split()  # noqa: SIM905 - longer
)
"""English words of questions that say nothing of what a question of the deck is about."""
_CHINESE_FILLERS = re.compile(
    "什么是|是什么|怎么样|怎么|怎样|如何|哪些|有什么|区别|手写|实现|介绍|解释|讲讲|的|吗|呢|与|"
    "优化$|[看选低高]$|^[和是]|[和是]$"
)

_IN_ID, _IN_TOPIC, _IN_TITLE = 10.0, 6.0, 3.0
ABOUT = 9.9
"""A fit beyond this means that the word is in a name, and not only in the title or the text."""
_ENDS = 1.0
"""What it adds that the word ends there as well: `scan` in `kernel-scan`, not in `scanner`."""
_COVERS = 6.0
"""What it adds that the word is all of an id; a part of the id adds its share."""
_WRITTEN = 0.3
"""The share that is added for the name of a term that was written, not another one of it."""
_MENTIONS = 10
"""Mentions in the text beyond this many no longer matter; they add up to 1."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search looks at of one question, folded: `text` is all of it.

    `id`: its id, its concept, its tags. `topic`: the names of its topic. `title`: what a list
    calls it.
    """

    id: str
    topic: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing that is searched: so many of these folded texts must occur (`least`).

    `is_term`: they are names of a term, first the one that was written; a short one is
    only a whole word.
    """

    texts: tuple[str, ...]
    least: int = 1
    is_term: bool = False

    def is_in(self, searched: Searched) -> bool:
        """Return True if enough of its texts occur."""
        found = 0
        for text in self.texts:
            if text in searched.text and self._occurs(text, searched.text):
                found += 1
                if found == self.least:
                    return True
        return False

    def fit(self, searched: Searched) -> float:
        """Return how much a question is about it; texts that occur more prominently count more."""
        places = [_places(text, searched) for text in self.texts if text in searched.text]
        if self.least > 1:
            return sum(sorted(map(sum, places), reverse=True)[: self.least]) / self.least
        best = sum((max(weights) for weights in zip(*places, strict=True)), start=0.0)
        written = self.is_term and places and self.texts[0] in searched.text
        return best + _WRITTEN * sum(places[0]) if written else best

    def _occurs(self, text: str, where: str) -> bool:
        """Return True for a text that is there, if it must not be part of a longer word, too."""
        if not self.is_term or len(text) > _WHOLE or not text.isascii():
            return True
        return any(match["end"] is not None for match in _begins(text).finditer(where))


def fold(text: str) -> str:
    """Return a text without case, with one space for hyphens and the like, none beside Chinese.

    Products have one form, `32×64`.
    """
    return _BESIDE_HAN.sub("", join_products(_SEPARATORS.sub(" ", text.casefold())))


def join_products(text: str) -> str:
    """Return a text with every product of numbers written as `32×64`."""
    return _PRODUCT.sub("×", text)


def read_terms(
    rest: str, other_names: Mapping[str, Sequence[str]], kept: Container[str]
) -> tuple[tuple[Wanted, ...], str]:
    """Read the names of terms in a query, case folded; return them and the rest of the query.

    `other_names`: see `searched_names`; `kept`: what has another meaning in a query.
    """
    rest = _SEPARATORS.sub(" ", rest)
    wanted: list[Wanted] = []
    for name in sorted(other_names, key=len, reverse=True):
        pattern = _name_pattern(name)
        if name not in kept and pattern.search(rest):
            rest = pattern.sub(" ", rest)
            forms = (name, *other_names[name])
            wanted.append(Wanted(tuple(dict.fromkeys(map(fold, forms))), is_term=True))
    return tuple(wanted), rest


def read_words(rest: str, texts: Collection[Searched], *, fillers: bool) -> tuple[Wanted, ...]:
    """Read the words of a query, case folded; `fillers` count as well if there is nothing else.

    `texts`: where they will be searched.
    """
    names = "\n".join(part for each in texts for part in (each.id, each.topic, each.title))
    runs = _RUNS.findall(rest)
    parts = [part for run in runs for part in _CHINESE_FILLERS.split(run) if part]
    left = [part for part in parts if part not in _FILLERS]
    return tuple(_read_parts(left or (runs if fillers else []), texts, names))


def _read_parts(left: list[str], texts: Collection[Searched], names: str) -> Iterator[Wanted]:
    """Yield what words stand for, two that are one word elsewhere together."""
    after: str | None = None
    for at, part in enumerate(left):
        if part is after:
            continue
        following = left[at + 1] if at + 1 < len(left) else ""
        if following and part.isascii() and following.isascii() and part + following in names:
            after = following
            yield Wanted((f"{part}{following}", f"{part} {following}"))
        else:
            yield _read_word(part, texts, names)


def _read_word(word: str, texts: Collection[Searched], names: str) -> Wanted:
    """Return what one word stands for: itself, in two parts, its parts, or what it is meant for."""
    apart = [f"{word[:at]} {word[at:]}" for at in range(1, len(word))] if word.isascii() else []
    forms = (word, *(form for form in apart if form in names))
    if len(forms) > 1 or any(word in each.text for each in texts):
        return Wanted(forms)
    if not word.isascii():
        pairs = tuple(word[at : at + 2] for at in range(len(word) - 1)) or (word,)
        return Wanted(pairs, (len(pairs) + 1) // 2)
    if _MISSPELLED.fullmatch(word):
        near = find_nearest(word, dict.fromkeys(_WORD.findall(names)), 1, _ALIKE)
        return Wanted((word, *near))
    return Wanted(forms)


@cache
def _name_pattern(name: str) -> re.Pattern[str]:
    """Return what finds a name in a query, with or without its spaces and hyphens."""
    spaced = "[ ]?".join(map(re.escape, fold(name).split(" ")))
    for side in (rf"(?<=[{_HAN}])(?=[a-z0-9])", rf"(?<=[a-z0-9])(?=[{_HAN}])"):
        spaced = re.sub(side, "[ ]?", spaced)
    before = "(?<![a-z0-9])" if name[0].isascii() else ""
    return re.compile(before + spaced + ("(?![a-z0-9])" if name[-1].isascii() else ""))


@cache
def _begins(text: str) -> re.Pattern[str]:
    """Return what finds a text at the beginning of a word, in Chinese anywhere, and its end."""
    return re.compile(rf"(?<![a-z0-9]){re.escape(text)}(?P<end>(?![a-z0-9]))?")


def _places(text: str, searched: Searched) -> tuple[float, float, float, float]:
    """Return what a text counts in the id, the title, the topic and the whole of a question."""
    in_id = _place(text, searched.id, _IN_ID)
    covered = _COVERS * len(text) / len(searched.id.partition("\n")[0]) if in_id else 0.0
    in_title = _place(text, searched.title, _IN_TITLE)
    in_topic = _place(text, searched.topic, _IN_TOPIC)
    mentions = searched.text.count(text)
    return in_id + covered, in_title, in_topic, min(mentions / _MENTIONS, 1.0)


def _place(text: str, place: str, weight: float) -> float:
    """Return what a text counts in one place: 0 if no word begins with it."""
    match = _begins(text).search(place) if text in place else None
    return 0.0 if match is None else weight + _ENDS * (match["end"] is not None)
