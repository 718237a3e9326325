"""What subcommands share: how they are declared, what surrounds them, how they ask."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import cleandoc
from typing import TYPE_CHECKING, NamedTuple

import click

from quizapp import __version__, logs
from quizapp.config import Settings, load
from quizapp.errors import EnvironmentProblem, UsageError
from quizapp.paths import Paths, find_paths

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck
    from quizapp.study.service import Study

Callback = Callable[..., int | None]


def subcommand(summary: str, *examples: str) -> Callable[[Callback], click.Command]:
    """Declare a subcommand: its line of help, and whole command lines that show its use.

    The callback's docstring says more, where there is more to say.
    """
    epilog = "\n".join(["\b", "Examples:", *(f"  {example}" for example in examples)])

    def declare(callback: Callback) -> click.Command:
        text = f"{summary}\n\n{cleandoc(callback.__doc__ or '')}"
        return click.command(help=text, short_help=summary, epilog=epilog)(callback)

    return declare


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


class Surroundings(NamedTuple):
    """Where things lie, and what the person set."""

    paths: Paths
    settings: Settings


def surroundings() -> Surroundings:
    """What applies to this command.

    Raises:
        BadSetting: the settings file or a variable holds what it cannot.
    """
    paths = find_paths()
    return Surroundings(paths, load(paths.config))


@contextmanager
def opened(name: str, where: Surroundings | None = None) -> Iterator[Study]:
    """A study on the person's progress, logged under the command's name.

    Raises:
        StoreError: the database cannot be used.
    """
    from quizapp.study.opening import open_study  # noqa: PLC0415 - 150 ms: SQLAlchemy

    paths, settings = where or surroundings()
    logs.set_up(paths.log)
    logs.record(name, version=__version__)
    with open_study(paths, settings) as study:
        yield study


def read_deck(where: Surroundings) -> Deck:
    """All questions, without anybody's progress."""
    from quizapp.deck.content import load_deck  # noqa: PLC0415

    return load_deck(where.paths, where.settings)


def confirm(question: str, wanted: Sequence[str]) -> None:
    """Go on only when one of `wanted` is typed.

    Raises:
        UsageError: nobody can answer.
        Abort: the answer was another one.
    """
    print(question, end=" ", file=sys.stderr, flush=True)
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        print(file=sys.stderr)
        raise UsageError("nobody answered, so nothing was changed", "--yes goes on without asking")
    if line.strip().lower() not in wanted:
        print("Nothing was changed.", file=sys.stderr)
        raise click.Abort


def require_terminal(for_what: str, instead: str) -> None:
    """See that a screen can be drawn.

    Raises:
        EnvironmentProblem: `for_what` cannot run here; `instead` is what can.
    """
    if not is_terminal():
        raise EnvironmentProblem(f"{for_what} needs a terminal, and this is none", instead)
    if not can_draw():
        term = os.environ.get("TERM") or "not set"
        raise EnvironmentProblem(f"{for_what} cannot draw here: TERM is {term}", instead)


def is_terminal() -> bool:
    """Whether a person sits at both ends; a closed stream is None."""
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams)


def can_draw() -> bool:
    """Whether a screen can be drawn."""
    return is_terminal() and os.environ.get("TERM", "") not in ("", "dumb")
