"""The form in which the log is kept on disk: ids as bytes, and an answer without names of fields.

A row needs nothing but itself and this module to be read, so that damage elsewhere cannot cost it.
What is here never changes its meaning; lists may only grow at their end. Everything but answers is
kept as JSON, and so is an answer that would not come back exactly.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET, DecodeError, Struct, ValidationError, json, msgpack

from quizapp.domain.events import Answered, Body
from quizapp.domain.rating import Rating, Rule

_WORDS = (
    *("recall", "choice", "number", "trace", "index", "kernel", "spot"),
    *("wrong", "gave-up", "hint-used", "two-failures", "unaided", "fast-and-sure"),
    *("covered-most", "covered-half", "covered-little", "person", "partly", "guessed"),
    *("fsrs6-days-1", "fsrs6-days-2"),
)
"""What answers say most often, by its number; other texts are kept as they are."""

_ID_BYTES = 16
_HASH_DIGITS = (12, 32, 64)
_NUMBERS = {word: number for number, word in enumerate(_WORDS)}
_RULES: dict[int | str, Rule] = {
    key: rule for rule in Rule for key in (rule.value, _NUMBERS.get(rule.value, rule.value))
}


class _Texts(dict[int | str, str]):
    """Words by their numbers; a text that has no number is itself."""

    def __missing__(self, key: int | str) -> str:
        if isinstance(key, str):
            return key
        raise KeyError(key)


_TEXTS = _Texts(enumerate(_WORDS))


class _Packed(Struct, array_like=True, frozen=True):
    """`Answered` by position; hashes are bytes or, where they are not in hex, text.

    `rest` has the fields that most answers do not have, by name.
    """

    kind: int | str
    content_hash: Any
    rev: int
    study_day: int
    utc_ms: int
    offset_s: int
    correct: bool
    score: float
    hints: int
    failures: int
    gave_up: bool
    duration_ms: int
    confidence: int | None
    response: str
    drawn: dict[str, Any]
    rating: Rating
    rule: int | str
    scheduler: int | str
    parameters_id: Any
    due_day: int
    repeat: bool
    rest: dict[str, Any] = {}


_ALWAYS = _Packed.__struct_fields__[:-1]
_REST = tuple(name for name in Answered.__struct_fields__ if name not in _ALWAYS)
_bodies: json.Decoder[Body] = json.Decoder(Body)
_answers: msgpack.Decoder[_Packed] = msgpack.Decoder(_Packed)


def pack_id(text: str) -> bytes | str:
    """Return the bytes of an id in hex; another text as it is."""
    packed = _from_hex(text)
    return packed if len(packed) == _ID_BYTES else text


def unpack_id(cell: bytes | str) -> str:
    """Return the id that `pack_id` packed."""
    return cell.hex() if isinstance(cell, bytes) else cell


@lru_cache(maxsize=1024)
def unpack_shared_id(cell: bytes | str) -> str:
    """Return the id of a machine or a session, which many events share."""
    return unpack_id(cell)


def pack_body(body: Body) -> bytes | str:
    """Return what the log keeps of a body."""
    if isinstance(body, Answered):
        try:
            return _pack_answer(body)
        except OverflowError:  # an integer of more than 64 bits in what was drawn
            pass
    return json.encode(body).decode()


def unpack_body(cell: bytes | str) -> Body:
    """Return the body that `pack_body` packed.

    Raises:
        msgspec.DecodeError: it is damaged, or of a newer version.
    """
    return _bodies.decode(cell) if isinstance(cell, str) else _unpack_answer(cell)


def pack_text(text: str) -> bytes | str:
    """Return what the log keeps of a body in JSON, from which the same text comes back."""
    try:
        packed = pack_body(_bodies.decode(text))
        return packed if unpack_text(packed) == text else text
    except (DecodeError, RecursionError):
        return text


def unpack_text(cell: bytes | str) -> str:
    """Return a body in JSON.

    Raises:
        msgspec.DecodeError: it is damaged.
    """
    return cell if isinstance(cell, str) else json.encode(_unpack_answer(cell)).decode()


def _pack_answer(body: Answered) -> bytes:
    rest = {name: value for name in _REST if (value := getattr(body, name)) is not UNSET}
    cells = [
        _NUMBERS.get(body.kind, body.kind),
        _pack_hash(body.content_hash),
        body.rev,
        body.study_day,
        body.utc_ms,
        body.offset_s,
        body.correct,
        _pack_score(body.score),
        body.hints,
        body.failures,
        body.gave_up,
        body.duration_ms,
        body.confidence,
        body.response,
        body.drawn,
        body.rating,
        _NUMBERS.get(body.rule, body.rule),
        _NUMBERS.get(body.scheduler, body.scheduler),
        _pack_hash(body.parameters_id),
        body.due_day,
        body.repeat,
    ]
    return msgpack.encode([*cells, rest] if rest else cells)


def _unpack_answer(cell: bytes) -> Answered:
    try:
        found = _answers.decode(cell)
        answered = Answered(
            kind=_TEXTS[found.kind],
            content_hash=_unpack_hash(found.content_hash),
            rev=found.rev,
            study_day=found.study_day,
            utc_ms=found.utc_ms,
            offset_s=found.offset_s,
            correct=found.correct,
            score=found.score,
            hints=found.hints,
            failures=found.failures,
            gave_up=found.gave_up,
            duration_ms=found.duration_ms,
            confidence=found.confidence,
            response=found.response,
            drawn=found.drawn,
            rating=found.rating,
            rule=_RULES[found.rule],
            scheduler=_TEXTS[found.scheduler],
            parameters_id=_unpack_hash(found.parameters_id),
            due_day=found.due_day,
            repeat=found.repeat,
        )
    except DecodeError:
        raise
    except (LookupError, ValueError, RecursionError) as error:
        raise ValidationError(str(error)) from error
    if not found.rest:
        return answered
    fields = {name: getattr(answered, name) for name in _ALWAYS}
    return msgspec.convert({**fields, **found.rest}, Answered)


def _pack_score(score: float) -> float:
    """Return 0 or 1 as an integer, which takes a byte instead of nine; but not -0.0."""
    return int(score) if str(score) in ("0.0", "1.0") else score


def _pack_hash(text: str) -> bytes | str:
    return _from_hex(text) if len(text) in _HASH_DIGITS else text


@lru_cache(maxsize=8192)
def _unpack_hash(found: object) -> str:
    """Return a hash as text; a log has few, and each a thousand times."""
    if not isinstance(found, bytes | str):
        raise ValidationError(type(found).__name__)
    return unpack_id(found)


def _from_hex(text: str) -> bytes | str:
    """Return the bytes of digits in hex, if the same digits come back from them."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return text
    return found if found.hex() == text else text
