"""`quiz doctor`: runs every check and prints what it found."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import announce_wait, note, print_json, print_lines
from quizapp.domain.errors import FINDINGS, OK, QuizError
from quizapp.report import doctor
from quizapp.report.words import Words
from quizapp.study import gpu_health, health
from quizapp.system.config import Settings, load
from quizapp.system.language import person_language
from quizapp.system.paths import find_paths
from quizapp.tui import keys, themes


@subcommand("quiz doctor", "quiz doctor --json > report.json")
@json_option
def command(*, as_json: bool) -> int:
    """Check versions, folders, settings, database, questions, terminal and GPU.

    The GPU that the settings name runs a test kernel, which takes seconds.
    A 'note' needs no action; a 'problem' says what to do, and makes the status 1.
    """
    settings = _settings()
    say = Words(person_language())
    checks = list(_check(settings, say))
    problems = sum(check.health is health.Health.PROBLEM for check in checks)
    if as_json:
        print_json({"problems": problems, "findings": [check._asdict() for check in checks]})
    else:
        print_lines(doctor.lines(checks, say))
        note(say("count.problems", n=problems) if problems else say("doctor.no-problems"))
    return FINDINGS if problems else OK


def _settings() -> Settings | QuizError:
    """Return the settings, or why they cannot be read: the other checks do without."""
    try:
        return load(find_paths().config)
    except QuizError as error:
        return error


def _check(settings: Settings | QuizError, say: Words) -> Iterator[health.Check]:
    paths = find_paths()
    applied = Settings() if isinstance(settings, QuizError) else settings
    yield from health.check_versions()
    yield from health.check_folders(paths)
    yield from health.check_settings(paths, settings, keys.KEYS)
    yield from _check_looks(applied)
    yield from health.check_database(paths)
    yield from health.check_backups(paths)
    yield from health.check_deck(paths, applied)
    yield from health.check_terminal()
    yield from health.check_confinement()
    yield from gpu_health.check_gpu(applied.gpu, lambda what: announce_wait(say.fact(what)))


def _check_looks(settings: Settings) -> Iterator[health.Check]:
    """Report a theme that does not exist, and keys that two bindings of one screen would have."""
    if settings.theme not in themes.THEMES:
        what, hint = themes.unknown_theme(settings.theme)
        yield health.Check("settings", "theme", health.Health.NOTE, what, hint)
    for name, clash in keys.split_keymap(settings.keys)[1].items():
        what = keys.describe_clash(name, clash)
        yield health.Check("settings", "keys", health.Health.NOTE, what)
