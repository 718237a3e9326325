"""Writes the known mistakes of a pack as edits of its kernels, where that is shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from grader.facts import fact
from quizapp.deck import yaml_reader
from quizapp.deck.code_files import CUDA, EDIT, LONGEST, PYTHON
from quizapp.deck.edits import BASES, apply_edit, write_edit
from quizapp.deck.index import FOLDER_FILE, WRONG_FOLDER
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.deck.yaml_reader import Document, FieldPath, InvalidYaml
from quizapp.domain.errors import DeckError
from quizapp.system.files import replace_file

_STEP = "  "


@dataclass(frozen=True, slots=True)
class Folded:
    """How many mistakes became edits, how many are still files, and how many lines that saved."""

    edits: int
    files: int
    lines: int


def fold_mistakes(pack: Path) -> Folded:
    """Write known mistakes as edits, and remove their files.

    `pack`: a folder with questions below it.

    Raises:
        DeckError: a question is not YAML, or a code file is not text; what was folded before stays.
        OSError: a file cannot be read, or written.
    """
    edits = files = lines = 0
    for folder in sorted(path.parent for path in pack.rglob(f"{WRONG_FOLDER}/")):
        if (folder / FOLDER_FILE).is_file():
            try:
                found = _fold_question(folder)
            except (InvalidYaml, IrregularFile) as error:
                reason = error.fault.what if isinstance(error, InvalidYaml) else error.what
                file = str(folder / FOLDER_FILE)
                raise DeckError(fact("pack.not-folded", file=file, reason=reason)) from None
            edits, files, lines = edits + found.edits, files + found.files, lines + found.lines
    return Folded(edits, files, lines)


class _Mistake(NamedTuple):
    """A mistake of a question that has a file: in a language, and what it is as an edit."""

    path: FieldPath
    ending: str
    file: Path
    edit: str


def _fold_question(folder: Path) -> Folded:
    question = folder / FOLDER_FILE
    text = read_regular(str(question))
    document = yaml_reader.read(text)
    lines = text.decode("utf-8").split("\n")
    found = list(_mistakes(folder, document.data))
    added = [(mistake, _added(mistake, document, lines)) for mistake in found if mistake.edit]
    folded = [(mistake, *more) for mistake, more in added if more is not None]
    end = "\r" if lines[0].endswith("\r") else ""
    for _, at, more in sorted(folded, key=lambda each: each[1], reverse=True):
        lines[at:at] = [line + end for line in more]
    if not folded:
        return Folded(0, len(found), 0)
    replace_file(question, "\n".join(lines).encode())
    fewer = sum(_text(each.file).count("\n") - len(more) for each, _, more in folded)
    for mistake, _, _ in folded:
        mistake.file.unlink()
    if not any((folder / WRONG_FOLDER).iterdir()):
        (folder / WRONG_FOLDER).rmdir()
    return Folded(len(folded), len(found) - len(folded), fewer)


def _mistakes(folder: Path, data: Any) -> Iterator[_Mistake]:
    inside, question = ((0,), data[0]) if isinstance(data, list) and data else ((), data)
    wrong = question.get("wrong") if isinstance(question, dict) else None
    for place, item in enumerate(wrong if isinstance(wrong, list) else ()):
        for ending in (CUDA, PYTHON):
            name = item.get("file") if isinstance(item, dict) else None
            file = folder / WRONG_FOLDER / f"{name}{ending}"
            if file.is_file():
                edit = _edit_of(file, folder, ending)
                yield _Mistake((*inside, "wrong", place), ending, file, edit)


def _added(
    mistake: _Mistake, document: Document, lines: Sequence[str]
) -> tuple[int, list[str]] | None:
    """Return the lines for a mistake's edit, and below which line; None in a flow of YAML."""
    path = mistake.path
    indent = " " * (document.locate((*path, "file"), key=True)[1] - 1)
    at, _ = document.locate((*path, "file"))
    more = _block(mistake.edit, indent)
    if mistake.ending == CUDA:
        more = _block(mistake.edit, indent + _STEP)
        if document.holds((*path, "cuda")):
            at, _ = document.locate((*path, "cuda"), key=True)
        else:
            more = [f"{indent}cuda:", *more]
    return None if lines[at - 1].rstrip().endswith("}") else (at, more)


def _edit_of(file: Path, folder: Path, ending: str) -> str:
    """Return the edit that makes a file; "" if the file is to stay."""
    places = {name: folder / f"{name}{ending}" for name in BASES}
    kernels = {name: _text(place) for name, place in places.items() if place.is_file()}
    source = _text(file)
    if any("\r" in text for text in (source, *kernels.values())):  # a block of YAML has none
        return ""
    edit = write_edit(source, kernels)
    return edit if edit and apply_edit(edit, kernels) == source else ""


def _text(file: Path) -> str:
    return read_regular(str(file), LONGEST).decode("utf-8-sig")


def _block(edit: str, indent: str) -> list[str]:
    """Write a field with an edit, as a block of YAML."""
    inner = indent + _STEP
    lines = edit.removesuffix("\n").split("\n")
    return [f"{indent}{EDIT}: |", *(f"{inner}{line}" if line else "" for line in lines)]
