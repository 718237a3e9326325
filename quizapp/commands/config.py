"""`quiz config`: lists settings, prints one, writes one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from quizapp.commands._output import note, print_json, print_table
from quizapp.commands._params import SETTING
from quizapp.commands._shared import json_option, subcommand
from quizapp.config import (
    default,
    describe,
    keys,
    load,
    parse,
    read_file,
    set_value,
    shown,
    value_of,
    variable,
)
from quizapp.errors import UsageError
from quizapp.paths import Paths, find_paths


class Setting(NamedTuple):
    """A setting as it applies: its value, and what decided it (default, file, environment)."""

    key: str
    value: Any
    source: str


@subcommand(
    "Read and change settings.",
    "quiz config",
    "quiz config language zh",
    "quiz config new_per_day",
    "quiz config gpu.host me@gpu-box",
    "QUIZ_LANGUAGE=zh quiz config language",
    "quiz config --path",
)
@click.argument("key", required=False, type=SETTING)
@click.argument("value", required=False)
@click.option("--path", is_flag=True, help="Print the path of the settings file.")
@json_option
def command(key: str | None, value: str | None, *, path: bool, as_json: bool) -> None:
    """Lists all settings; with KEY prints its value; with KEY VALUE writes it into the file.

    KEY `keys` lists every binding with its id; they are remapped in the file, under [keys].
    An empty VALUE clears a setting that may be empty. A flag goes before an environment variable
    (QUIZ_ and the key in capitals, a dot as _), and that before the file.
    """
    paths = find_paths()
    if path:
        _print_path(paths, key, as_json=as_json)
    elif key is None:
        _print_all(paths, as_json=as_json)
    elif value is None:
        _print_one(_setting(paths, key), as_json=as_json)
    else:
        _write(paths, key, value, as_json=as_json)


def in_words(value: Any) -> str:
    """A value in one line; a map as `id = key` pairs."""
    if isinstance(value, dict):
        return ", ".join(f"{name} = {given}" for name, given in value.items())
    return shown(value)


def _print_path(paths: Paths, key: str | None, *, as_json: bool) -> None:
    if key is not None:
        raise UsageError("--path takes no key", "`quiz config --path` or `quiz config KEY`")
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
    rows = [(s.key, in_words(s.value) or "–", s.source, describe(s.key)) for s in settings]
    print_table([("key", "value", "from", "meaning"), *rows])


def _print_one(setting: Setting, *, as_json: bool) -> None:
    if as_json:
        print_json({"key": setting.key, **_as_plain(setting)})
    elif setting.key == "keys":
        _print_bindings(setting.value)
    else:
        print(in_words(setting.value))


def _print_bindings(remapped: Mapping[str, str]) -> None:
    """All bindings there are, as they apply."""
    from quizapp.tui.keys import KEYS  # noqa: PLC0415 - loads a part of Textual, 50 ms
    from quizapp.words import Words  # noqa: PLC0415

    say = Words("en")
    rows = [
        (name, remapped.get(name, key.keys), say.get(f"key.{name}", name))
        for name, key in KEYS.items()
    ]
    print_table([("id", "key", "meaning"), *rows])


def _write(paths: Paths, key: str, value: str, *, as_json: bool) -> None:
    set_value(paths.config, key, value)
    setting = _setting(paths, key)
    if setting.source == "environment":
        note(f"Written, but {variable(key)} is set and goes before the file.")
    if as_json:
        print_json({"key": key, **_as_plain(setting)})
    else:
        print(f"{key} = {in_words(setting.value)}")


def _setting(paths: Paths, key: str) -> Setting:
    """What applies to a key.

    Raises:
        BadSetting: there is no such key, or something set has a wrong value.
    """
    if key not in keys():
        parse(key, "")
    value = value_of(load(paths.config), key)
    if variable(key) in os.environ:
        return Setting(key, value, "environment")
    return Setting(key, value, "file" if key in read_file(paths.config) else "default")


def _as_plain(setting: Setting) -> dict[str, Any]:
    """A setting as `--json` prints it; the keys are promised in docs/cli.md."""
    import msgspec  # noqa: PLC0415 - dates as text

    return {
        "value": msgspec.to_builtins(setting.value),
        "source": setting.source,
        "default": msgspec.to_builtins(default(setting.key)),
        "variable": variable(setting.key),
        "description": describe(setting.key),
    }
