"""What `quiz new` writes: whole questions and themes that lint, to be written over.

Their texts are in `examples.toml`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from string import Template

from quizapp.deck.index import FOLDER_FILE
from quizapp.deck.writing import kernel_template

_EXAMPLES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
_COMMENT = re.compile("# (?!yaml-language-server)(.+)")
"""A comment of a question for a person; no value of one holds this sign."""

KINDS = tuple(_EXAMPLES["bodies"])
IN_FOLDERS = {"kernel": kernel_template.FILES}
"""Kinds whose questions have a folder, with the files beside the question."""


def files(
    kind: str, name: str, schema: str, languages: Collection[str], comments: str = "en"
) -> dict[str, str]:
    """Return the files of a question called `name`: texts by their paths below its place.

    `kind`: one of `KINDS`. `schema`: where the editor finds the schema, as seen from the file.
    `languages`: what its prose is written in; with `zh` in both. `comments`: the language of the
    comments.
    """
    text = _question(kind, name, schema, languages, comments)
    if kind not in IN_FOLDERS:
        return {f"{name}.yaml": text}
    return {FOLDER_FILE: re.sub("^(- |  )", "", text, flags=re.MULTILINE), **IN_FOLDERS[kind]}


def _question(kind: str, name: str, schema: str, languages: Collection[str], comments: str) -> str:
    """Write a list of one question."""
    prose = {
        field: _both(en, zh, field) if "zh" in languages else _quote(en)
        for field, (en, zh) in _EXAMPLES["prose"][kind].items()
    }
    body = _EXAMPLES["head"] + _EXAMPLES["bodies"][kind] + _EXAMPLES["tail"]
    if comments == "zh":
        chinese = _EXAMPLES["comments"]["chinese"]
        body = _COMMENT.sub(lambda found: f"# {chinese[found[1]]}", body)
    text = Template(body).substitute(prose, id=name, kind=kind, schema=schema)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _both(en: str, zh: str, field: str) -> str:
    """Write a map of both languages, indented below the field's key or its list item's dash."""
    depth = {"hint": 6, "point": 8, "why": 8}.get(field.rstrip("_12"), 4)
    below = f"\n{' ' * depth}"
    first = "" if field == "hint" else below
    return f"{first}en: {_quote(en)}{below}zh: {_quote(zh)}"


def theme_text(name: str, schema: str, languages: Collection[str], comments: str) -> str:
    """Write a theme of a mock interview called `name`; arguments as of `files`."""
    column = 1 if comments == "zh" else 0
    fields = {key: texts[column] for key, texts in _EXAMPLES["comments"]["mock"].items()}
    for key, (en, zh) in _EXAMPLES["prose"]["mock"].items():
        fields[key] = f'{{en: "{en}", zh: "{zh}"}}' if "zh" in languages else f'"{en}"'
    return Template(_EXAMPLES["theme"]).substitute(fields, id=name, schema=schema)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
