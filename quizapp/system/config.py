"""What a person can set: one TOML file, documented keys, flag over environment over file.

The fields of `Settings` are the keys, those of a group behind its name and a dot; what
they mean is in the catalogue. `quizapp.system.settings_file` writes them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, structs

from grader import did_you_mean
from grader.facts import Fact, fact
from quizapp.domain.bounds import LEAST_RETENTION, MOST_RETENTION
from quizapp.domain.easy_days import read_easy_days
from quizapp.domain.errors import BadSetting
from quizapp.domain.goal import MOST_MINUTES
from quizapp.system import os_errors

ENVIRONMENT_PREFIX = "QUIZ_"
BINDING = "keys."
"""Before the id of a binding, in the name of its key."""
PACK = "packs."
"""Before the id of a pack, in the name of the key that switches it."""
PACK_NEW = "new_per_pack."
"""Before the id of a pack, in the name of the key that limits its new questions."""
PER_PACK = ("packs", "new_per_pack")
"""Keys with a value for each pack: the environment overrides some of them, not all."""


PerDay = Annotated[int, Meta(ge=0, le=1000)]
"""How many new questions a day brings."""


class GpuSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where kernels are run for real."""

    use: bool = True
    host: Annotated[str, Meta(pattern=r"^([^\s-]\S*)?\Z")] = ""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting with its default."""

    language: Literal["en", "zh"] = "en"
    new_per_day: PerDay = 10
    day_minutes: Annotated[int, Meta(ge=0, le=MOST_MINUTES)] = 45
    easy_days: str = ""
    reviews_per_day: Annotated[int, Meta(ge=0, le=10_000)] = 200
    interview_date: date | None = None
    confidence: bool = True
    code_language: Literal["python", "cuda"] = "python"
    job: Literal["any", "kernel", "inference", "training", "hpc"] = "any"
    retention: Annotated[float, Meta(ge=LEAST_RETENTION, le=MOST_RETENTION)] | None = None
    theme: str = "quiz-dark"
    editor: str = ""
    content: tuple[str, ...] = ()
    packs: dict[str, bool] = {}
    new_per_pack: dict[str, PerDay] = {}
    keys: dict[str, str] = {}
    gpu: GpuSettings = GpuSettings()
    welcomed: bool = False


_LONGEST_QUOTE = 80
_KEY = re.compile(r"(?:(?:ctrl|shift|alt|super|meta|hyper)\+)*(?:[A-Za-z0-9_]+|[!-+./:-~-])")
_DIGITS = re.compile(r"[0-9][0-9_]*")
_SWITCH = fact("yaml.type.bool")
_PER_DAY = fact("config.expects.whole", least=0, most=1000)
_EXPECTED = {
    "language": fact("config.expects.language"),
    "new_per_day": _PER_DAY,
    "day_minutes": fact("config.expects.whole", least=0, most=MOST_MINUTES),
    "easy_days": fact("config.expects.easy-days"),
    "reviews_per_day": fact("config.expects.whole", least=0, most=10_000),
    "interview_date": fact("config.expects.date"),
    "confidence": _SWITCH,
    "code_language": fact("config.expects.code-language"),
    "job": fact("config.expects.job"),
    "retention": fact("config.expects.number", least=LEAST_RETENTION, most=MOST_RETENTION),
    "theme": fact("config.expects.theme"),
    "editor": fact("config.expects.command"),
    "content": fact("config.expects.folders"),
    "packs": fact("config.expects.packs"),
    "new_per_pack": fact("config.expects.new-per-pack", least=0, most=1000),
    "keys": fact("config.expects.bindings"),
    "gpu.use": _SWITCH,
    "gpu.host": fact("config.expects.host"),
    "welcomed": _SWITCH,
}
"""What each key can be, as its message says it."""
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
_GROUPS: dict[str, type[Struct]] = {"gpu": GpuSettings}


def load(path: Path, environment: Mapping[str, str] | None = None) -> Settings:
    """Load the settings that apply: the environment's over the file's over the defaults.

    Raises BadSetting: with file and line, or the variable, and the nearest right key.
    """
    values = read_file(path)
    environment = os.environ if environment is None else environment
    for key in keys():
        if variable(key) in environment:
            given = parse(key, environment[variable(key)], variable(key))
            values[key] = {**values.get(key, {}), **given} if key in PER_PACK else given
    return msgspec.convert(_nest(values), Settings)


def from_environment(key: str, environment: Mapping[str, str] | None = None) -> Any:
    """Return what the environment sets a key to; if nothing, empty for `PER_PACK`, else None.

    Raises BadSetting: it cannot have this value.
    """
    environment = os.environ if environment is None else environment
    if variable(key) not in environment:
        return {} if key in PER_PACK else None
    return parse(key, environment[variable(key)], variable(key))


def keys() -> tuple[str, ...]:
    """List all keys, in the order of the documentation."""
    return tuple(_hints())


def variable(key: str) -> str:
    """Name the environment variable that overrides the file."""
    return ENVIRONMENT_PREFIX + key.upper().replace(".", "_")


def value_of(settings: Settings, key: str) -> Any:
    """Return what a key is set to."""
    return attrgetter(key)(settings)


def with_value(settings: Settings, key: str, value: Any) -> Settings:
    """Return settings in which one key is set to another value."""
    group, _, name = key.rpartition(".")
    if not group:
        return structs.replace(settings, **{key: value})
    changed = structs.replace(value_of(settings, group), **{name: value})
    return structs.replace(settings, **{group: changed})


def choices(key: str) -> tuple[str, ...]:
    """List the values a key can have, where there are few; a theme's names are the screens'."""
    kind = _hints()[key]
    if get_origin(kind) is Literal:
        return get_args(kind)
    return ("true", "false") if kind is bool else ()


def describe(key: str) -> Fact:
    """Return what a key means."""
    return Fact(f"config.about.{key}")


def default(key: str) -> Any:
    """Return the value of a key that is not set."""
    return value_of(Settings(), key)


def format_value(value: Any) -> str:
    """Write a value as `quiz config` prints it, which is how it can be given back."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return os.pathsep.join(value)
    if isinstance(value, dict):
        return ",".join(f"{name}={format_value(given)}" for name, given in value.items())
    return str(value)


