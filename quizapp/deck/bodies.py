"""The bodies of a compiled deck: each question as JSON, decoded by its kind.

Apart from the index, which a session reads at its start without msgspec.
"""

from __future__ import annotations

from msgspec import json

from quizapp.domain.question import KINDS, AnyQuestion


def encode(question: AnyQuestion) -> bytes:
    """Write a question as the deck stores it."""
    return json.encode(question)


def decode(body: bytes | memoryview, kind: str) -> AnyQuestion:
    """Read a question of this kind."""
    return json.decode(body, type=KINDS[kind])
