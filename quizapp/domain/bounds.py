"""Kinds of bounds that a value of an event may have; `event_bounds` says which field has which.

Types are checked before: a bound decides only whether a value of the right type is plausible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from msgspec import UNSET, Struct, json

from grader.facts import Fact, fact

LEAST_RETENTION, MOST_RETENTION = 0.7, 0.97
"""Of the setting, and of the parameters of an event; here, since `schedule` loads fsrs."""
LONGEST_ANSWER_MS = 86_400_000
"""What an answer takes at most, as it is logged and counted: a day."""


class Violation(NamedTuple):
    """A value out of its bounds: `path` is where it is in its field, `expected` says the bounds."""

    path: str
    value: object
    expected: Fact


class FieldBound(Protocol):
    """What a value has to keep."""

    def find(self, value: Any) -> Violation | None:
        """Return what is out of bounds first; None if nothing is."""

    @property
    def text(self) -> Fact:
        """Say what is allowed."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Every value of the type: a truth value, or one of a few words."""

    def find(self, _value: object) -> None:
        """Find nothing: the type says it all."""

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.typed")


@dataclass(frozen=True, slots=True)
class SpanBound:
    """A number between two others, both included."""

    low: float
    high: float

    def find(self, value: float) -> Violation | None:
        """Return the number if it is outside, or is none."""
        return None if self.low <= value <= self.high else Violation("", value, self.text)

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.span", low=self.low, high=self.high)


@dataclass(frozen=True, slots=True)
class TextBound:
    """Any text, up to a length in characters."""

    most: int

    def find(self, value: str) -> Violation | None:
        """Return the text if it is too long."""
        return None if len(value) <= self.most else Violation("", value, self.text)

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.text", most=self.most)


@dataclass(frozen=True, slots=True)
class NameBound:
    """A text of one line without control characters, up to a length."""

    most: int
    least: int = 0

    def find(self, value: str) -> Violation | None:
        """Return the text if it is no name."""
        sound = self.least <= len(value) <= self.most and value.isprintable()
        return None if sound else Violation("", value, self.text)

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.name", least=self.least, most=self.most)


@dataclass(frozen=True, slots=True)
class Identifier:
    """The id of an event or of a machine: 32 hexadecimal digits."""

    def find(self, value: str) -> Violation | None:
        """Return the text if it is no id."""
        return None if is_id(value) else Violation("", value, self.text)

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.id")


@dataclass(frozen=True, slots=True)
class Each:
    """A list: how many items it may have, and what each keeps."""

    item: FieldBound
    most: int

    def find(self, value: tuple[Any, ...]) -> Violation | None:
        """Return the first item that is out of bounds, or the length."""
        if len(value) > self.most:
            return Violation("", len(value), self.text)
        return _first((f"[{place}]", self.item.find(item)) for place, item in enumerate(value))

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.each", most=self.most, item=self.item.text)


@dataclass(frozen=True, slots=True)
class Pairs:
    """A mapping: how many entries it may have, and what keys and values keep."""

    key: FieldBound
    item: FieldBound
    most: int

    def find(self, value: Mapping[str, Any]) -> Violation | None:
        """Return the first key or value that is out of bounds, or the length."""
        if len(value) > self.most:
            return Violation("", len(value), self.text)
        found = ((key, self.key.find(key) or self.item.find(item)) for key, item in value.items())
        return _first((f".{key[:40]}", each) for key, each in found)

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.pairs", most=self.most, key=self.key.text, item=self.item.text)


@dataclass(frozen=True, slots=True)
class Places:
    """A list of a fixed length whose places have bounds of their own."""

    items: tuple[SpanBound, ...]
    may_be_empty: bool = False

    def find(self, value: tuple[float, ...]) -> Violation | None:
        """Return the first number that is out of bounds, or the length."""
        if not value and self.may_be_empty:
            return None
        if len(value) != len(self.items):
            return Violation("", len(value), self.text)
        checked = zip(self.items, value, strict=True)
        found = ((f"[{place}]", bound.find(x)) for place, (bound, x) in enumerate(checked))
        return _first(found)

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        n = len(self.items)
        return (
            fact("bound.weights-or-none", n=n) if self.may_be_empty else fact("bound.weights", n=n)
        )


@dataclass(frozen=True, slots=True)
class PlainBound:
    """Plain data of any form, up to a size as JSON, in bytes."""

    most: int

    def find(self, value: Mapping[str, Any]) -> Violation | None:
        """Return the size if it is too large."""
        size = len(json.encode(value)) if value else 0
        return None if size <= self.most else Violation("", size, self.text)

    @property
    def text(self) -> Fact:
        """Say what is allowed."""
        return fact("bound.plain", most=self.most)


@dataclass(frozen=True, slots=True)
class Parts:
    """A value with fields of its own."""

    fields: Mapping[str, FieldBound]

    def find(self, value: Struct) -> Violation | None:
        """Return the first field that is out of bounds."""
        return _first((f".{name}", find_in(value, name, of)) for name, of in self.fields.items())

    @property
    def text(self) -> Fact:
        """Say what is allowed, field by field."""
        parts = (fact("bound.part", name=name, bound=of.text) for name, of in self.fields.items())
        return fact("bound.parts", parts=tuple(parts))


def find_in(body: Any, name: str, bound: FieldBound) -> Violation | None:
    """Return what is out of bounds in a field; a field that is not set is within all."""
    value = getattr(body, name)
    return None if value is None or value is UNSET else bound.find(value)


def is_id(text: str) -> bool:
    """Return True if this can be the id of an event or of a machine."""
    return len(text) == _ID_DIGITS and _HEX.issuperset(text)


_ID_DIGITS = 32
_HEX = frozenset("0123456789abcdef")


def _first(found: Any) -> Violation | None:
    """Return the first violation of these, with the path to it."""
    for path, violation in found:
        if violation is not None:
            return Violation(path + violation.path, violation.value, violation.expected)
    return None
