"""Plain data → a typed question, or every fault in it at once.

The types in `quizapp.domain.question` are the rules; msgspec checks them. It stops at the first
error, so when a question is not valid this module walks it again field by field to name them all.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from grader.did_you_mean import choices, suggest
from grader.facts import Fact, fact
from quizapp.domain.question import KINDS, AnyQuestion
from quizapp.exercises.faults import FieldFault, FieldPath

_AT = re.compile(r" - at `\$(.*)`$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_TYPES = re.compile(r"Expected `([^`]+)`, got `")
_LIMIT = re.compile(r"Expected `[^`]+` (of length )?(>=|<=|>|) ?([-+.e0-9]+)")
_TYPE_FACTS = {
    "int": fact("yaml.type.int"),
    "float": fact("yaml.type.float"),
    "str": fact("yaml.type.str"),
    "bool": fact("yaml.type.bool"),
    "null": fact("yaml.type.null"),
    "array": fact("yaml.type.array"),
    "object": fact("yaml.type.object"),
}
_FORMS = {
    "lower-case words joined by hyphens": fact("form.slug"),
    "`id` within the same pack, or `pack/id`": fact("form.question-id"),
    'a number, or a share such as "2%"': fact("form.share"),
    "a lower-case name": fact("form.lower-case-name"),
    "a short name": fact("form.short-name"),
    "a Python name": fact("form.python-name"),
}
"""What a type with a pattern asks for, by its description."""
_LONGEST_QUOTE = 40

S = TypeVar("S", bound=Struct)


def validate(data: object) -> AnyQuestion | list[FieldFault]:
    """Turn the plain data of one mapping into a question, or list all that is wrong with it."""
    if not isinstance(data, dict):
        return [FieldFault((), fact("question.not-a-map", value=_describe(data)))]
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        return [_unknown_kind(data)]
    try:
        return msgspec.convert(data, KINDS[kind])
    except msgspec.ValidationError:
        body = {key: value for key, value in data.items() if key != "kind"}
        return list(_struct_faults(body, KINDS[kind], ()))


def validate_as(data: object, struct: type[S]) -> S | list[FieldFault]:
    """Turn plain data into a struct, or list all that is wrong with it."""
    if not isinstance(data, dict):
        return [FieldFault((), fact("theme.not-a-map", value=_describe(data)))]
    try:
        return msgspec.convert(data, struct)
    except msgspec.ValidationError:
        return list(_struct_faults(data, struct, ()))


def _unknown_kind(data: dict[str, Any]) -> FieldFault:
    if "kind" not in data:
        return FieldFault((), fact("question.no-kind", kinds=tuple(KINDS)))
    what = fact("question.unknown-kind", kind=str(data["kind"]))
    return FieldFault(("kind",), what, suggest(str(data["kind"]), KINDS))


def _struct_faults(
    data: dict[str, Any], struct: type[Struct], path: FieldPath
) -> Iterator[FieldFault]:
    """Yield unknown keys, missing fields, and the faults of each field."""
    hints = _hints(struct)
    fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
    for key in data:
        if key not in fields:
            missing = [name for name in fields if name not in data]
            hint = suggest(key, missing or fields)
            yield FieldFault((*path, key), fact("field.unknown", field=key), hint, at_key=True)
    for name, field in fields.items():
        if name not in data:
            if field.required:
                yield FieldFault(path, fact("field.missing", field=name))
            continue
        yield from _faults(data[name], hints[field.name], (*path, name))


def _faults(value: object, kind: Any, path: FieldPath) -> Iterator[FieldFault]:
    """Yield the faults of one value against one type, each as deep as it can be located."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        struct = _struct_in(kind)
        item = _item_type(kind, value)
        inner: list[FieldFault] = []
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
            yield _fault_of_message(str(error), value, kind, path)


def _key_faults(value: dict[str, Any], kind: Any, path: FieldPath) -> Iterator[FieldFault]:
    """Yield keys of a map that do not have the form that its type requires."""
    names = next(get_args(part)[0] for part in _parts(kind) if get_origin(part) is dict)
    for key in value:
        try:
            msgspec.convert(key, names)
        except msgspec.ValidationError:
            what = fact("field.not-allowed", value=repr(key))
            yield FieldFault((*path, key), what, _form_hint(names), at_key=True)