class _Origin(NamedTuple):
    """Where a setting was given: a line of the file, a variable, or the command line (no name)."""

    name: str
    line: int | None = None

    def locate(self, what: Fact) -> Fact:
        """Say where it happened, if there is a place."""
        if self.line is not None:
            return fact("config.in-file", file=self.name, line=self.line, what=what)
        return fact("config.in-variable", variable=self.name, what=what) if self.name else what


def parse(key: str, text: str, where: str = "") -> Any:
    """Read `text` as the value of `key`, which may be that of one binding or one pack.

    Raises BadSetting: no such key, or a value it cannot have; `where` is the variable that gave it.
    """
    origin = _Origin(where)
    if key.startswith(BINDING):
        return _key(text, origin) or None
    group, _, name = key.partition(".")
    if group in PER_PACK and name:
        return _of_pack(group, name, text, origin) if text.strip() else None
    _check_name(key, origin)
    plain: Any = text
    if key == "content":
        plain = [part for part in text.split(os.pathsep) if part]
    elif key in PER_PACK:
        pairs = (part.partition("=") for part in text.split(",") if part.strip())
        plain = {of.strip(): _of_pack(key, of.strip(), given, origin) for of, _, given in pairs}
    elif key in ("interview_date", "retention") and not text.strip():
        plain = None
    elif key == "keys":
        raise BadSetting(origin.locate(fact("config.one-by-one")))
    return _check_value(key, plain, origin, strict=False)


def read_file(path: Path) -> dict[str, Any]:
    """Read what the file sets, by key, checked; nothing when there is no file."""
    text = ""
    try:
        text = path.read_text("utf-8")
        values = _flat(tomllib.loads(text))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        reason = os_errors.system_reason(error)
        raise BadSetting(fact("file.unreadable", path=str(path), reason=reason)) from None
    except (ValueError, RecursionError) as error:
        line, what = _unreadable(text, error)
        raise BadSetting(_Origin(str(path), line).locate(what)) from None
    for key, value in values.items():
        origin = _Origin(str(path), _line_of(text, key))
        _check_name(key, origin)
        values[key] = _check_value(key, value, origin, strict=True)
    return values


def _check_name(key: str, origin: _Origin) -> None:
    """Refuse a key that does not exist, and suggest the nearest that does."""
    if key not in keys():
        known = fact("config.known", keys=keys())
        hint = did_you_mean.suggest(key, keys(), known)
        raise BadSetting(origin.locate(fact("config.no-key", key=key)), hint)


