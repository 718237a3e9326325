"""`quiz config`: lists settings, prints one, writes one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from grader.did_you_mean import suggest
from grader.facts import fact
from quizapp.commands.common.help import json_option, subcommand
from quizapp.commands.common.output import note, print_json, print_table
from quizapp.commands.common.parameters import SETTING, VALUE
from quizapp.commands.common.surroundings import open_progress, read_deck, surroundings
from quizapp.deck import content, index
from quizapp.domain.days import as_date
from quizapp.domain.errors import StoreError, UsageError
from quizapp.report.words import Words
from quizapp.system import os_errors, settings_file
from quizapp.system.config import (
    BINDING,
    PER_PACK,
    default,
    describe,
    format_value,
    from_environment,
    keys,
    load,
    parse,
    read_file,
    value_of,
    variable,
)
from quizapp.system.language import person_language
from quizapp.system.paths import Paths, find_paths
from quizapp.tui import keys as bindings
from quizapp.tui import themes


class Setting(NamedTuple):
    """A setting as it applies: its value, and what decided it.

    `source`: `default`, `file`, `environment`, or `plan`.
    """

    key: str
    value: Any
    source: str


@subcommand(
    "quiz config",
    "quiz config language zh",
    "quiz config new_per_day",
    "quiz config gpu.host me@gpu-box",
    "quiz config packs.older-gpus true",
    "quiz config new_per_pack.older-gpus 3",
    "quiz config keys.hint t",
    "QUIZ_LANGUAGE=zh quiz config language",
    "quiz config --path",
)
@click.argument("key", required=False, type=SETTING)
@click.argument("value", required=False, type=VALUE)
@click.option("--path", is_flag=True)
@json_option
def command(key: str | None, value: str | None, *, path: bool, as_json: bool) -> None:
    """Print or write settings."""
    paths = find_paths()
    if key is not None:
        _check_binding(key)
        _check_pack(key)
    if path:
        _print_path(paths, key, as_json=as_json)
    elif key is None:
        _print_all(paths, as_json=as_json)
    elif value is None:
        _print_one(_setting(paths, key), as_json=as_json)
    else:
        _check_screen_value(paths, key, value)
        _check_plan(key, value)
        _write(paths, key, value, as_json=as_json)


def in_words(value: Any) -> str:
    """Write a value in one line; a map as `id = key` pairs."""
    if isinstance(value, dict):
        return ", ".join(f"{name} = {given}" for name, given in value.items())
    return format_value(value)


def _print_path(paths: Paths, key: str | None, *, as_json: bool) -> None:
    if key is not None:
        raise UsageError(fact("config.path-takes-no-key"))
    if as_json:
        print_json({"path": str(paths.config)})
    else:
        print(paths.config)


def _print_all(paths: Paths, *, as_json: bool) -> None:
    settings = [_setting(paths, key) for key in keys()]
    if as_json:
        listed = {setting.key: _as_plain(setting) for setting in settings}
        print_json({"path": str(paths.config), "settings": listed})
        return
    say = Words(person_language())
    rows = [
        (
            each.key,
            in_words(each.value) or "–",
            say(f"config.source.{each.source}"),
            say.fact(describe(each.key)),
        )
        for each in settings
    ]
    names = ("config.key", "config.value", "config.from", "config.meaning")
    print_table([tuple(map(say, names)), *rows])


def _print_one(setting: Setting, *, as_json: bool) -> None:
    if as_json:
        print_json({"key": setting.key, **_as_plain(setting)})
    elif setting.key == "keys":
        _print_bindings(setting.value)
    elif setting.key == "packs":
        _print_packs(setting.value)
    else:
        print(in_words(setting.value))


def _check_binding(key: str) -> None:
    """Check that a key of the form `keys.ID` names a binding.

    Raises UsageError: it does not, with the nearest that does.
    """
    if not key.startswith(BINDING):
        return
    name = key.removeprefix(BINDING)
    if name not in bindings.KEYS:
        hint = suggest(name, bindings.KEYS, fact("config.bindings-listed"), before=BINDING)
        raise UsageError(fact("config.no-binding", name=name), hint)


def _check_pack(key: str) -> None:
    """Check that a key of the form `packs.ID` or `new_per_pack.ID` names a pack.

    Raises UnknownPack: it does not, with the nearest that does.
    """
    _, pack = _split(key)
    if pack:
        read_deck(surroundings()).check_pack(pack)


def _split(key: str) -> tuple[str, str]:
    """Return the setting and the pack of a key of one pack; of another key no pack."""
    group, _, pack = key.partition(".")
    return (group, pack) if group in PER_PACK else (key, "")


def _check_screen_value(paths: Paths, key: str, value: str) -> None:
    """Check what only the screens know: themes, and the keys of their bindings.

    Raises:
        UsageError: there is no such theme, or another binding has the key.
        BadSetting: the value is not a key.
    """
    if key == "theme" and value not in themes.THEMES:
        raise UsageError(*themes.unknown_theme(value))
    if key.startswith(BINDING):
        name = key.removeprefix(BINDING)
        clash = bindings.find_clash(name, {**load(paths.config).keys, name: parse(key, value)})
        if clash is not None:
            raise UsageError(bindings.describe_clash(name, clash))


def _binding(paths: Paths, key: str) -> Setting:
    """Return the key of one binding as it applies."""
    name = key.removeprefix(BINDING)
    changed = load(paths.config).keys.get(name)
    if changed is None:
        return Setting(key, bindings.KEYS[name].keys, "default")
    return Setting(key, changed, "file")


def _pack(paths: Paths, key: str) -> Setting:
    """Return whether one pack is on, or its limit of new questions; None if it has none."""
    group, name = _split(key)
    if name in (given := from_environment(group)):
        return Setting(key, given[name], "environment")
    if name in (given := read_file(paths.config).get(group, {})):
        return Setting(key, given[name], "file")
    on = read_deck(surroundings()).packs[name].on_by_default
    return Setting(key, on if group == "packs" else None, "default")


def _print_packs(switched: Mapping[str, bool]) -> None:
    say, deck = Words(person_language()), read_deck(surroundings())
    on = deck.packs_on(switched)
    rows = [
        (pack.id, format_value(pack.id in on), say.topic(pack.titles))
        for pack in deck.packs.values()
    ]
    names = ("config.id", "config.value", "config.meaning")
    print_table([tuple(map(say, names)), *rows])


def _print_bindings(remapped: Mapping[str, str]) -> None:
    say = Words(person_language())
    rows = [
        (name, remapped.get(name, key.keys), say.get(f"key.{name}", name))
        for name, key in bindings.KEYS.items()
    ]
    names = ("config.id", "config.binding", "config.meaning")
    print_table([tuple(map(say, names)), *rows])


def _write(paths: Paths, key: str, value: str, *, as_json: bool) -> None:
    settings_file.set_value(paths.config, key, _content(value) if key == "content" else value)
    setting = _setting(paths, key)
    if setting.source == "environment":
        name = variable(_split(key)[0])
        note(Words(person_language())("config.overridden", variable=name))
    if as_json:
        print_json({"key": key, **_as_plain(setting)})
    else:
        print(f"{key} = {in_words(setting.value)}")


def _content(value: str) -> str:
    """Make content paths absolute, since they must hold wherever quiz is called.

    Raises UsageError: one of them holds no questions: it does not exist, or is not YAML.
    """
    found = [content.configured_root(part) for part in value.split(os.pathsep) if part]
    for place in found:
        if not os.path.exists(place):  # noqa: PTH110 - False, too, for a name too long
            raise UsageError(fact("folder.missing", folder=str(place)), fact("config.name-content"))
        if not place.is_dir() and place.suffix not in index.YAML:
            raise UsageError(fact("config.not-content", path=str(place)))
        _check_narrow(place)
    return os.pathsep.join(map(str, found))


def _check_narrow(place: Path) -> None:
    """Check that a content folder is not one that holds much else.

    Raises UsageError: it is a whole disk, one of the system's own, or one with too much in it; it
    holds a home folder; or a part of it cannot be listed.
    """
    whole = place.resolve()
    is_wide = whole == whole.parent or Path.home().resolve().is_relative_to(whole)
    try:
        if is_wide or any(map(whole.is_relative_to, _SYSTEM)) or _is_large(place):
            what = fact("config.too-wide", folder=str(place))
            raise UsageError(what, fact("config.name-content"))
    except OSError as error:
        raise UsageError(os_errors.system_error(error), fact("config.name-content")) from None


_SYSTEM = ("/dev", "/proc", "/sys")
"""They hold no files, but what looks like some."""
_MOST_ENTRIES = 50_000
"""Of a content folder, in all; the shipped one has some 1,200."""


def _is_large(place: Path) -> bool:
    """Return True if there is more in a folder than a start can read through.

    Raises OSError: a folder in it cannot be listed, with which no command would start.
    """

    def fail(error: OSError) -> None:
        raise error

    entries = 0
    for _, folders, files in os.walk(place, onerror=fail) if place.is_dir() else ():
        entries += len(folders) + len(files)
        if entries > _MOST_ENTRIES:
            return True
    return False


def _setting(paths: Paths, key: str) -> Setting:
    """Return what applies to a key.

    Raises BadSetting: there is no such key, or something set has a wrong value.
    """
    if key.startswith(BINDING):
        return _binding(paths, key)
    if _split(key)[1]:
        return _pack(paths, key)
    if key not in keys():
        parse(key, "")
    value = value_of(load(paths.config), key)
    if key == "interview_date" and (planned := _planned_date()) is not None:
        return Setting(key, planned, "plan")
    if variable(key) in os.environ:
        return Setting(key, value, "environment")
    return Setting(key, value, "file" if key in read_file(paths.config) else "default")


def _planned_date() -> date | None:
    """Return the day of the plan that holds: while one does, the interview is on that day."""
    if not find_paths().database.exists():
        return None
    with suppress(StoreError), open_progress("config", only_reading=True) as study:
        return None if study.progress.goal is None else as_date(study.progress.goal.day)
    return None


def _check_plan(key: str, value: str) -> None:
    """Check that no plan has the date of the interview. Raises UsageError: one has."""
    if key == "interview_date" and (planned := _planned_date()) is not None:
        what = fact("config.plan-has-date", day=planned.isoformat())
        raise UsageError(what, fact("config.move-plan", day=value or planned.isoformat()))


def _as_plain(setting: Setting) -> dict[str, Any]:
    """Return a setting as `--json` prints it; the keys are promised in docs/cli.md."""
    plain = {"value": msgspec.to_builtins(setting.value), "source": setting.source}
    if setting.key.startswith(BINDING) or _split(setting.key)[1]:
        return plain
    return {
        **plain,
        "default": msgspec.to_builtins(default(setting.key)),
        "variable": variable(setting.key),
        "description": Words(person_language()).fact(describe(setting.key)),
    }