def _fault_of_message(message: str, value: object, kind: Any, path: FieldPath) -> FieldFault:
    """Read msgspec's sentence as a fact; one that is not known keeps its words."""
    at = _AT.search(message)
    path = (*path, *(_steps(at[1]) if at else ()))
    message = _AT.sub("", message)
    if "matching regex" in message:
        return FieldFault(path, fact("field.not-allowed", value=repr(value)), _form_hint(kind))
    if "enum value" in message and (words := _literals(kind)):
        what = fact("field.not-allowed", value=repr(value))
        return FieldFault(path, what, suggest(str(value), words, choices(words)))
    shown = _describe(value)
    if found := _TYPES.match(message):
        return FieldFault(path, fact("field.wrong-type", expected=_types(found[1]), value=shown))
    if found := _LIMIT.match(message):
        return FieldFault(path, _limit_fact(found, value))
    return FieldFault(path, fact("field.invalid", message=message, value=shown))


def _limit_fact(found: re.Match[str], value: Any) -> Fact:
    """Name the limit that a number or a length breaks."""
    of_length, sign, text = found.groups()
    limit = float(text) if "." in text or "e" in text else int(text)
    match bool(of_length), sign:
        case False, ">":
            return fact("field.too-small", limit=limit, value=_describe(value))
        case False, ">=":
            return fact("field.below-least", least=limit, value=_describe(value))
        case False, _:
            return fact("field.above-most", most=limit, value=_describe(value))
        case True, ">=":
            return fact("field.too-short", least=limit, length=len(value))
        case True, "<=":
            return fact("field.too-long", most=limit, length=len(value))
    return fact("field.wrong-length", required=limit, length=len(value))


def _form_hint(kind: Any) -> Fact:
    form = _FORMS.get(_description(kind) or "")
    return fact("field.form", form=form) if form else fact("field.other-form")


def _literals(kind: Any) -> list[str]:
    """List the words that a type allows, where it allows only some."""
    return [str(w) for p in _parts(kind) if get_origin(p) is Literal for w in get_args(p)]


def _types(names: str) -> Fact:
    """Read msgspec's `int | str | null` without the null, which people omit."""
    known = [name for name in names.split(" | ") if name != "null"] or ["null"]
    first, *rest = (_TYPE_FACTS.get(name, name) for name in known)
    result = first
    for other in rest:
        result = fact("yaml.type.or", first=result, other=other)
    return result if isinstance(result, Fact) else fact("yaml.type.other", name=result)


def _steps(text: str) -> FieldPath:
    return tuple(name or int(index) for name, index in _STEP.findall(text) if name != "...")


def _describe(value: object) -> Fact | str:
    """Quote a value, shortened to fit one line."""
    if value is None:
        return fact("value.empty")
    if isinstance(value, dict):
        return _TYPE_FACTS["object"]
    if isinstance(value, list):
        return _TYPE_FACTS["array"]
    quoted = repr(value)
    return quoted if len(quoted) <= _LONGEST_QUOTE else f"{quoted[: _LONGEST_QUOTE - 3]}…"


@functools.cache
def _hints(struct: type[Struct]) -> dict[str, Any]:
    return get_type_hints(struct, include_extras=True)


def _parts(kind: Any) -> Iterator[Any]:
    """Yield the members of a union, without their annotations."""
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
    """Return what a variable-length tuple or a map like `value` holds; None for anything else."""
    for part in _parts(kind):
        arguments = get_args(part)
        if isinstance(value, list) and get_origin(part) is tuple and arguments[-1] is Ellipsis:
            return arguments[0]
        if isinstance(value, dict) and get_origin(part) is dict:
            return arguments[1]
    return None


def _description(kind: Any) -> str | None:
    """Return what the type says about its own form."""
    if get_origin(kind) is Annotated:
        return next((n.description for n in get_args(kind)[1:] if isinstance(n, Meta)), None)
    if get_origin(kind) in (Union, types.UnionType):
        return next((said for part in get_args(kind) if (said := _description(part))), None)
    return None
