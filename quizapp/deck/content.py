"""Where content lies, and the deck of it: shipped, in configured folders, the person's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.deck.deck import Deck, load
from quizapp.deck.index import is_read
from quizapp.paths import Paths, shipped_content

if TYPE_CHECKING:
    from quizapp.config import Settings


def content_roots(paths: Paths, settings: Settings) -> list[str]:
    """The folders that hold packs; later ones overlay earlier ones."""
    configured = (str(Path(folder).expanduser()) for folder in settings.content)
    return [str(shipped_content()), *configured, str(paths.own_content)]


def load_deck(paths: Paths, settings: Settings) -> Deck:
    """The deck of all content roots."""
    return load(content_roots(paths, settings), str(paths.compiled_deck))


def yaml_below(folder: Path) -> Iterator[Path]:
    """The YAML files of a folder that a deck would read too."""
    for path in folder.rglob("*"):
        read = all(map(is_read, path.relative_to(folder).parts))
        if read and path.suffix in (".yaml", ".yml") and path.is_file():
            yield path
