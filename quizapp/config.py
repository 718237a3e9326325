"""What a person can set: one TOML file, documented keys, flag over environment over file.

The fields of `Settings` are the keys, those of a group behind its name and a dot; their
descriptions are the documentation that `quiz config` prints. Writing keeps a person's comments.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct, structs

from quizapp.errors import BadSetting

ENVIRONMENT_PREFIX = "QUIZ_"


class GpuSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where kernels are run for real."""

    use: Annotated[bool, Meta(description="run kernels on the GPU too, where there is one")] = True
    host: Annotated[
        str,
        Meta(
            pattern=r"^([^\s-]\S*)?\Z",
            description="user@host that has the GPU, through ssh; empty for this machine",
        ),
    ] = ""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting with its default."""

    language: Annotated[
        Literal["en", "zh"], Meta(description="language of screens and questions")
    ] = "en"
    new_per_day: Annotated[int, Meta(ge=0, le=1000, description="new questions a day")] = 10
    reviews_per_day: Annotated[int, Meta(ge=0, le=10_000, description="reviews a day")] = 200
    interview_date: Annotated[
        date | None, Meta(description="day of the interview, YYYY-MM-DD; empty for none")
    ] = None
    confidence: Annotated[bool, Meta(description="ask how sure you are before grading")] = True
    retention: Annotated[
        float,
        Meta(ge=0.7, le=0.97, description="share of questions to be remembered when they return"),
    ] = 0.9
    theme: Annotated[str, Meta(description="colour theme of the screens")] = "textual-dark"
    editor: Annotated[str, Meta(description="editor for `e`; empty for $VISUAL or $EDITOR")] = ""
    content: Annotated[
        tuple[str, ...], Meta(description="further folders with packs of questions")
    ] = ()
    keys: Annotated[
        dict[str, str], Meta(description="binding id = key, see `quiz config keys`")
    ] = {}
    gpu: GpuSettings = GpuSettings()
    welcomed: Annotated[bool, Meta(description="the first-start screen was seen")] = False


_EXPECTED = {
    "language": "en or zh",
    "new_per_day": "a whole number from 0 to 1000",
    "reviews_per_day": "a whole number from 0 to 10000",
    "interview_date": "a date such as 2026-12-24",
    "confidence": "true or false",
    "retention": "a number from 0.7 to 0.97",
    "theme": "the name of a theme",
    "editor": "a command",
    "content": "a list of folders",
    "keys": "a table of binding ids and keys",
    "gpu.use": "true or false",
    "gpu.host": "user@host, or a name that ssh knows",
    "welcomed": "true or false",
}
"""What each key can be, as its message says it; a test holds this to the types."""
_GROUPS: dict[str, type[Struct]] = {"gpu": GpuSettings}


def load(path: Path, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings that apply: the environment's over the file's over the defaults.

    Raises:
        BadSetting: with file and line, or the variable, and the nearest right key.
    """
    values = read_file(path)
    environment = os.environ if environment is None else environment
    for key in keys():
        if variable(key) in environment:
            values[key] = parse(key, environment[variable(key)], where=variable(key))
    return msgspec.convert(_nested(values), Settings)


def keys() -> tuple[str, ...]:
    """All keys, in the order of the documentation."""
    return tuple(_hints())


def variable(key: str) -> str:
    """The environment variable that goes before the file."""
    return ENVIRONMENT_PREFIX + key.upper().replace(".", "_")


def value_of(settings: Settings, key: str) -> Any:
    """What a key is set to."""
    return attrgetter(key)(settings)


def with_value(settings: Settings, key: str, value: Any) -> Settings:
    """Settings in which one key is set to another value."""
    group, _, name = key.rpartition(".")
    if not group:
        return structs.replace(settings, **{key: value})
    changed = structs.replace(value_of(settings, group), **{name: value})
    return structs.replace(settings, **{group: changed})


