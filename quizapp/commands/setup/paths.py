"""`quiz paths`: prints where everything is."""

from __future__ import annotations

from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import print_json, print_table
from quizapp.report.words import Words
from quizapp.system.language import person_language
from quizapp.system.paths import find_paths, shipped_content


@subcommand("quiz paths", "quiz paths --json")
@json_option
def command(*, as_json: bool) -> None:
    """Print the paths."""
    paths = find_paths()
    found = {
        "data": paths.data,
        "database": paths.database,
        "backups": paths.database.with_name("backups"),
        "content": paths.own_content,
        "packs": paths.installed_packs,
        "removed_packs": paths.removed_packs,
        "shipped_content": shipped_content(),
        "config": paths.config,
        "cache": paths.cache,
        "log": paths.log,
    }
    if as_json:
        print_json({name: str(path) for name, path in found.items()})
        return
    say = Words(person_language())
    print_table([(say(f"paths.{name}"), str(path)) for name, path in found.items()])
