"""Encodes and decodes all messages between processes: one JSON object per line, typed, limited.

A worker may run an author's Python, or be any program on another host. Nothing it sends is used
before it is decoded here. Owns the limits; the modules that know a message own its types.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import DecodeError, Meta, Struct

from grader.facts import Fact, FactError, fact

MOST_BYTES = 1_000_000
"""In one answer. A verdict with its texts takes some 10 KB."""
MOST_TEXT = 4_000
"""Characters in one text: a compiler's message fits, and a screen still shows all of it."""
_MOST_NAME = 200
_MOST_COUNT = 1 << 53
"""The largest integer that JSON carries exactly everywhere."""
_MOST_AMOUNT = 1e18
_CODE = re.compile(r"[A-Za-z0-9._-]{1,100}")
_MOST_PARTS = 100
"""Fields of a fact, or items of one of its tuples."""
_DEEPEST = 5
"""Facts within facts."""

Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Name = Annotated[str, Meta(max_length=_MOST_NAME)]
Count = Annotated[int, Meta(ge=0, le=_MOST_COUNT)]
Whole = Annotated[int, Meta(ge=-_MOST_COUNT, le=_MOST_COUNT)]
Amount = Annotated[float, Meta(ge=0, le=_MOST_AMOUNT)]
"""Seconds, bytes per second, a ratio. JSON has neither NaN nor infinity, so it is finite."""

Difference = Annotated[float, Meta(ge=0)]
"""Between two elements of any type; `LARGEST` stands for infinity."""
LARGEST = sys.float_info.max

R = TypeVar("R", bound="Reply")


class Malformed(FactError, ValueError):
    """An answer that is not what it must be: a fact under `answer.`."""


def impossible(part: str) -> Malformed:
    """Make the error for a reply with an impossible part."""
    return Malformed(fact("answer.impossible", part=part))


class Request(Struct, frozen=True, kw_only=True, tag_field="do"):
    """A request to a process; each subclass has a tag of its own.

    Attributes:
        id: of this request; the reply repeats it.
        seconds: the time limit, after which the reply is ignored.
    """

    id: int = 0
    seconds: float = 0.0


class Reply(Struct, frozen=True, kw_only=True):
    """A reply; `id` is that of the request."""

    id: int = 0


def to_plain(value: Any) -> Any:
    """Turn dataclasses and structs into what JSON holds, with bytes left as they are."""
    return msgspec.to_builtins(value, builtin_types=(bytes,))


def encode_request(request: Request) -> bytes:
    """Encode a request, whole: it may hold a source with lone surrogates, which msgspec refuses."""
    return json.dumps(to_plain(request)).encode() + b"\n"


def decode_request(line: bytes, kinds: Sequence[type[Request]]) -> Any:
    """Decode one of our own requests, which is of one of these kinds.

    Raises:
        msgspec.ValidationError: it is not.
    """
    return msgspec.convert(json.loads(line), reduce(or_, kinds))


def encode_reply(reply: Reply) -> bytes:
    """Encode a reply, with its texts cut to `MOST_TEXT`, so that the other end accepts them."""
    return msgspec.json.encode(cut_texts(to_plain(reply))) + b"\n"


def decode_reply(line: bytes, kind: type[R], number: int) -> R:
    """Decode a reply, and do not trust it. `number`: the id of the request.

    Raises:
        Malformed: it is not JSON, has other types, is out of range, or answers something else.
    """
    try:
        reply: R = _decoder(kind).decode(line)
    except (DecodeError, UnicodeDecodeError) as error:
        what = fact("answer.not-typed", kind=kind.__name__, why=truncate(str(error), _MOST_NAME))
        raise Malformed(what) from None
    except RecursionError:
        raise Malformed(fact("answer.too-deep")) from None
    if reply.id != number:
        raise Malformed(fact("answer.not-asked"))
    for said in _facts_in(reply):
        _check_fact(said, _DEEPEST)
    return reply


def cut_texts(value: Any) -> Any:
    """Cut every text in plain data to `MOST_TEXT`, and replace what has no UTF-8."""
    if isinstance(value, str):
        return truncate(value).encode(errors="replace").decode()
    if isinstance(value, Mapping):
        return {key: cut_texts(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [cut_texts(part) for part in value]
    return value


def truncate(text: str, most: int = MOST_TEXT) -> str:
    """Cut a text to `most` characters; an ellipsis stands for the rest."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _facts_in(value: Any) -> Iterator[Fact]:
    """Walk through structs, dataclasses and tuples to every fact in them."""
    if isinstance(value, Fact):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _facts_in(item)
    else:
        names = getattr(value, "__struct_fields__", ())
        for name in names or getattr(value, "__dataclass_fields__", ()):
            yield from _facts_in(getattr(value, name))


def _check_fact(said: Fact, deepest: int) -> None:
    """See that a fact can be shown.

    Raises:
        Malformed: it has a strange code, a huge number, too many parts, or is nested too deeply.
    """
    if not deepest or not _CODE.fullmatch(said.code) or len(said.fields) > _MOST_PARTS:
        raise impossible("fact")
    for name, value in said.fields.items():
        parts = value if isinstance(value, tuple) else (value,)
        if len(name) > _MOST_NAME or len(parts) > _MOST_PARTS:
            raise impossible("fact")
        for part in parts:
            if isinstance(part, Fact):
                _check_fact(part, deepest - 1)
            elif isinstance(part, int) and abs(part) > _MOST_COUNT:
                raise impossible("fact")


@cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)
