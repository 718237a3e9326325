"""Facts about names, calls and words that the two languages of a layout share."""

from __future__ import annotations

from collections.abc import Collection

from grader import did_you_mean
from grader.facts import Fact, fact

_LONGEST_SHOWN = 40


def shorten(text: str) -> str:
    """Cut a name to the length that a message shows."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def unknown_name(name: str) -> Fact:
    """State that a name has no meaning."""
    return fact("layout.unknown-name", name=shorten(name))


def not_callable(name: str) -> Fact:
    """State that a name cannot be called."""
    return fact("layout.not-callable", name=shorten(name))


def unavailable(word: str) -> Fact:
    """State that a word of the language cannot be used in a layout."""
    return fact("layout.unavailable", word=word)


def suggest(name: str, known: Collection[str]) -> Fact:
    """Suggest what to write instead of an unknown name."""
    return did_you_mean.suggest(name, known, fact("layout.known-names", names=tuple(known)))


def argument_count(name: str, takes: int, given: int) -> Fact:
    """State that a call has the wrong number of arguments."""
    return fact("layout.argument-count", name=shorten(name), n=takes, given=given)


def write(code: str) -> Fact:
    """Advise to write some code instead."""
    return fact("layout.write", code=code)