def describe(key: str) -> str:
    """What a key means."""
    note = next(n for n in get_args(_hint(key)) if isinstance(n, Meta))
    return note.description or ""


def default(key: str) -> Any:
    """The value a key has when nobody set it."""
    return value_of(Settings(), key)


def shown(value: Any) -> str:
    """A value as `quiz config` prints it, which is how it can be given back."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return os.pathsep.join(value)
    return str(value)


def parse(key: str, text: str, where: str = "") -> Any:
    """The value of `text` for `key`.

    Raises:
        BadSetting: no such key, or a value it cannot have; `where` says where it was given.
    """
    place = f"{where}: " if where else ""
    if key not in keys():
        raise BadSetting(f"{place}there is no setting '{key}'", _nearest(key))
    plain: Any = text
    if key == "content":
        plain = [part for part in text.split(os.pathsep) if part]
    elif key == "interview_date" and not text.strip():
        plain = None
    elif key == "keys":
        raise BadSetting(f"{place}keys are set one by one", "write [keys] in the file")
    return _checked(key, plain, place, strict=False)


def set_value(path: Path, key: str, text: str) -> Any:
    """Write one key into the file, keeping everything else; the value as it was understood."""
    value = parse(key, text)
    import tomlkit  # noqa: PLC0415 - 30 ms, and only writing needs it

    read_file(path)
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


def read_file(path: Path) -> dict[str, Any]:
    """What the file sets, by key, checked; nothing when there is no file."""
    try:
        text = path.read_text("utf-8")
        values = _flat(tomllib.loads(text))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path}: {error}", "mend the line, or move the file aside") from None
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror}", "make the file readable") from None
    for key, value in values.items():
        place = f"{path}:{_line_of(text, key)}: "
        if key not in keys():
            raise BadSetting(f"{place}there is no setting '{key}'", _nearest(key))
        values[key] = _checked(key, value, place, strict=True)
    return values


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by key, of groups too."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name in _GROUPS and isinstance(value, dict):
            found.update({f"{name}.{member}": one for member, one in value.items()})
        else:
            found[name] = value
    return found


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same as `Settings` holds them."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        group, _, name = key.rpartition(".")
        (found.setdefault(group, {}) if group else found)[name] = value
    return found


def _checked(key: str, value: Any, place: str, *, strict: bool) -> Any:
    try:
        return msgspec.convert(value, _hint(key), strict=strict, str_keys=True)
    except msgspec.ValidationError as error:
        what = f"{place}{key}: {shown(value)!r} is not {_EXPECTED[key]}"
        raise BadSetting(what, f"it means: {describe(key)}") from error


def _hint(key: str) -> Any:
    return _hints()[key]


@cache
def _hints() -> dict[str, Any]:
    """The type of every key."""
    found = get_type_hints(Settings, include_extras=True)
    groups = {name: get_type_hints(kind, include_extras=True) for name, kind in _GROUPS.items()}
    return _flat({**found, **groups})


def _nearest(key: str) -> str:
    close = difflib.get_close_matches(key, keys(), n=1)
    return f"did you mean '{close[0]}'?" if close else f"settings: {', '.join(keys())}"


def _line_of(text: str, key: str) -> int:
    found = re.search(rf"^[ \t]*\[?{re.escape(key)}\b", text, re.MULTILINE)
    group, _, name = key.rpartition(".")
    if found is None and group:
        rest = r"(?:(?!^[ \t]*\[)[^\0])*?"  # of the table: up to the head of the next one
        table = rf"^[ \t]*\[{re.escape(group)}\]{rest}^[ \t]*({re.escape(name)})\b"
        found = re.search(table, text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else 1


def _replace(path: Path, text: str) -> None:
    """Write beside, then rename: never a half-written file."""
    path = path.resolve()  # a link stays a link
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False
    ) as beside:
        beside.write(text)
    if path.exists():
        shutil.copymode(path, beside.name)
    Path(beside.name).replace(path)
