"""The form in which the log is kept on disk: ids as bytes, and an answer without names of fields.

A row needs nothing but itself and this module to be read, so that damage elsewhere cannot cost it.
What is here never changes its meaning; lists may only grow at their end. Everything but answers is
kept as JSON, and so is an answer that would not come back exactly.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, DecodeError, Meta, Struct, ValidationError, json, msgpack

from quizapp.domain.log.answer_fields import AnswerFields
from quizapp.domain.log.events import Answered, Body
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
_HASHES = (bytes, str)
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


_Word = Annotated[int, Meta(ge=0, lt=len(_WORDS))] | str


class PackedAnswer(Struct, array_like=True, frozen=True):
    """`Answered` by position, with texts in the form that they are stored in.

    `rest` has the fields that most answers do not have, by name. Whoever reads only some fields of
    an answer without `rest` reads them here: making an `Answered` of it takes three times as long.
    """

    kind_word: _Word
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
    scheduler_word: _Word
    parameters_hash: Any
    due_day: int
    repeat: bool
    rest: dict[str, Any] = {}

    practice: ClassVar[Literal[False]] = False
    """It would be in `rest`."""

    @property
    def kind(self) -> str:
        """The kind of the question."""
        return _TEXTS[self.kind_word]

    @property
    def scheduler(self) -> str:
        """The version of the scheduler."""
        return _TEXTS[self.scheduler_word]

    @property
    def parameters_id(self) -> str:
        """The id of the scheduler's parameters."""
        return _unpack_hash(self.parameters_hash)


_ALWAYS = Answered.__struct_fields__[: len(PackedAnswer.__struct_fields__) - 1]
_REST = Answered.__struct_fields__[len(_ALWAYS) :]
_bodies: json.Decoder[Body] = json.Decoder(Body)
_answers: msgpack.Decoder[PackedAnswer] = msgpack.Decoder(PackedAnswer)


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

    Raises msgspec.DecodeError: it is damaged, or of a newer version.
    """
    return _bodies.decode(cell) if isinstance(cell, str) else _unpack_answer(_decode_answer(cell))


def read_answer(cell: bytes) -> AnswerFields:
    """Return what a replay reads of the answer that `pack_body` packed into bytes.

    Raises msgspec.DecodeError: it is damaged, or of a newer version.
    """
    found = _decode_answer(cell)
    return _unpack_answer(found) if found.rest else found


def pack_text(text: str) -> bytes | str:
    """Return what the log keeps of a body in JSON, from which the same text comes back."""
    try:
        packed = pack_body(_bodies.decode(text))
        return packed if unpack_text(packed) == text else text
    except (DecodeError, RecursionError):
        return text


def unpack_text(cell: bytes | str) -> str:
    """Return a body in JSON. Raises msgspec.DecodeError: it is damaged."""
    return cell if isinstance(cell, str) else json.encode(unpack_body(cell)).decode()


def _pack_answer(body: Answered) -> bytes:
    rest = {name: value for name in _REST if (value := getattr(body, name)) is not UNSET}
    cells = [
        _NUMBERS.get(body.kind, body.kind), _pack_hash(body.content_hash), body.rev, body.study_day,
        body.utc_ms, body.offset_s, body.correct, _pack_score(body.score), body.hints,
        body.failures, body.gave_up, body.duration_ms, body.confidence, body.response, body.drawn,
        body.rating, _NUMBERS.get(body.rule, body.rule),
        _NUMBERS.get(body.scheduler, body.scheduler), _pack_hash(body.parameters_id), body.due_day,
        body.repeat,
    ]  # fmt: skip
    return msgpack.encode([*cells, rest] if rest else cells)


def _decode_answer(cell: bytes) -> PackedAnswer:
    try:
        found = _answers.decode(cell)
    except (UnicodeDecodeError, RecursionError) as error:
        raise ValidationError(str(error)) from error
    # What the types of the fields cannot say.
    hashed = type(found.content_hash) in _HASHES and type(found.parameters_hash) in _HASHES
    if not hashed or found.rule not in _RULES:
        raise ValidationError(f"{found.content_hash} {found.parameters_hash} {found.rule}")
    return found


def _unpack_answer(found: PackedAnswer) -> Answered:
    answered = Answered(
        kind=found.kind, content_hash=_unpack_hash(found.content_hash), rev=found.rev,
        study_day=found.study_day, utc_ms=found.utc_ms, offset_s=found.offset_s,
        correct=found.correct, score=found.score, hints=found.hints, failures=found.failures,
        gave_up=found.gave_up, duration_ms=found.duration_ms, confidence=found.confidence,
        response=found.response, drawn=found.drawn, rating=found.rating, rule=_RULES[found.rule],
        scheduler=found.scheduler, parameters_id=found.parameters_id, due_day=found.due_day,
        repeat=found.repeat,
    )  # fmt: skip
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
def _unpack_hash(found: bytes | str) -> str:
    """Return a hash as text; a log has few, and each a thousand times."""
    return unpack_id(found)


def _from_hex(text: str) -> bytes | str:
    """Return the bytes of digits in hex, if the same digits come back from them."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return text
    return found if found.hex() == text else text
