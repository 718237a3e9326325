"""`quiz paths`: prints where everything lies."""

from __future__ import annotations

from quizapp.commands._output import print_json, print_table
from quizapp.commands._shared import json_option, subcommand
from quizapp.paths import find_paths, shipped_content


@subcommand("Say where settings, progress and the log are kept.", "quiz paths", "quiz paths --json")
@json_option
def command(*, as_json: bool) -> None:
    """`QUIZ_HOME=/another/folder` puts all but the shipped questions there."""
    paths = find_paths()
    found = {
        "data": paths.data,
        "database": paths.database,
        "backups": paths.database.with_name("backups"),
        "content": paths.own_content,
        "shipped_content": shipped_content(),
        "config": paths.config,
        "cache": paths.cache,
        "log": paths.log,
    }
    plain = {name: str(path) for name, path in found.items()}
    if as_json:
        print_json(plain)
    else:
        print_table(list(plain.items()))
