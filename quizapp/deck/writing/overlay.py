"""Changed copies: a file of the person's own that overrides the question it was copied from.

A kernel's copy is a folder, with all its Python files. Decides what may be edited where it stands
and what is copied first, cuts a question's lines out of its file, and takes copies back. Never
writes to an installed pack, and never over anything of the person's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill

from grader.facts import Fact, fact
from quizapp.deck import yaml_reader
from quizapp.deck.code_files import LONGEST, code_files
from quizapp.deck.content import yaml_below
from quizapp.deck.index import FOLDER_FILE, SET_ASIDE, Entry
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.deck.writing.schema import schema
from quizapp.deck.yaml_reader import Document, InvalidYaml
from quizapp.domain.errors import DeckError, UsageError
from quizapp.system.files import name_unwritable, remove_folder, replace_file, write_folder
from quizapp.system.paths import Paths, is_checkout, shipped_content

SCHEMA_FILE = "schema.json"

_MODELINE = "yaml-language-server:"
_HEADER = """\
# {modeline} $schema={schema}
# Your copy of {id}: it goes before the question it was copied from.
# `quiz edit --revert {id}` brings that one back.
"""
_COLUMNS = 100


def editable_copy(entry: Entry, paths: Paths) -> tuple[Path, int]:
    """Return the file to edit a question in, and the line (1-based) where it begins there.

    One in a folder of the person's own is edited in place; a shipped one in a copy, in a checkout
    too, which is made here unless there is one.

    Raises:
        DeckError: the question is no longer where the deck says, or the copy's place is taken.
        EnvironmentProblem: the copy cannot be written.
    """
    copy = _copy_path(entry, paths)
    if is_edited_in_place(entry, paths):
        return Path(entry.file), entry.line
    if not copy.exists():
        _make(copy, entry)
        write_schema(paths.own_content)
    return copy, _line_in(copy, entry)


def is_edited_in_place(entry: Entry, paths: Paths) -> bool:
    """True if editing changes the question where it is; a copy would become the person's own."""
    return not _copy_path(entry, paths).exists() and _in_place(Path(entry.file))


def original(entry: Entry) -> tuple[Path, int]:
    """Return the file in which a question's author edits it, and its line, from 1.

    Raises UsageError: a copy overrides it, or it was installed and the next upgrade replaces it.
    """
    source = Path(entry.file)
    if entry.changed:
        raise UsageError(fact("overlay.source-overridden", question=entry.id, file=entry.file))
    if source.is_relative_to(shipped_content()) and not is_checkout(source):
        raise UsageError(fact("overlay.source-installed", file=entry.file))
    return source, entry.line


def drop_unchanged(entry: Entry, paths: Paths) -> bool:
    """Remove the copy that `editable_copy` made if nothing changed; return True if removed.

    `entry` is the question as it was before editing.
    """
    copy = _copy_path(entry, paths)
    if Path(entry.file) == copy or not copy.exists():
        return False
    contents, folder = _contents(entry), _own_folder(copy, entry, paths)
    if not _holds(folder or copy, contents):
        return False
    if folder is None:
        copy.unlink()
    else:
        remove_folder(folder)
    return True


def revert(entry: Entry, paths: Paths) -> Path:
    """Take a changed copy out of the deck; return where it is kept, beside its old place.

    Raises:
        UsageError: there is no copy, or taking it away would take more than that.
        EnvironmentProblem: the folder cannot be written.
    """
    copy = _copy_path(entry, paths)
    if not copy.exists():
        raise UsageError(fact("overlay.no-copy", question=entry.id, file=entry.file))
    if Path(entry.file) == copy and not entry.changed:
        raise UsageError(fact("overlay.own-question", file=str(copy)))
    moved = _own_folder(copy, entry, paths) or copy
    others = [name for name in _ids_below(moved) if name != _local(entry)]
    if others:
        raise UsageError(
            fact(
                "overlay.holds-more", place=str(moved), others=tuple(others), question=_local(entry)
            )
        )
    aside = _free_name(moved)
    with name_unwritable(aside):
        moved.rename(aside)
    return aside


def write_schema(folder: Path) -> Path:
    """Write the JSON Schema into `folder`, for the editor; never over a foreign file."""
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


def _in_place(source: Path) -> bool:
    """Return True if the file is not a shipped one, and can be changed."""
    return not source.is_relative_to(shipped_content()) and os.access(source, os.W_OK)


def _copy_path(entry: Entry, paths: Paths) -> Path:
    """Return where the person's version of a question is, or would be."""
    source = Path(entry.file)
    if source.is_relative_to(paths.own_content):
        return source
    if entry.kind == "kernel":
        return paths.own_content / entry.id / FOLDER_FILE
    return paths.own_content / f"{entry.id}.yaml"


def _own_folder(copy: Path, entry: Entry, paths: Paths) -> Path | None:
    """Return the folder of a copy that has one, with Python; None for a file. Never a pack."""
    folder = copy.parent
    if copy.name != FOLDER_FILE or folder.parent == paths.own_content:
        return None
    return folder if entry.kind == "kernel" or code_files(folder) else None


def _make(copy: Path, entry: Entry) -> None:
    """Write the copy, whole.

    Raises:
        DeckError: something stands in its place, or the question is gone.
        EnvironmentProblem: it cannot be written.
    """
    contents = _contents(entry)
    if copy.name != FOLDER_FILE:
        replace_file(copy, contents[copy.name])
        return
    folder = copy.parent
    taken = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    if taken:
        raise DeckError(_describe_obstacle(folder, entry, taken), fact("overlay.rename-folder"))
    write_folder(folder, contents)


