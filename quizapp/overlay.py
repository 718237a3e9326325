"""Changed copies: a file of the person's own that goes before the question it was copied from.

Decides what may be edited where it stands and what is copied first, cuts a question's lines out of
its file, and takes copies back. Never writes to an installed pack.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quizapp.deck import yaml_reader
from quizapp.deck.index import Entry
from quizapp.deck.schema import schema
from quizapp.deck.yaml_reader import Document, Unreadable
from quizapp.errors import DeckError, EnvironmentProblem, UsageError
from quizapp.paths import Paths, is_checkout, shipped_content

SCHEMA_FILE = "schema.json"

_MODELINE = "yaml-language-server:"
_HEADER = """\
# {modeline} $schema=../{schema}
# Your copy of {id}: it goes before the question it was copied from.
# `quiz edit --revert {id}` brings that one back.
"""


def editable_copy(entry: Entry, paths: Paths) -> tuple[Path, int]:
    """The file to edit a question in, and the line (1-based) where the question begins there.

    A checkout's question, and one in a folder of the person's own, is edited where it stands; one
    of an installed pack in a copy, which is made here unless there is one.

    Raises:
        DeckError: the question is no longer where the deck says, or the copy's place is taken.
        EnvironmentProblem: the copy cannot be written.
    """
    source = Path(entry.file)
    copy = _copy_path(entry, paths)
    if not copy.exists() and _in_place(source):
        return source, entry.line
    if not copy.exists():
        replace_file(copy, _copied(entry))
        write_schema(paths.own_content)
    return copy, _line_in(copy, entry)


def drop_unchanged(entry: Entry, paths: Paths) -> bool:
    """Remove the copy that `editable_copy` made if it was left as it is; whether it was.

    `entry` is the question as it was before editing.
    """
    copy = _copy_path(entry, paths)
    made_here = Path(entry.file) != copy and copy.exists()
    if not made_here or copy.read_bytes() != _copied(entry):
        return False
    copy.unlink()
    return True


def revert(entry: Entry, paths: Paths) -> Path:
    """Take a changed copy out of the deck; where it is kept, beside its old place.

    Raises:
        UsageError: there is no copy, or taking it away would take more than that.
        EnvironmentProblem: the folder cannot be written.
    """
    copy = _copy_path(entry, paths)
    if not copy.exists():
        raise UsageError(f"{entry.id} has not been changed", f"it stands in {entry.file}")
    if Path(entry.file) == copy and not entry.changed:
        what = f"{copy} is your own question, not a copy: there is nothing to go back to"
        raise UsageError(what, "delete the file to remove the question")
    document = _document(copy)
    others = [name for name in _ids(document) if name != _local(entry)] if document else []
    if others:
        what = f"{copy} also holds {', '.join(others)}"
        raise UsageError(what, f"remove the question '{_local(entry)}' from it by hand")
    aside = _free_name(copy)
    with _written(aside):
        copy.rename(aside)
    return aside


def write_schema(folder: Path) -> Path:
    """The JSON Schema in `folder`, for the editor; a file of somebody else's stays as it is."""
    path = folder / SCHEMA_FILE
    wanted = schema()
    text = (json.dumps(wanted, indent=2) + "\n").encode()
    try:
        found = path.read_bytes()
        ours = json.loads(found)["title"] == wanted["title"]
    except FileNotFoundError:
        found, ours = b"", True
    except (OSError, ValueError, TypeError, KeyError):
        return path
    if ours and found != text:
        replace_file(path, text)
    return path


def replace_file(path: Path, content: bytes) -> None:
    """Write beside, then rename: a reader sees the old file or the new one whole.

    Raises:
        EnvironmentProblem: nothing was written.
    """
    with _written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(beside).chmod(0o644)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """Say of an `OSError` which file could not be written."""
    try:
        yield
    except OSError as error:
        what = f"{path} cannot be written: {error.strerror}"
        raise EnvironmentProblem(
            what, "see that the folder is yours and the disk has room"
        ) from None


