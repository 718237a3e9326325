"""Where content is, and the deck of it: shipped, installed, in configured folders, the person's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.deck.deck import Deck, load
from quizapp.deck.index import (
    BESIDE_PACKS,
    FOLDER_FILE,
    MOCK_FOLDER,
    PACK_FILE,
    YAML,
    ContentRoot,
    is_read,
)
from quizapp.system.paths import Paths, absolute, shipped_content

if TYPE_CHECKING:
    from quizapp.system.config import Settings


def content_roots(paths: Paths, settings: Settings) -> list[ContentRoot]:
    """List where content is; later places overlay earlier ones."""
    shipped, installed, own = (
        ContentRoot(str(folder), "")
        for folder in (shipped_content(), paths.installed_packs, paths.own_content)
    )
    configured = (content_root_of(configured_root(name)) for name in settings.content)
    return [shipped, installed, *configured, own]


def configured_root(name: str) -> Path:
    """Make the path in the setting `content` absolute."""
    return absolute(Path(name).expanduser())


def content_root_of(path: Path) -> ContentRoot:
    """Interpret a person's path: a folder of packs, a folder of questions, or a file."""
    if path.suffix in YAML and not path.is_dir():
        root = root_of(path)
        return ContentRoot(str(root), path.relative_to(root).as_posix())
    questions = [file for file in _yaml_in(path) if file.name not in BESIDE_PACKS]
    if not questions or any(path.glob(f"*/{PACK_FILE}")):
        return ContentRoot(str(path), "")
    root = root_of(questions[0])
    return ContentRoot(str(root), path.relative_to(root).as_posix())


def root_of(file: Path) -> Path:
    """Find the folder of packs of a file: above the folder that holds `pack.yaml`.

    Without one, above the folder it is in, or that its question's own folder, or `mock`, is in.
    """
    for folder in file.parents:
        if (folder / PACK_FILE).exists():
            return folder.parent
    in_folder = file.name == FOLDER_FILE or file.parent.name == MOCK_FOLDER
    pack = file.parent.parent if in_folder else file.parent
    return pack.parent


def _yaml_in(folder: Path) -> list[Path]:
    """List the YAML files directly in a folder that a deck would read."""
    if not folder.is_dir():
        return []
    files = (file for file in folder.iterdir() if file.suffix in YAML and is_read(file.name))
    return sorted(file for file in files if not file.is_dir())


def load_deck(paths: Paths, settings: Settings) -> Deck:
    """Load the deck of all content roots."""
    return load(content_roots(paths, settings), str(paths.compiled_deck))


def yaml_below(folder: Path) -> Iterator[Path]:
    """Yield the YAML files of a folder that a deck would look at too, whatever they are."""
    for path in folder.rglob("*"):
        read = all(map(is_read, path.relative_to(folder).parts))
        if read and path.suffix in YAML and not path.is_dir():
            yield path