def _describe_obstacle(place: Path, entry: Entry, names: Iterable[str]) -> Fact:
    """Say that something else is where a copy belongs."""
    return fact("overlay.taken", place=str(place), question=entry.id, names=tuple(names))


def _holds(place: Path, contents: Mapping[str, bytes]) -> bool:
    """Return True if a file, or a folder with all below it, is exactly this."""
    if not place.is_dir():
        return contents == {place.name: place.read_bytes()}
    found = {p.relative_to(place).as_posix() for p in place.rglob("*") if not p.is_dir()}
    return found == set(contents) and all(
        (place / name).read_bytes() == content for name, content in contents.items()
    )


def _local(entry: Entry) -> str:
    return entry.id.split("/", 1)[1]


def _line_in(copy: Path, entry: Entry) -> int:
    """Return the line of the question in its copy; 1 while the copy is not YAML, to be fixed.

    Raises DeckError: the file holds other questions only.
    """
    document = _document(copy)
    if document is None:
        return 1
    names = _ids(document)
    if _local(entry) not in names:
        if names:
            raise DeckError(_describe_obstacle(copy, entry, names), fact("overlay.rename-file"))
        return 1
    return document.locate(names[_local(entry)])[0]


def _document(path: Path) -> Document | None:
    """Parse the file as YAML; None if there is none."""
    try:
        return yaml_reader.read(read_regular(str(path)))
    except (InvalidYaml, OSError):
        return None


def _ids(document: Document) -> dict[str, yaml_reader.FieldPath]:
    """Collect the ids in a file, each with the path of its question."""
    return {
        str(item["id"]): path
        for path, item in document.questions
        if isinstance(item, dict) and "id" in item
    }


def _ids_below(place: Path) -> Iterator[str]:
    """Yield the ids in a file, or in all files of a folder that a deck would read."""
    for file in yaml_below(place) if place.is_dir() else [place]:
        document = _document(file)
        yield from _ids(document) if document else ()


def _contents(entry: Entry) -> dict[str, bytes]:
    """Return the copy's files by their names; of a kernel, by their paths below its folder.

    Raises DeckError: the question is no longer where the deck says.
    """
    if entry.kind != "kernel":
        return {f"{_local(entry)}.yaml": _write_yaml(entry, f"../{SCHEMA_FILE}", ())}
    folder = Path(entry.file).parent
    beside = code_files(folder)
    try:
        python = {name: read_regular(str(folder / name), LONGEST, str(folder)) for name in beside}
    except IrregularFile as error:
        what = fact("overlay.irregular", question=entry.id, reason=error.what, folder=str(folder))
        raise DeckError(what) from None
    except FileNotFoundError as error:
        what = fact("overlay.part-gone", file=str(error.filename), question=entry.id)
        raise DeckError(what, fact("overlay.try-again")) from None
    return {FOLDER_FILE: _write_yaml(entry, f"../../{SCHEMA_FILE}", beside), **python}


def _write_yaml(entry: Entry, schema: str, beside: Sequence[str]) -> bytes:
    """Write the copy's YAML: a header, then the question's own lines, comments and all."""
    document = _document(Path(entry.file))
    if document is None or _local(entry) not in _ids(document):
        what = fact("overlay.gone", question=entry.id, file=entry.file)
        raise DeckError(what, fact("overlay.try-again"))
    path = _ids(document)[_local(entry)]
    question = dict(document.questions)[path]
    lines = Path(entry.file).read_bytes().splitlines(keepends=True)
    if path:
        lines = _lines_of(lines, document, path)
    body = b"".join(line for line in lines if _MODELINE.encode() not in line)
    if not _says(body, question):
        # A flow list, for one, has no lines of its own. JSON is YAML.
        body = json.dumps([question], indent=2, ensure_ascii=False).encode()
    header = _HEADER.format(modeline=_MODELINE, schema=schema, id=entry.id)
    if beside:
        text = f"Beside it, part of the copy: {', '.join(beside)}"
        header += _comment(text)
    return header.encode() + body.rstrip() + b"\n"


def _comment(text: str) -> str:
    """Write a sentence as comment lines, keeping names of files whole."""
    lines = fill(
        text, _COLUMNS, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False
    )
    return f"{lines}\n"


def _lines_of(lines: list[bytes], document: Document, path: yaml_reader.FieldPath) -> list[bytes]:
    """Return the lines of one item of a list, from the comments above it to the next item's."""
    begins = [_first_line(lines, document.locate(p)[0] - 1) for p, _ in document.questions]
    position = [p for p, _ in document.questions].index(path)
    return lines[begins[position] : (*begins, len(lines))[position + 1]]


def _first_line(lines: list[bytes], line: int) -> int:
    """Go up from the line (0-based) of an item's first key to its dash and the comments above."""
    while line > 0 and not lines[line].lstrip().startswith(b"-"):
        line -= 1
    while line > 0 and lines[line - 1].lstrip().startswith(b"#"):
        line -= 1
    return line


def _says(text: bytes, question: object) -> bool:
    """Return True if a text, read alone, is this one question."""
    try:
        document = yaml_reader.read(text)
    except InvalidYaml:
        return False
    return [item for _, item in document.questions] == [question] and not document.faults


def _free_name(place: Path) -> Path:
    """Find a free name beside `place` that no deck reads."""
    number = 1
    while True:
        aside = place.with_name(f"{place.name}{SET_ASIDE}{'' if number == 1 else f'-{number}'}")
        if not aside.exists():
            return aside
        number += 1
