"""Writes a new question or theme from its template: chooses place and id, overwrites nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.facts import fact
from quizapp.deck import packs, yaml_reader
from quizapp.deck.index import MOCK_FOLDER
from quizapp.deck.writing import templates
from quizapp.deck.writing.overlay import write_schema
from quizapp.domain.errors import UsageError
from quizapp.system.files import replace_file, write_folder

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck
    from quizapp.domain.question import Language

OWN_PACK = "mine"
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


class QuestionPlace(NamedTuple):
    """Where a question goes: its folder, the pack it then belongs to, the folder of the schema."""

    folder: Path
    pack: str
    schema: Path


def own_place(own: Path, pack: str) -> QuestionPlace:
    """Return the place of a pack in the person's own content."""
    _check_slug(pack)
    return QuestionPlace(own / pack, pack, own)


def place_in(folder: Path) -> QuestionPlace:
    """Return `folder` as a place; its pack is the nearest folder above with a pack.yaml."""
    for above in (folder, *folder.parents):
        if (above / "pack.yaml").exists():
            return QuestionPlace(folder, above.name, above.parent)
    return QuestionPlace(folder, folder.name, folder)


def write_question(
    deck: Deck, place: QuestionPlace, kind: str, name: str | None, language: Language
) -> Path:
    """Write a question that lints as it stands, and the schema for the editor.

    `kind`: one of `templates.KINDS`. `name`: its id within the pack; None for the first free one.
    `language`: the person's, for the comments and beside the languages of the pack.

    Returns:
        The file to edit.

    Raises UsageError: the id is not valid or not free, or pack.yaml cannot be read.
    """
    if name is not None:
        _check_slug(name)
    name = name or _free_name(deck, place, kind)
    target = _target(place, name, kind)
    _check_free(deck, f"{place.pack}/{name}", target)
    folder = target if kind in templates.IN_FOLDERS else target.parent
    languages = {*_pack_languages(place), language}
    schema = os.path.relpath(write_schema(place.schema), folder)
    texts = templates.files(kind, name, schema, languages, language)
    contents = {below: text.encode() for below, text in texts.items()}
    if kind in templates.IN_FOLDERS:
        write_folder(target, contents)
    else:
        replace_file(target, contents[target.name])
    return folder / next(iter(contents))


def write_theme(place: QuestionPlace, name: str | None, language: Language) -> Path:
    """Write a theme of a mock interview that lints as it stands, and the schema for the editor.

    `place`: its pack's folder, or the folder `mock` in it. `name`: its id within the pack; None for
    the first free one. `language`: the person's, for the comments and beside the languages of the
    pack.

    Raises UsageError: the id is not valid or not free, or pack.yaml cannot be read.
    """
    if name is not None:
        _check_slug(name)
    pack = place.schema / place.pack
    folder = (pack if (pack / "pack.yaml").exists() else place.folder) / MOCK_FOLDER
    names = ("new-mock" if i == 1 else f"new-mock-{i}" for i in count(1))
    name = name or next(each for each in names if not (folder / f"{each}.yaml").exists())
    target = folder / f"{name}.yaml"
    if target.exists():
        raise UsageError(fact("new.exists", path=str(target)))
    schema = os.path.relpath(write_schema(place.schema), folder)
    text = templates.theme_text(name, schema, {*_pack_languages(place), language}, language)
    replace_file(target, text.encode())
    return target


def _check_slug(slug: str) -> None:
    if not _SLUG.match(slug):
        raise UsageError(fact("new.no-id", id=slug))


def _free_name(deck: Deck, place: QuestionPlace, kind: str) -> str:
    """Return `new-choice`, or with a number if that is taken."""
    names = (f"new-{kind}" if i == 1 else f"new-{kind}-{i}" for i in count(1))
    return next(
        name
        for name in names
        if f"{place.pack}/{name}" not in deck.entries and not _target(place, name, kind).exists()
    )


def _check_free(deck: Deck, question: str, target: Path) -> None:
    """Check that neither the question nor its place exists.

    Raises UsageError: one does: it would be overlaid, or overwritten.
    """
    if target.exists():
        raise UsageError(fact("new.exists", path=str(target)))
    taken = deck.entries.get(question)
    if taken is not None:
        raise UsageError(fact("new.taken", id=taken.id, file=taken.file, line=taken.line))


def _target(place: QuestionPlace, name: str, kind: str) -> Path:
    """Return the file that is written, or the folder."""
    return place.folder / (name if kind in templates.IN_FOLDERS else f"{name}.yaml")


def _pack_languages(place: QuestionPlace) -> Collection[Language]:
    """Return the languages that the pack promises its prose in."""
    file = place.schema / place.pack / "pack.yaml"
    if not file.exists():
        return packs.Pack().languages
    try:
        return msgspec.convert(yaml_reader.read(file.read_bytes()).data, packs.Pack).languages
    except (yaml_reader.InvalidYaml, msgspec.ValidationError):
        unreadable = fact("new.unreadable-pack", file=str(file), folder=str(file.parent))
        raise UsageError(unreadable) from None
