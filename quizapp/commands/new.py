"""`quiz new`: writes a question that already lints, a file or a folder, with the schema."""

from __future__ import annotations

import os
import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from quizapp.commands import _templates
from quizapp.commands._output import note
from quizapp.commands._params import KIND, PACK
from quizapp.commands._shared import Surroundings, read_deck, subcommand, surroundings
from quizapp.commands.lint import absolute
from quizapp.errors import UsageError
from quizapp.files import replace_file, write_folder
from quizapp.overlay import write_schema

if TYPE_CHECKING:
    from quizapp.deck.deck import Deck

OWN_PACK = "mine"
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


class Place(NamedTuple):
    """Where a file goes: its folder, the pack it then belongs to, and the folder of the schema."""

    folder: Path
    pack: str
    schema: Path


@subcommand(
    "Write a question file that already lints.",
    "quiz new choice",
    "quiz new number --pack mine --id pitch-of-33",
    "quiz new recall --to content/shared-memory/interview --id warp-shuffle",
)
@click.argument("kind", type=KIND)
@click.option("--pack", type=PACK, help=f"A pack of your own, '{OWN_PACK}' if not given.")
@click.option("--id", "name", metavar="ID", help="Its id: lower-case words joined by hyphens.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write it here, instead of into your own content.",
)
def command(kind: str, pack: str | None, name: str | None, folder: Path | None) -> None:
    """Prints the file's path. KIND is recall, choice, number, trace, index, kernel or spot.

    A kernel is a folder: question.yaml, and the starter, the solution and the rest beside it.
    With --to the pack is the nearest folder above that holds a pack.yaml, or FOLDER itself.
    """
    if pack is not None and folder is not None:
        what = "--pack and --to both say where the file goes"
        raise UsageError(what, "give one of them; with --to, the folder says which pack it is")
    where = surroundings()
    place = _place(where, pack or OWN_PACK, folder)
    for slug in (pack, name):
        if slug is not None and not _SLUG.match(slug):
            raise UsageError(f"'{slug}' is no id", "write lower-case words joined by hyphens")
    deck = read_deck(where)
    name = name or _free_name(deck, place, kind)
    target = _target(place, name, kind)
    _refuse_taken(deck, f"{place.pack}/{name}", target)
    folder = target if kind in _templates.IN_FOLDERS else target.parent
    schema = os.path.relpath(write_schema(place.schema), folder)
    texts = _templates.files(kind, name, schema, _languages(place))
    contents = {below: text.encode() for below, text in texts.items()}
    if kind in _templates.IN_FOLDERS:
        write_folder(target, contents)
    else:
        replace_file(target, contents[target.name])
    path = folder / next(iter(contents))
    print(path)
    note(f"Next: write your question over the example, then\n  quiz preview {path} --watch")


def _place(where: Surroundings, pack: str, folder: Path | None) -> Place:
    if folder is None:
        own = where.paths.own_content
        return Place(own / pack, pack, own)
    folder = absolute(folder)
    for above in (folder, *folder.parents):
        if (above / "pack.yaml").exists():
            return Place(folder, above.name, above.parent)
    return Place(folder, folder.name, folder)


def _free_name(deck: Deck, place: Place, kind: str) -> str:
    """`new-choice`, or with a number when that is taken."""
    names = (f"new-{kind}" if i == 1 else f"new-{kind}-{i}" for i in count(1))
    return next(
        name
        for name in names
        if f"{place.pack}/{name}" not in deck.entries and not _target(place, name, kind).exists()
    )


def _refuse_taken(deck: Deck, question: str, target: Path) -> None:
    """See that neither the question nor its place is there.

    Raises:
        UsageError: one of them is: it would be overlaid, or overwritten.
    """
    if target.exists():
        todo = "choose another with --id, or edit what is there"
        raise UsageError(f"{target} exists already", todo)
    taken = deck.entries.get(question)
    if taken is not None:
        what = f"there is a question {taken.id} already, at {taken.file}:{taken.line}"
        raise UsageError(what, f"choose another with --id, or `quiz edit {taken.id}`")


def _target(place: Place, name: str, kind: str) -> Path:
    """The file that is written, or the folder."""
    return place.folder / (name if kind in _templates.IN_FOLDERS else f"{name}.yaml")


def _languages(place: Place) -> tuple[str, ...]:
    """What the pack promises its prose is written in."""
    import msgspec  # noqa: PLC0415 - with the next, 40 ms

    from quizapp.deck import yaml_reader  # noqa: PLC0415
    from quizapp.deck.compile import Pack  # noqa: PLC0415

    file = place.schema / place.pack / "pack.yaml"
    if not file.exists():
        return Pack().languages
    try:
        return msgspec.convert(yaml_reader.read(file.read_bytes()).data, Pack).languages
    except (yaml_reader.Unreadable, msgspec.ValidationError):
        raise UsageError(f"{file} cannot be read", f"see `quiz lint {file.parent}`") from None