def _key(text: str, origin: _Origin) -> str:
    """Read keys as Textual names them, separated by commas; empty for the default ones."""
    keys = [part.strip() for part in text.split(",")] if text.strip() else []
    if any(not _KEY.fullmatch(key) for key in keys):
        raise BadSetting(origin.locate(fact("config.bad-key", value=_brief(text))))
    return ",".join(keys)


def _unreadable(text: str, error: ValueError | RecursionError) -> tuple[int, Fact]:
    """Find the line that Python's TOML reader gives up on, and say why it does.

    It names none for huge numbers and deep brackets.
    """
    if isinstance(error, UnicodeDecodeError):
        return error.object.count(b"\n", 0, error.start) + 1, fact("config.not-utf8")
    lines = text.splitlines()
    if isinstance(error, tomllib.TOMLDecodeError):
        found = _TOML_PLACE.search(str(error))
        if found is None or found[1] is None:
            return max(1, len(lines)), fact("config.toml-ends")
        if "Cannot" in str(error):  # overwrite, declare or mutate what is there already
            return int(found[1]), fact("config.toml-twice", column=int(found[2]))
        return int(found[1]), fact("config.not-toml", column=int(found[2]))
    if isinstance(error, RecursionError):
        line = max(range(len(lines)), key=lambda at: lines[at].count("[") + lines[at].count("{"))
        return line + 1, fact("config.too-deep")
    digits = [max(map(len, _DIGITS.findall(line)), default=0) for line in lines]
    return digits.index(max(digits)) + 1, fact("config.too-many-digits", digits=max(digits))


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Collect values by key, of groups too."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name in _GROUPS and isinstance(value, dict):
            found.update({f"{name}.{member}": item for member, item in value.items()})
        else:
            found[name] = value
    return found


def _nest(values: Mapping[str, Any]) -> dict[str, Any]:
    """Group the values as `Settings` holds them."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        group, _, name = key.rpartition(".")
        (found.setdefault(group, {}) if group else found)[name] = value
    return found


def _of_pack(key: str, pack: str, text: str, origin: _Origin) -> Any:
    """Read what one pack has of a key of `PER_PACK`."""
    kind, expected = (bool, _SWITCH) if key == "packs" else (PerDay, _PER_DAY)
    try:
        return msgspec.convert(text.strip().lower(), kind, strict=False)
    except msgspec.ValidationError:
        what = fact(
            "config.bad-value",
            key=f"{key}.{pack}",
            value=_brief(text),
            expected=expected,
            meaning=describe(key),
        )
        raise BadSetting(origin.locate(what)) from None


def _check_value(key: str, value: Any, origin: _Origin, *, strict: bool) -> Any:
    try:
        found = msgspec.convert(value, _hints()[key], strict=strict, str_keys=True)
        if key == "easy_days":
            read_easy_days(found)
    except ValueError as error:  # of msgspec's, too
        what = fact(
            "config.bad-value",
            key=key,
            value=_brief(value),
            expected=_EXPECTED[key],
            meaning=describe(key),
        )
        raise BadSetting(origin.locate(what)) from error
    return found


def _brief(value: Any) -> Fact | str:
    """Quote a wrong value, whatever its size."""
    try:
        quoted = repr(format_value(value))
    except ValueError:  # hexadecimal numbers may be longer than Python writes in decimal
        return fact("config.huge-number")
    except RecursionError:
        return fact("config.deep-value")
    return quoted if len(quoted) <= _LONGEST_QUOTE else f"{quoted[:_LONGEST_QUOTE]}…"


@cache
def _hints() -> dict[str, Any]:
    """Return the type of every key."""
    found = get_type_hints(Settings, include_extras=True)
    groups = {name: get_type_hints(kind, include_extras=True) for name, kind in _GROUPS.items()}
    return _flat({**found, **groups})


def _line_of(text: str, key: str) -> int:
    found = re.search(rf"^[ \t]*\[?{re.escape(key)}\b", text, re.MULTILINE)
    group, _, name = key.rpartition(".")
    if found is None and group:
        rest = r"(?:(?!^[ \t]*\[)[^\0])*?"  # of the table: up to the head of the next one
        table = rf"^[ \t]*\[{re.escape(group)}\]{rest}^[ \t]*({re.escape(name)})\b"
        found = re.search(table, text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else 1
