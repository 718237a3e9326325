"""Kinds of arguments: what a shell may complete, and what a wrong kind of question is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from quizapp.commands._shared import read_deck, surroundings
from quizapp.config import describe, keys
from quizapp.domain.question import KINDS
from quizapp.errors import UsageError

if TYPE_CHECKING:
    _TextParam = click.ParamType[str]
else:
    _TextParam = click.ParamType  # generic since click 8.4

Source = Callable[[], Iterable[tuple[str, str]]]


class Named(_TextParam):
    """Text that names one of the things `source` lists, as (name, what it is)."""

    def __init__(self, name: str, source: Source) -> None:
        self.name = name
        self._source = source

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """The names that begin so; with a pack left out too. None when they cannot be had."""
        try:
            listed = list(self._source())
        except Exception:  # an error printed here would land in the line being typed
            return []
        return [
            CompletionItem(name, help=what)
            for name, what in listed
            if name.startswith(incomplete) or name.split("/", 1)[-1].startswith(incomplete)
        ]


class Kind(Named):
    """A kind of question; another is refused, with those there are."""

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,  # noqa: ARG002
    ) -> str:
        """The kind itself.

        Raises:
            UsageError: no question is of this kind.
        """
        if value not in KINDS:
            raise UsageError(f"there is no kind '{value}'", f"kinds: {', '.join(KINDS)}")
        return value


def _topics() -> Iterable[tuple[str, str]]:
    topics = read_deck(surroundings()).topics
    return [(topic, f"{count} questions") for topic, count in topics.items()]


def _questions() -> Iterable[tuple[str, str]]:
    entries = read_deck(surroundings()).entries.values()
    return [(entry.id, f"{entry.topic}, {entry.kind}") for entry in entries]


def _packs() -> Iterable[tuple[str, str]]:
    entries = read_deck(surroundings()).entries
    return [(pack, "") for pack in dict.fromkeys(name.split("/", 1)[0] for name in entries)]


KIND = Kind("kind", lambda: [(kind, "") for kind in KINDS])
TOPIC = Named("topic", _topics)
QUESTION = Named("question", _questions)
PACK = Named("pack", _packs)
SETTING = Named("key", lambda: [(key, describe(key)) for key in keys()])
