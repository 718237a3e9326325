"""What surrounds a subcommand: paths, settings, the study, the deck."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from quizapp import __version__
from quizapp.commands.common.output import note
from quizapp.deck import content
from quizapp.report.studying import upgrading
from quizapp.report.words import Words
from quizapp.study import opening
from quizapp.system import logs
from quizapp.system.config import Settings, load
from quizapp.system.language import person_language
from quizapp.system.paths import Paths, find_paths

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck
    from quizapp.study.service import Study


class Surroundings(NamedTuple):
    """Where things lie, and what the person set."""

    paths: Paths
    settings: Settings


def surroundings() -> Surroundings:
    """Read what applies to this command.

    Raises BadSetting: the settings file or a variable holds what it cannot.
    """
    paths = find_paths()
    return Surroundings(paths, load(paths.config))


@contextmanager
def open_progress(
    name: str, where: Surroundings | None = None, *, only_reading: bool = False
) -> Iterator[Study]:
    """Open a study on the person's progress, logged under the command's name.

    `only_reading`: the command works where the database cannot be written.

    Raises StoreError: the database cannot be used.
    """
    paths, settings = where or surroundings()
    logs.set_up(paths.log)
    logs.record(name, version=__version__)
    shown = upgrading.show_upgrade()
    with opening.open_study(paths, settings, only_reading=only_reading, progress=shown) as study:
        if study.store.newly_aside:
            note(Words(person_language())("store.set-aside", n=study.store.newly_aside))
        yield study


def read_deck(where: Surroundings) -> Deck:
    """Read all questions, without any progress."""
    return content.load_deck(where.paths, where.settings)
