"""The code files of a kernel question, in the folder of its `question.yaml`: Python and CUDA C++.

Reads them into the question's data, where the types expect them, and names those that are missing,
cannot be read, or that no field mentions. A question has `starter` and `solution` in Python, in
CUDA C++, or in both; its reference is Python. A known mistake has a file, or is an edit in YAML.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from grader.facts import fact
from quizapp.deck.edits import BASES, EditFault, apply_edit
from quizapp.deck.index import FOLDER_FILE, WRONG_FOLDER, SourceFile, is_read
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.domain.languages import ENDINGS
from quizapp.exercises.faults import CodePosition, FieldFault, FieldPath
from quizapp.system import os_errors

PYTHON, CUDA = ENDINGS["python"], ENDINGS["cuda"]
EDIT = "edit"
"""The field of a mistake, in place of its file."""
_WRITTEN = ("starter", "solution")
"""What a question has in each of its languages."""
LONGEST = 100_000
"""Bytes of one file."""
_NAME = re.compile(r"[a-z0-9-]+")
"""A name of another form is a fault of its field, and no file is looked for."""


def code_files(folder: Path) -> list[str]:
    """List the code files of a question's folder, by their paths below it."""
    found = (
        file
        for place in (folder, folder / WRONG_FOLDER)
        for ending in (PYTHON, CUDA)
        for file in place.glob(f"*{ending}")
    )
    return sorted(
        file.relative_to(folder).as_posix()
        for file in found
        if is_read(file.name) and file.is_file()
    )


def with_files(data: object, file: SourceFile) -> tuple[object, list[FieldFault]]:
    """Add the texts of its code files to a question's data; return it with their faults.

    Data of another kind stays as it is. A text in YAML overrides a file.
    """
    if not isinstance(data, dict) or data.get("kind") != "kernel":
        return data, []
    if file.path.rpartition("/")[2] != FOLDER_FILE:
        return data, [FieldFault(("kind",), fact("code-file.no-folder", file=FOLDER_FILE))]
    faults: list[FieldFault] = []
    folder, pack = Path(file.root, file.path).parent, Path(file.root, file.pack)
    whole: dict[str, Any] = dict(data)
    for name in ("cuda", "gpu"):
        if isinstance(data.get(name), dict):
            whole[name] = dict(data[name])
    if isinstance(data.get("wrong"), list):
        whole["wrong"] = [_copy(item) for item in data["wrong"]]
    for path, name in _expected(whole, folder):
        _fill(whole, path, _CodeFile(folder / name, pack, name, path), faults)
    if isinstance(data.get("wrong"), list):
        faults += _find_unlisted(folder / WRONG_FOLDER, whole["wrong"])
        faults += _apply_edits(whole)
    return whole, faults


def _copy(item: Any) -> Any:
    """Copy what is filled of a mistake."""
    if not isinstance(item, dict):
        return item
    cuda = item.get("cuda")
    return {**item, "cuda": dict(cuda)} if isinstance(cuda, dict) else dict(item)


def _expected(whole: dict[str, Any], folder: Path) -> Iterator[tuple[FieldPath, str]]:
    """Yield the fields that files fill, with the names of the files, which may be missing."""
    has_cuda = _exists(folder, "starter.cu")
    has_python = not has_cuda or any(_exists(folder, f"{name}{PYTHON}") for name in _WRITTEN)
    yield from (((name,), f"{name}{PYTHON}") for name in _WRITTEN if has_python)
    yield ("reference",), "reference.py"
    timed = isinstance(whole.get("gpu"), dict)
    for name in (*_WRITTEN, "baseline"):
        if _exists(folder, f"{name}{CUDA}") or (has_cuda and (timed or name in _WRITTEN)):
            yield ("cuda", name), f"{name}{CUDA}"
    if timed and has_python:
        yield ("gpu", "baseline"), "baseline.py"
    if not isinstance(whole.get("wrong"), list):
        return
    for i, item in enumerate(whole["wrong"]):
        if isinstance(item, dict) and _NAME.fullmatch(str(item.get("file"))):
            stem = f"{WRONG_FOLDER}/{item['file']}"
            in_cuda = _exists(folder, f"{stem}{CUDA}")
            edited = any(
                isinstance(part, dict) and EDIT in part for part in (item, item.get("cuda"))
            )
            if _exists(folder, f"{stem}{PYTHON}") or not (in_cuda or edited):
                yield ("wrong", i, "source"), f"{stem}{PYTHON}"
            if in_cuda:
                yield ("wrong", i, "cuda", "source"), f"{stem}{CUDA}"


