"""Kinds of arguments: what a shell may complete, and what a wrong kind of question is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from grader.did_you_mean import choices as listed
from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.commands.common.surroundings import read_deck, surroundings
from quizapp.commands.common.written_files import OutputFile
from quizapp.deck.index import MOCK_FOLDER
from quizapp.domain.errors import UsageError
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import CODE_LANGUAGES, KINDS, LANGUAGES
from quizapp.report.words import Words
from quizapp.system.config import BINDING, PER_PACK, choices, describe, keys
from quizapp.system.config import PACK as PACK_KEY
from quizapp.system.language import person_language
from quizapp.tui import keys as bindings
from quizapp.tui import themes

if TYPE_CHECKING:
    _TextParam = click.ParamType[str]
    _Choice = click.Choice[str]
    _Sizes = click.ParamType[tuple[int, ...]]
else:
    _TextParam = click.ParamType  # generic since click 8.4
    _Choice = click.Choice  # generic since click 8.2
    _Sizes = click.ParamType

SIZE = re.compile(r" *0*[1-9][0-9]{0,17} *")
_MOST_AXES = 3

Source = Callable[[], Iterable[tuple[str, str]]]


def completions(listed: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    """Return names with what they are, as the shell shows them."""
    return [CompletionItem(name, help=what) for name, what in listed]


class Named(_TextParam):
    """Text that names one of the things `source` lists, as (name, what it is)."""

    def __init__(self, name: str, source: Source) -> None:
        self.name = name
        self._source = source

    def list_names(self, ctx: click.Context) -> Iterable[tuple[str, str]]:
        """All names with what they are."""
        return self._source()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete a name, with its pack or without; None when names cannot be read."""
        try:
            listed = list(self.list_names(ctx))
        except Exception:  # an error printed here would land in the line being typed
            return []
        return completions(
            (name, what)
            for name, what in listed
            if name.startswith(incomplete) or name.split("/", 1)[-1].startswith(incomplete)
        )


class Kind(Named):
    """A kind of question, by its id or by the name that screens show; another is refused."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the id of the kind. Raises UsageError: no question is of this kind."""
        known = kind_names()
        found = known.get(value.casefold())
        if found is None:
            what = fact("question.unknown-kind", kind=value)
            raise UsageError(what, suggest(value, known, listed([name for _, name in _kinds()])))
        return found


class Writable(Kind):
    """A kind of question, or `mock` for a theme of a mock interview."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the id of the kind, or `mock`. Raises UsageError: it is neither."""
        return value if value == MOCK_FOLDER else super().convert(value, param, ctx)


class Integer(click.IntRange):
    """An integer, in a range if one is given."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number. Raises UsageError: it is not one, or out of range."""
        name = param.opts[-1] if param else ""
        hint = fact("usage.see-help", command=ctx.command_path if ctx else "quiz")
        try:
            number = int(value)
        except ValueError:
            raise UsageError(fact("usage.not-an-integer", name=name, text=value), hint) from None
        if self.min is not None and number < self.min:
            raise UsageError(fact("usage.below", name=name, n=number, least=int(self.min)), hint)
        if self.max is not None and number > self.max:
            raise UsageError(fact("usage.above", name=name, n=number, most=int(self.max)), hint)
        return number


class Sizes(_Sizes):
    """One to three integers from 1, as the sizes of a grid or a block: `8,8`."""

    name = "sizes"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the sizes. Raises UsageError: they are something else."""
        name = param.opts[-1] if param else ""
        parts = str(value).split(",")
        if len(parts) <= _MOST_AXES and all(SIZE.fullmatch(part) for part in parts):
            return tuple(map(int, parts))
        hint = fact("usage.sizes-example", name=name)
        raise UsageError(fact("usage.not-sizes", name=name, text=str(value)), hint)


class OneOf(_Choice):
    """One of a few words; another is refused, with those there are."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word. Raises UsageError: it is another one."""
        known = {str(choice).lower(): str(choice) for choice in self.choices}
        found = known.get(str(value).lower() if not self.case_sensitive else str(value))
        if found is None:
            name = param.opts[-1] if param else ""
            hint = suggest(value, known.values())
            raise UsageError(fact("usage.not-a-choice", name=name, text=value), hint)
        return found


class Value(Named):
    """A value for the setting named before it."""

    def list_names(self, ctx: click.Context) -> Iterable[tuple[str, str]]:
        """The values that the setting can have; none where it may be anything."""
        key = ctx.params.get("key") or ""
        values = themes.THEMES if key == "theme" else choices(key) if key in keys() else ()
        if key.startswith(PACK_KEY):
            values = ("true", "false")
        return [(value, "") for value in values]


def kind_names() -> dict[str, str]:
    """Return the id of each kind of question by its names: the id, and one in each language."""
    names = {Words(language)(f"kind.{kind}"): kind for language in LANGUAGES for kind in KINDS}
    return names | {kind: kind for kind in KINDS}


def _kinds() -> Iterable[tuple[str, str]]:
    say = Words(person_language())
    return [(kind, say(f"kind.{kind}")) for kind in KINDS]


def _settings() -> Iterable[tuple[str, str]]:
    say = Words(person_language())
    yield from ((key, say.fact(describe(key))) for key in keys())
    named = bindings.KEYS
    yield from ((f"{key}.{name}", title) for key in PER_PACK for name, title in _packs())
    yield from ((f"{BINDING}{name}", say("completion.binding", name=name)) for name in named)


def _topics() -> Iterable[tuple[str, str]]:
    topics = read_deck(surroundings()).topics
    say = Words(person_language())
    return [(topic, say("count.questions", n=count)) for topic, count in topics.items()]


def _questions() -> Iterable[tuple[str, str]]:
    entries, names = read_deck(surroundings()).entries.values(), dict(_kinds())
    return [(entry.id, f"{entry.topic}, {names[entry.kind]}") for entry in entries]


def _packs() -> Iterable[tuple[str, str]]:
    say = Words(person_language())
    return [(pack.id, say.topic(pack.titles)) for pack in read_deck(surroundings()).packs.values()]


KIND = Kind("kind", _kinds)
NEW_KIND = Writable("kind", lambda: [*_kinds(), (MOCK_FOLDER, "")])
TOPIC = Named("topic", _topics)
QUESTION = Named("question", _questions)
PACK = Named("pack", _packs)
CODE_LANGUAGE = OneOf(CODE_LANGUAGES)
FAULT = Named("kind", lambda: [(kind, "") for kind in SPOTTABLE])
SETTING = Named("key", _settings)
VALUE = Value("value", tuple)


html_option = click.option(
    "--html", type=OutputFile(".html", ".htm", dir_okay=False), metavar="FILE"
)
