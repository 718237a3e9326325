"""The deck's gate: no question holds a character that steers a terminal or hides text.

Such a character is made visible when a deck is compiled, and is a problem with its position, in
YAML as well as in the Python files beside it; the question can be studied all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.facts import fact
from quizapp.deck.code_files import EDIT, code_file_of
from quizapp.deck.problems import ContentProblem
from quizapp.deck.question_location import QuestionLocation
from quizapp.deck.yaml_reader import FieldPath, line_and_column
from quizapp.system.safe_text import escape_character, is_safe, safe, unsafe


def make_visible(data: Any) -> Any:
    """Make every text in plain data safe to show, keys too; return the same object if all was."""
    if isinstance(data, str):
        return safe(data)
    if isinstance(data, list):
        return [make_visible(part) for part in data]
    if isinstance(data, dict):
        return {make_visible(key): make_visible(value) for key, value in data.items()}
    return data


def find_hidden_characters(
    whole: Any, source: QuestionLocation, question: str
) -> Iterator[ContentProblem]:
    """Yield a problem for each text with such a character, Python files included."""
    for path, text, at_key in _texts(whole, ()):
        found = None if is_safe(text) else unsafe().search(text)
        if found is None:
            continue
        what = fact(
            "deck.hidden-character",
            character=f"U+{ord(found[0]):04X}",
            escape=escape_character(found[0]),
        )
        inside = (*source.path, *path)
        name = f"{source.file.root}/{source.file.path}"
        if source.document.holds(inside):
            place = source.document.locate_unsafe(inside, key=at_key)
        else:
            name = f"{name.rpartition('/')[0]}/{code_file_of(path, whole)}"
            place = line_and_column(text, found.start())
        yield ContentProblem(name, *place, what, question=question)


def _texts(data: Any, path: FieldPath) -> Iterator[tuple[FieldPath, str, bool]]:
    """Yield every text with its path; True for a key."""
    if isinstance(data, str):
        yield path, data, False
    elif isinstance(data, list):
        for position, part in enumerate(data):
            yield from _texts(part, (*path, position))
    elif isinstance(data, dict):
        for key, value in data.items():
            if key == "source" and EDIT in data:  # made of other texts
                continue
            yield (*path, key), key, True
            yield from _texts(value, (*path, key))
