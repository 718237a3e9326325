"""Questions from a person's own program as a file of their own pack: written, and made again.

The file begins with what it was made from, so that `quiz ask --update` can do it again. A question
that is as before keeps its id, which says what it asks, and so its progress.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from grader.facts import fact
from grader.scripts import SourceLaunch
from quizapp.deck.writing.new_question import OWN_PACK
from quizapp.domain.errors import UsageError
from quizapp.domain.question import is_slug
from quizapp.system.files import replace_file

_HEAD = "# quiz ask "
_LONGEST_NAME = 30
_ENDING = ".yaml"


class MadeFrom(msgspec.Struct, frozen=True):
    """What questions were made from.

    Attributes:
        name: begins their ids, and is their topic.
        file: the program.
        launch: of a kernel, where the program has none.
        arguments: of the program.
        digest: of the file as it was.
        most: questions of a kernel.
        review: the diff whose lines they are about; "" for the whole program.
    """

    name: str
    file: str
    launch: SourceLaunch = SourceLaunch()
    arguments: tuple[str, ...] = ()
    digest: str = ""
    most: int = 0
    review: str = ""


class Written(NamedTuple):
    """What writing did: the file, and the ids that are as before, new, and no longer there."""

    path: Path
    kept: tuple[str, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as such."""


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _write_text)


def name_of(file: Path) -> str:
    """Return the name of questions from a file: its own, in lower-case words."""
    words = re.findall(r"[a-z0-9]+", file.stem.lower())
    return "-".join(words)[:_LONGEST_NAME].strip("-") or "code"


def check_name(name: str) -> None:
    """Raise UsageError if questions cannot have this name: it is that of their file, too."""
    if not is_slug(name):
        raise UsageError(fact("ask.not-a-name", name=name))


def file_of(own_content: Path, name: str) -> Path:
    """Return the file of the questions of this name."""
    return own_content / OWN_PACK / "code" / f"{name}{_ENDING}"


def is_made(path: str) -> bool:
    """Return True for a file of such questions, by its path from the folder of packs on."""
    return path.startswith(f"{OWN_PACK}/code/")


def find_made(own_content: Path) -> Iterator[MadeFrom]:
    """Yield what all questions from programs were made from."""
    for path in sorted(file_of(own_content, "x").parent.glob(f"*{_ENDING}")):
        made = read_made(path)
        if made is not None:
            yield made


def read_made(path: Path) -> MadeFrom | None:
    """Return what the questions of a file were made from; None if that is not said."""
    try:
        with path.open(encoding="utf-8") as file:
            first = file.readline()
        if first.startswith(_HEAD):
            return msgspec.json.decode(first.removeprefix(_HEAD), type=MadeFrom)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError):
        pass
    return None


def write_questions(
    own_content: Path, made: MadeFrom, questions: Sequence[Mapping[str, Any]]
) -> Written:
    """Write questions in place of those that were made from the same program before.

    Raises EnvironmentProblem: the file cannot be written.
    """
    path = file_of(own_content, made.name)
    before = _ids(path)
    now = [str(question["id"]) for question in questions]
    head = _HEAD + json.dumps(msgspec.to_builtins(made))
    parts = [
        yaml.dump(list(map(dict, [each])), Dumper=_Dumper, allow_unicode=True, sort_keys=False,
                  width=100)
        for each in questions
    ]  # fmt: skip
    replace_file(path, "\n".join([head, *parts]).encode())
    return Written(
        path,
        tuple(name for name in now if name in before),
        tuple(name for name in now if name not in before),
        tuple(name for name in before if name not in now),
    )


def _ids(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    return re.findall(r"^- id: (\S+)$", text, re.MULTILINE)
