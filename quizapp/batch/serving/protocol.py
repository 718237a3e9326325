"""The lines of `quiz grade --serve`: a request and its reply, each one JSON object.

docs/serve.md promises them. A request is not trusted; nothing here grades or reads a socket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from grader.did_you_mean import suggest
from grader.facts import Fact, fact
from grader.wire import Count, Name, Whole, truncate
from quizapp.batch.values import Result, Status
from quizapp.deck.submissions import LONGEST, TOO_LARGE
from quizapp.domain.question import CodeLanguage, Language
from quizapp.report.words import Words

VERSION = 1
"""Of the lines; higher once a key changes its meaning or is removed."""
MOST_LINE = 4 << 20
"""Bytes of a request: JSON doubles a source in Chinese, and a line of escapes more."""
_MOST_SAID = 200
"""Characters kept of what is wrong with a request."""

_BYTE = re.compile(r"\(byte (\d+)\)")
"""Where msgspec says that JSON is malformed."""

RequestId = Name | Whole


class ServeRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A submission to grade.

    Attributes:
        v: the version of the protocol.
        id: repeated by the reply.
        question: the name of an exercise.
        language: of a kernel; None: as the text looks.
        seed: of the inputs that no submission knows; None: that of the server.
        text: also reply with the verdict as lines of text.
    """

    v: Literal[1]
    id: RequestId
    question: Name
    source: str
    language: CodeLanguage | None = None
    seed: Count | None = None
    text: bool = False


_TAKES = {
    "id": fact("serve.takes.id"),
    "question": fact("serve.takes.question"),
    "source": fact("serve.takes.source"),
    "language": fact("serve.takes.language"),
    "seed": fact("serve.takes.seed"),
    "text": fact("yaml.type.bool"),
}
"""What the keys of a request may be; its version is checked before."""


class ServeReply(Struct, frozen=True, kw_only=True):
    """What came of a request.

    Attributes:
        id: of the request; None if the line had none.
        question: the id of the exercise; empty if there is none.
        language: of the code; empty where nothing was graded.
        sha256: of the source; empty where nothing was graded.
        status: as of a `Result`; `refused` if the request cannot be served.
        gate: the key of the first check that failed; empty if none did.
        code: that of the reason; empty if it passed.
        reason: why, as a fact.
        said: why, as a sentence.
        seed: of the inputs that no submission knows; None where nothing was graded.
        verdict: what `quiz grade --json` prints; None without a verdict.
        text: the verdict as lines of text, if asked for.
    """

    v: Literal[1] = 1
    id: RequestId | None
    question: str = ""
    language: CodeLanguage | Literal[""] = ""
    sha256: str = ""
    status: Status
    gate: str = ""
    code: str = ""
    reason: Fact | None = None
    said: str = ""
    seed: int | None = None
    verdict: dict[str, Any] | None = None
    text: tuple[str, ...] | None = None


class RefusedRequest(Exception):
    """A request cannot be served: what is wrong with it, and what to do."""

    def __init__(self, id_: RequestId | None, what: Fact, hint: Fact | None = None) -> None:
        super().__init__(what)
        self.id = id_
        self.what = what
        self.hint = hint


def read_request(line: bytes | None) -> ServeRequest:
    """Read the line of a request; None stands for one that is too long.

    Raises Refused: it is not one.
    """
    if line is None:
        raise RefusedRequest(None, fact("serve.long-line", most=MOST_LINE))
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = _describe_broken(line, error)
        raise RefusedRequest(None, fact("serve.not-json", why=why)) from None
    if not isinstance(plain, dict):
        raise RefusedRequest(None, fact("serve.not-an-object"))
    id_ = _id_of(plain)
    _check_keys(id_, plain)
    try:
        request = msgspec.convert(plain, ServeRequest)
    except msgspec.ValidationError:
        name = next(name for name in plain if not _fits(name, plain[name]))
        raise RefusedRequest(id_, fact("serve.bad-field", name=name, takes=_TAKES[name])) from None
    if len(request.source.encode()) > LONGEST:
        raise RefusedRequest(id_, TOO_LARGE)
    return request


def _describe_broken(line: bytes, error: Exception) -> Fact:
    """Say why a line is not JSON."""
    try:
        line.decode()
    except UnicodeDecodeError as broken:
        return fact("serve.json.not-utf8", byte=broken.start)
    if not line.strip():
        return fact("serve.json.empty")
    if isinstance(error, RecursionError):
        return fact("serve.json.too-deep")
    if isinstance(error, msgspec.ValidationError):
        return fact("serve.json.number")
    place = _BYTE.search(str(error))
    if place is None:
        return fact("serve.json.incomplete")
    return fact("serve.json.malformed", byte=int(place[1]))


def _fits(name: str, value: object) -> bool:
    """Return True if a key of the request may have this value."""
    (field,) = (each for each in msgspec.structs.fields(ServeRequest) if each.name == name)
    try:
        msgspec.convert(value, field.type)
    except msgspec.ValidationError:
        return False
    return True


def _id_of(plain: Mapping[str, Any]) -> RequestId | None:
    """Return the request's id, if it has one that a reply can repeat."""
    try:
        id_: RequestId | None = msgspec.convert(plain.get("id"), RequestId | None)
    except msgspec.ValidationError:
        return None
    return id_


def _check_keys(id_: RequestId | None, plain: Mapping[str, Any]) -> None:
    """Check the version first, since another may have other keys; then the names of the keys.

    Raises Refused: they are others.
    """
    version = plain.get("v")
    if "v" in plain and (version != VERSION or isinstance(version, bool | float)):
        shown = truncate(json.dumps(version), _MOST_SAID)
        raise RefusedRequest(id_, fact("serve.version", version=shown, known=VERSION))
    fields = msgspec.structs.fields(ServeRequest)
    missing = tuple(each.name for each in fields if each.required and each.name not in plain)
    if missing:
        raise RefusedRequest(id_, fact("serve.missing", names=missing))
    known = [each.name for each in fields]
    for name in plain:
        if name not in known:
            shown = truncate(name, _MOST_SAID)
            raise RefusedRequest(id_, fact("serve.unknown-key", name=shown), suggest(name, known))


def reply_to(request: ServeRequest, result: Result, seed: int) -> ServeReply:
    """Make the reply of a result."""
    return ServeReply(
        id=request.id,
        question=result.question,
        language=result.language,
        sha256=result.sha256,
        status=result.status,
        gate=result.gate,
        code="" if result.reason is None else result.reason.code,
        reason=result.reason,
        said=result.said,
        seed=seed,
        verdict=result.verdict,
        text=result.lines if request.text else None,
    )


def refuse(refused: RefusedRequest, said_in: Language) -> ServeReply:
    """Make the reply to a request that cannot be served."""
    return ServeReply(
        id=refused.id,
        status="refused",
        code=refused.what.code,
        reason=refused.what,
        said=Words(said_in).in_line(refused.what, refused.hint),
    )


def encode(reply: ServeReply) -> bytes:
    """Write a reply as its line, in ASCII."""
    return json.dumps(msgspec.to_builtins(reply)).encode() + b"\n"
