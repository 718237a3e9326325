"""Writes the file of the settings, keeping a person's comments; `quizapp.system.config` reads it.

A module of its own because its TOML library takes 30 ms to load.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit

from quizapp.system import config


def set_value(path: Path, key: str, text: str) -> Any:
    """Write one key into the file, keeping everything else; the value as it was understood.

    Raises:
        BadSetting: there is no such key, it cannot have this value, or the file has an error.
        OSError: the file cannot be written.
    """
    value = config.parse(key, text)
    config.read_file(path)
    document = tomlkit.parse(path.read_text("utf-8") if path.exists() else "")
    group, _, name = key.rpartition(".")
    table: Any = document
    if group:
        table = document.setdefault(group, tomlkit.table())
    if value is None:
        table.pop(name, None)
    else:
        table[name] = list(value) if isinstance(value, tuple) else value
    _replace(path, tomlkit.dumps(document))
    return value


def _replace(path: Path, text: str) -> None:
    """Write beside, then rename: never a half-written file.

    Raises OSError: it names `path`, and nothing is left beside it.
    """
    path = path.resolve()  # a link stays a link
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, "utf-8")
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):  # there is none where nothing can be written
            beside.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
