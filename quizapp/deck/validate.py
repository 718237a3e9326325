"""Plain data → a typed question, or every fault in it at once.

The types in `quizapp.domain.question` are the rules; msgspec checks them. It stops at the first
error, so when a question is not valid this module walks it again field by field to name them all.
"""

from __future__ import annotations

import difflib
import functools
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from quizapp.deck.yaml_reader import Path
from quizapp.domain.question import KINDS, AnyQuestion

_LISTED = 12
_AT = re.compile(r" - at `\$(.*)`$")
_TYPES = re.compile(r"`([^`]+)`")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "a map",
}


@dataclass(frozen=True, slots=True)
class Invalid:
    """One fault in a question: `path` from the question's root; `at_key` points at the key."""

    path: Path
    what: str
    todo: str
    at_key: bool = False


def validate(data: object) -> AnyQuestion | list[Invalid]:
    """The question that `data` (plain data of one mapping) is, or all that is wrong with it."""
    if not isinstance(data, dict):
        return [Invalid((), f"a question is a map, not {_name(data)}", "write `- id: …`")]
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        return [_unknown_kind(data)]
    try:
        return msgspec.convert(data, KINDS[kind])
    except msgspec.ValidationError:
        body = {key: value for key, value in data.items() if key != "kind"}
        return list(_struct_faults(body, KINDS[kind], ()))


def nearest(word: str, words: list[str]) -> str:
    """`did you mean …?` with the nearest of `words`, or a list of all."""
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    shown = ", ".join(words[:_LISTED])
    return f"one of: {shown}" + (", …" if len(words) > _LISTED else "")


def _unknown_kind(data: dict[str, Any]) -> Invalid:
    kinds = list(KINDS)
    if "kind" not in data:
        return Invalid((), "the field 'kind' is missing", f"add `kind:` ({', '.join(kinds)})")
    return Invalid(
        ("kind",), f"there is no kind '{data['kind']}'", nearest(str(data["kind"]), kinds)
    )


def _struct_faults(data: dict[str, Any], struct: type[Struct], path: Path) -> Iterator[Invalid]:
    """Unknown keys, missing fields, and the faults of each field."""
    hints = _hints(struct)
    fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
    for key in data:
        if key not in fields:
            missing = [name for name in fields if name not in data]
            yield Invalid(
                (*path, key),
                f"there is no field '{key}'",
                nearest(key, missing or list(fields)),
                at_key=True,
            )
    for name, field in fields.items():
        if name not in data:
            if field.required:
                yield Invalid(path, f"the field '{name}' is missing", f"add `{name}:`")
            continue
        yield from _faults(data[name], hints[field.name], (*path, name))


def _faults(value: object, kind: Any, path: Path) -> Iterator[Invalid]:
    """The faults of one value against one type; deepest place that can be named."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        struct = _struct_in(kind)
        item = _item_type(kind, value)
        inner: list[Invalid] = []
        if struct is not None and isinstance(value, dict):
            inner = list(_struct_faults(value, struct, path))
        elif item is not None and isinstance(value, list | dict):
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            inner = [f for step, v in parts for f in _faults(v, item, (*path, step))]
            if isinstance(value, dict):
                inner += _key_faults(value, kind, path)
        if inner:
            yield from inner
        else:
            yield _from_message(str(error), value, kind, path)


def _key_faults(value: dict[str, Any], kind: Any, path: Path) -> Iterator[Invalid]:
    """Keys of a map that are of another form than its type wants."""
    names = next(get_args(part)[0] for part in _parts(kind) if get_origin(part) is dict)
    for key in value:
        try:
            msgspec.convert(key, names)
        except msgspec.ValidationError:
            todo = f"write {_description(names) or 'another form'}"
            yield Invalid((*path, key), f"{key!r} is not allowed here", todo, at_key=True)


def _from_message(message: str, value: object, kind: Any, path: Path) -> Invalid:
    """The sentence of msgspec in the words of the format."""
    at = _AT.search(message)
    inner = _steps(at[1]) if at else ()
    what = _AT.sub("", message)
    if "matching regex" in what:
        meaning = _description(kind) or "another form"
        return Invalid((*path, *inner), f"{value!r} is not allowed here", f"write {meaning}")
    if "enum value" in what and (words := _literals(kind)):
        return Invalid(
            (*path, *inner), f"{value!r} is not allowed here", nearest(str(value), words)
        )
    what = _TYPES.sub(lambda found: _in_words(found[1]), what)
    what = what[:1].lower() + what[1:]
    return Invalid((*path, *inner), f"{what} ({_name(value)})", "change the value")


def _literals(kind: Any) -> list[str]:
    """The words that a type allows, where it allows only some."""
    return [str(w) for p in _parts(kind) if get_origin(p) is Literal for w in get_args(p)]


def _in_words(types: str) -> str:
    """Msgspec's `int | str | null` as people say it."""
    names = [name for name in types.split(" | ") if name != "null"]
    return " or ".join(_WORDS.get(name, f"'{name}'") for name in names or ["null"])


def _steps(text: str) -> Path:
    return tuple(name or int(index) for name, index in _STEP.findall(text) if name != "...")


def _name(value: object) -> str:
    """A value as the message shows it, short."""
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"  # noqa: PLR2004 - one line


@functools.cache
def _hints(struct: type[Struct]) -> dict[str, Any]:
    return get_type_hints(struct, include_extras=True)


def _parts(kind: Any) -> Iterator[Any]:
    """The members of a union, without their annotations."""
    if get_origin(kind) is Annotated:
        yield from _parts(get_args(kind)[0])
    elif get_origin(kind) in (Union, types.UnionType):
        for part in get_args(kind):
            yield from _parts(part)
    else:
        yield kind


def _struct_in(kind: Any) -> type[Struct] | None:
    return next((p for p in _parts(kind) if isinstance(p, type) and issubclass(p, Struct)), None)


def _item_type(kind: Any, value: object) -> Any | None:
    """What a variable-length tuple or a map like `value` holds; None for anything else."""
    for part in _parts(kind):
        arguments = get_args(part)
        if isinstance(value, list) and get_origin(part) is tuple and arguments[-1] is Ellipsis:
            return arguments[0]
        if isinstance(value, dict) and get_origin(part) is dict:
            return arguments[1]
    return None


def _description(kind: Any) -> str | None:
    """What the type says about its own form."""
    if get_origin(kind) is Annotated:
        return next((n.description for n in get_args(kind)[1:] if isinstance(n, Meta)), None)
    if get_origin(kind) in (Union, types.UnionType):
        return next((said for part in get_args(kind) if (said := _description(part))), None)
    return None