def _apply_edits(whole: dict[str, Any]) -> Iterator[FieldFault]:
    """Put what an edit makes in its place."""
    for i, item in enumerate(whole["wrong"]):
        for path, part, base in _edited(whole, i, item):
            text = part[EDIT]
            if part.get("source") is not None:
                yield FieldFault((*path, EDIT), fact("edit.and-source"))
            elif not isinstance(text, str):
                yield FieldFault((*path, EDIT), fact("edit.no-text"))
            else:
                kernels = {name: base[name] for name in BASES if isinstance(base.get(name), str)}
                try:
                    part["source"] = apply_edit(text, kernels)
                except EditFault as error:
                    what = fact("edit.line-at-fault", line=error.line, what=error.what)
                    yield FieldFault((*path, EDIT), what)


def without_edits(whole: object) -> object:
    """Return a question's data as the types expect it: with what edits made, and without them."""
    if isinstance(whole, dict) and isinstance(whole.get("wrong"), list):
        wrong = [_without_edit(item) for item in whole["wrong"]]
        return {**whole, "wrong": wrong}
    return whole


def _without_edit(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    return {key: _without_edit(value) for key, value in item.items() if key != EDIT}


def _edited(
    whole: dict[str, Any], i: int, item: Any
) -> Iterator[tuple[FieldPath, dict[str, Any], dict[str, Any]]]:
    """Yield the parts of a mistake that are edits: where, and the kernels that they may edit."""
    if not isinstance(item, dict):
        return
    if EDIT in item:
        gpu = whole.get("gpu")
        baseline = gpu.get("baseline") if isinstance(gpu, dict) else None
        yield ("wrong", i), item, {**whole, "baseline": baseline}
    cuda = item.get("cuda")
    if isinstance(cuda, dict) and EDIT in cuda:
        own = whole.get("cuda")
        yield ("wrong", i, "cuda"), cuda, own if isinstance(own, dict) else {}


def _exists(folder: Path, name: str) -> bool:
    return os.path.lexists(folder / name)


def code_file_of(path: FieldPath, whole: Any) -> str:
    """Return the code file, below the question's folder, that filled the field at `path`."""
    match path:
        case ("cuda", str(name)):
            return f"{name}{CUDA}"
        case ("wrong", int(i), *rest):
            ending = CUDA if "cuda" in rest else PYTHON
            return f"{WRONG_FOLDER}/{whole['wrong'][i]['file']}{ending}"
        case _:
            return f"{path[-1]}{PYTHON}"


class _CodeFile(NamedTuple):
    """A file, the folder of its pack, its path below the question's, and the field it fills."""

    file: Path
    pack: Path
    name: str
    path: FieldPath

    @property
    def field(self) -> FieldPath:
        """What is at fault if it cannot be read: what a person wrote of it."""
        return (*self.path[:2], "file") if self.path[0] == "wrong" else self.path


def _fill(
    whole: dict[str, Any], path: FieldPath, source: _CodeFile, faults: list[FieldFault]
) -> None:
    """Put a file's text into a field that YAML leaves out."""
    data: Any = whole
    for key in path[:-1]:
        if isinstance(data, dict) and data.get(key) is None:
            data[key] = {}
        data = data[key]
    if not isinstance(data, dict) or data.get(path[-1]) is not None:
        return  # validation says what is there instead
    text = _read(source)
    if isinstance(text, FieldFault):
        faults.append(text)
    else:
        data[path[-1]] = text


def _read(source: _CodeFile) -> str | FieldFault:
    """Read the text of a file, or return why it cannot be read."""
    name = source.name
    try:
        text = read_regular(str(source.file), LONGEST, str(source.pack)).decode("utf-8-sig")
    except IrregularFile as error:
        what = fact("code-file.irregular", file=name, reason=error.what, most=LONGEST)
    except FileNotFoundError:
        what = fact("code-file.missing", file=name)
    except UnicodeDecodeError as error:
        return _not_utf8(source, error)
    except OSError as error:
        what = fact("code-file.unreadable", file=name, reason=os_errors.system_reason(error))
    else:
        if text.strip():
            return text
        what = fact("code-file.empty", file=name, most=LONGEST)
    return FieldFault(source.field, what)


def _not_utf8(source: _CodeFile, error: UnicodeDecodeError) -> FieldFault:
    before = error.object[: error.start]
    line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
    what = fact("code-file.not-utf8", file=source.name, byte=error.start)
    return FieldFault(source.path, what, at=CodePosition(source.name, line, column))


def _find_unlisted(folder: Path, wrong: list[Any]) -> Iterator[FieldFault]:
    """Yield wrong solutions that no field mentions: lint would not check that they fail."""
    listed = [item.get("file") for item in wrong if isinstance(item, dict)]
    for name in code_files(folder):
        stem = Path(name).stem
        if stem not in listed:
            what = fact("code-file.unlisted", file=f"{WRONG_FOLDER}/{name}", name=stem)
            yield FieldFault(("wrong",), what)
