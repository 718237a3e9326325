"""The Python files of a kernel question, which stand beside its `question.yaml`.

Reads them into the question's data, where the types expect them, and names those that are missing,
cannot be read, or that no field mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quizapp.deck.index import FOLDER_FILE, WRONG_FOLDER, SourceFile, is_read
from quizapp.deck.validate import Invalid

NEEDED = ("starter", "solution", "reference")
LONGEST = 100_000
"""Bytes of one file."""
_NAME = re.compile(r"[a-z0-9-]+")
"""Others are named when the question is validated, and no file is looked for."""


def python_files(folder: Path) -> list[str]:
    """The Python files of a question's folder, by their paths below it."""
    found = (*folder.glob("*.py"), *(folder / WRONG_FOLDER).glob("*.py"))
    return sorted(
        file.relative_to(folder).as_posix()
        for file in found
        if is_read(file.name) and file.is_file()
    )


def with_files(data: object, file: SourceFile) -> tuple[object, list[Invalid]]:
    """The question's data with the texts of the files beside it, and what is wrong with those.

    Data of another kind stays as it is. What YAML gives itself goes before a file.
    """
    if not isinstance(data, dict) or data.get("kind") != "kernel":
        return data, []
    faults: list[Invalid] = []
    if file.path.rpartition("/")[2] != FOLDER_FILE:
        what = "a kernel question has a folder of its own"
        faults.append(Invalid(("kind",), what, f"move it to NAME/{FOLDER_FILE}, with NAME/*.py"))
        return data, faults
    folder = Path(file.root, file.path).parent
    whole: dict[str, Any] = dict(data)
    for name in NEEDED:
        _fill(whole, name, (folder / f"{name}.py", (name,)), faults)
    gpu = data.get("gpu")
    if isinstance(gpu, dict):
        whole["gpu"] = dict(gpu)
        _fill(whole["gpu"], "baseline", (folder / "baseline.py", ("gpu", "baseline")), faults)
    if isinstance(data.get("wrong"), list):
        whole["wrong"] = [dict(one) if isinstance(one, dict) else one for one in data["wrong"]]
        for i, one in enumerate(whole["wrong"]):
            if isinstance(one, dict) and _NAME.fullmatch(str(one.get("file"))):
                path = folder / WRONG_FOLDER / f"{one['file']}.py"
                _fill(one, "source", (path, ("wrong", i, "file")), faults)
        faults += _unlisted(folder / WRONG_FOLDER, whole["wrong"])
    return whole, faults


def _fill(
    data: dict[str, Any],
    name: str,
    place: tuple[Path, tuple[str | int, ...]],
    faults: list[Invalid],
) -> None:
    """Put a file's text into a field that YAML leaves out."""
    file, path = place
    if data.get(name) is not None:
        return
    try:
        size = file.stat().st_size
        text = file.read_bytes().decode("utf-8-sig") if size <= LONGEST else None
    except FileNotFoundError:
        faults.append(Invalid(path, f"there is no {_shown(file)}", "write it beside the question"))
        return
    except UnicodeDecodeError as error:
        what = f"{_shown(file)} is not UTF-8 at byte {error.start}"
        faults.append(Invalid(path, what, "save it as UTF-8"))
        return
    except OSError as error:
        what = f"{_shown(file)} cannot be read: {error.strerror}"
        faults.append(Invalid(path, what, "see that it is a file, and yours"))
        return
    if text is None or not text.strip():
        what = f"{_shown(file)} is empty" if text is not None else f"{_shown(file)} is too long"
        faults.append(Invalid(path, what, f"write up to {LONGEST:,} bytes of Python"))
        return
    data[name] = text


def _unlisted(folder: Path, wrong: list[Any]) -> Iterator[Invalid]:
    """Wrong solutions that no field mentions: nobody would see that they fail."""
    listed = [one.get("file") for one in wrong if isinstance(one, dict)]
    for name in python_files(folder):
        file = folder / name
        if file.stem not in listed:
            what = f"{_shown(file)} is not listed"
            yield Invalid(("wrong",), what, f"add `file: {file.stem}` with `fails:` and `why:`")


def _shown(file: Path) -> str:
    """A file as it stands beside the question."""
    inside = file.parent.name == WRONG_FOLDER
    return f"{WRONG_FOLDER}/{file.name}" if inside else file.name
