"""The code files of a kernel question, in the folder of its `question.yaml`: Python and CUDA C++.

Reads them into the question's data, where the types expect them, and names those that are missing,
cannot be read, or that no field mentions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from grader.facts import fact
from quizapp.deck.index import FOLDER_FILE, WRONG_FOLDER, SourceFile, is_read
from quizapp.deck.regular_files import IrregularFile, read_regular
from quizapp.exercises.faults import CodePosition, FieldFault, FieldPath
from quizapp.system import os_errors

NEEDED = ("starter", "solution", "reference")
CUDA = {"cuda_solution": "solution.cu", "cuda_baseline": "baseline.cu"}
"""Fields that a file in CUDA C++ fills, if there is one."""
LONGEST = 100_000
"""Bytes of one file."""
_NAME = re.compile(r"[a-z0-9-]+")
"""A name of another form is a fault of its field, and no file is looked for."""


def python_files(folder: Path) -> list[str]:
    """List the code files of a question's folder, by their paths below it."""
    cuda = (folder / name for name in CUDA.values())
    found = (*folder.glob("*.py"), *cuda, *(folder / WRONG_FOLDER).glob("*.py"))
    return sorted(
        file.relative_to(folder).as_posix()
        for file in found
        if is_read(file.name) and file.is_file()
    )


def with_files(data: object, file: SourceFile) -> tuple[object, list[FieldFault]]:
    """Add the texts of its Python files to a question's data; return it with their faults.

    Data of another kind stays as it is. A text in YAML overrides a file.
    """
    if not isinstance(data, dict) or data.get("kind") != "kernel":
        return data, []
    if file.path.rpartition("/")[2] != FOLDER_FILE:
        return data, [FieldFault(("kind",), fact("python-file.no-folder", file=FOLDER_FILE))]
    faults: list[FieldFault] = []
    folder, pack = Path(file.root, file.path).parent, Path(file.root, file.pack)
    whole: dict[str, Any] = dict(data)
    for name in NEEDED:
        _fill(whole, name, _PythonFile(folder / f"{name}.py", pack, (name,)), faults)
    for name, beside in CUDA.items():
        if os.path.lexists(folder / beside):
            _fill(whole, name, _PythonFile(folder / beside, pack, (name,)), faults)
    gpu = data.get("gpu")
    if isinstance(gpu, dict):
        whole["gpu"] = dict(gpu)
        baseline = _PythonFile(folder / "baseline.py", pack, ("gpu", "baseline"))
        _fill(whole["gpu"], "baseline", baseline, faults)
    if isinstance(data.get("wrong"), list):
        whole["wrong"] = [dict(item) if isinstance(item, dict) else item for item in data["wrong"]]
        for i, item in enumerate(whole["wrong"]):
            if isinstance(item, dict) and _NAME.fullmatch(str(item.get("file"))):
                path = folder / WRONG_FOLDER / f"{item['file']}.py"
                _fill(item, "source", _PythonFile(path, pack, ("wrong", i, "file")), faults)
        faults += _find_unlisted(folder / WRONG_FOLDER, whole["wrong"])
    return whole, faults


def python_file_of(path: FieldPath, whole: Any) -> str:
    """Return the code file, below the question's folder, that filled the field at `path`."""
    match path:
        case (str(name),) if name in CUDA:
            return CUDA[name]
        case ("wrong", int(i), _):
            return f"{WRONG_FOLDER}/{whole['wrong'][i]['file']}.py"
        case _:
            return f"{path[-1]}.py"


class _PythonFile(NamedTuple):
    """A file, the folder of its pack, and the field that it fills."""

    file: Path
    pack: Path
    path: FieldPath

    @property
    def name(self) -> str:
        """Its path below the question's folder."""
        inside = self.file.parent.name == WRONG_FOLDER
        return f"{WRONG_FOLDER}/{self.file.name}" if inside else self.file.name


def _fill(data: dict[str, Any], name: str, source: _PythonFile, faults: list[FieldFault]) -> None:
    """Put a file's text into a field that YAML leaves out."""
    if data.get(name) is not None:
        return
    text = _read(source)
    if isinstance(text, FieldFault):
        faults.append(text)
    else:
        data[name] = text


def _read(source: _PythonFile) -> str | FieldFault:
    """Read the text of a file, or return why it cannot be read."""
    name = source.name
    try:
        text = read_regular(str(source.file), LONGEST, str(source.pack)).decode("utf-8-sig")
    except IrregularFile as error:
        what = fact("python-file.irregular", file=name, reason=error.what, most=LONGEST)
    except FileNotFoundError:
        what = fact("python-file.missing", file=name)
    except UnicodeDecodeError as error:
        return _not_utf8(source, error)
    except OSError as error:
        what = fact("python-file.unreadable", file=name, reason=os_errors.system_reason(error))
    else:
        if text.strip():
            return text
        what = fact("python-file.empty", file=name, most=LONGEST)
    return FieldFault(source.path, what)


def _not_utf8(source: _PythonFile, error: UnicodeDecodeError) -> FieldFault:
    before = error.object[: error.start]
    line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
    path = source.path
    text_path = (*path[:-1], "source") if path[-1] == "file" else path
    what = fact("python-file.not-utf8", file=source.name, byte=error.start)
    return FieldFault(text_path, what, at=CodePosition(source.name, line, column))


def _find_unlisted(folder: Path, wrong: list[Any]) -> Iterator[FieldFault]:
    """Yield wrong solutions that no field mentions: lint would not check that they fail."""
    listed = [item.get("file") for item in wrong if isinstance(item, dict)]
    for name in python_files(folder):
        stem = Path(name).stem
        if stem not in listed:
            what = fact("python-file.unlisted", file=f"{WRONG_FOLDER}/{stem}.py", name=stem)
            yield FieldFault(("wrong",), what)