def _in_place(source: Path) -> bool:
    """Whether editing changes the content itself, as its author wants, and can."""
    installed = source.is_relative_to(shipped_content()) and not is_checkout(source)
    return not installed and os.access(source, os.W_OK)


def _copy_path(entry: Entry, paths: Paths) -> Path:
    """Where the person's version of a question is, or would be."""
    source = Path(entry.file)
    if source.is_relative_to(paths.own_content):
        return source
    return paths.own_content / f"{entry.id}.yaml"


def _local(entry: Entry) -> str:
    return entry.id.split("/", 1)[1]


def _line_in(copy: Path, entry: Entry) -> int:
    """The line of the question in its copy; 1 while the copy is no YAML, so that it can be mended.

    Raises:
        DeckError: the file holds other questions only.
    """
    document = _document(copy)
    if document is None:
        return 1
    names = _ids(document)
    if _local(entry) not in names:
        if names:
            what = f"{copy} is where your copy of {entry.id} belongs, but holds {', '.join(names)}"
            raise DeckError(what, "give that file another name")
        return 1
    return document.locate(names[_local(entry)])[0]


def _document(path: Path) -> Document | None:
    """The file as YAML; None where there is none."""
    try:
        return yaml_reader.read(path.read_bytes())
    except (Unreadable, OSError):
        return None


def _items(document: Document) -> list[tuple[yaml_reader.Path, Any]]:
    """The questions of a file, which holds a list of them or a single one, each with its path."""
    if isinstance(document.data, list):
        return [((i,), item) for i, item in enumerate(document.data)]
    return [((), document.data)]


def _ids(document: Document) -> dict[str, yaml_reader.Path]:
    """The ids in a file, each with where its question stands."""
    return {
        str(item["id"]): path
        for path, item in _items(document)
        if isinstance(item, dict) and "id" in item
    }


def _copied(entry: Entry) -> bytes:
    """The copy's content: a header, then the question's own lines, comments and all."""
    document = _document(Path(entry.file))
    if document is None or _local(entry) not in _ids(document):
        what = f"{entry.id} is no longer in {entry.file}"
        raise DeckError(what, "the file was changed just now: try again")
    path = _ids(document)[_local(entry)]
    question = dict(_items(document))[path]
    lines = Path(entry.file).read_bytes().splitlines(keepends=True)
    if path:
        lines = _lines_of(lines, document, path)
    body = b"".join(line for line in lines if _MODELINE.encode() not in line)
    if not _says(body, question):
        # A flow list, for one, has no lines of its own. JSON is YAML.
        body = json.dumps([question], indent=2, ensure_ascii=False).encode()
    header = _HEADER.format(modeline=_MODELINE, schema=SCHEMA_FILE, id=entry.id)
    return header.encode() + body.rstrip() + b"\n"


def _lines_of(lines: list[bytes], document: Document, path: yaml_reader.Path) -> list[bytes]:
    """The lines of one item of a list, from the comments above it to the next item's."""
    begins = [_first_line(lines, document.locate(p)[0] - 1) for p, _ in _items(document)]
    position = [p for p, _ in _items(document)].index(path)
    return lines[begins[position] : (*begins, len(lines))[position + 1]]


def _first_line(lines: list[bytes], line: int) -> int:
    """From the line (0-based) of an item's first key up to its dash, and the comments above."""
    while line > 0 and not lines[line].lstrip().startswith(b"-"):
        line -= 1
    while line > 0 and lines[line - 1].lstrip().startswith(b"#"):
        line -= 1
    return line


def _says(text: bytes, question: object) -> bool:
    """Whether a text, read alone, is this one question."""
    try:
        document = yaml_reader.read(text)
    except Unreadable:
        return False
    return [item for _, item in _items(document)] == [question] and not document.faults


def _free_name(copy: Path) -> Path:
    """A name beside `copy` that is free, and that no deck reads."""
    number = 1
    while True:
        aside = copy.with_name(f"{copy.name}.reverted{'' if number == 1 else f'-{number}'}")
        if not aside.exists():
            return aside
        number += 1
