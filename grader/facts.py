"""Facts: what happened, as a code and typed fields. Knows no sentence.

A grader answers in facts; what shows them turns each code into a sentence of the reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

FieldScalar = None | bool | int | float | str
MOST_CHARACTERS = 4_000
"""In one text of a fact; `grader.wire` has the same limit for texts."""
MOST_ITEMS = 1_000
"""In one tuple of a fact."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What happened, or what to do about it.

    Attributes:
        code: which fact: dotted, lower case, with hyphens, as in `python.no-lists`. Never changes
            its meaning, since `--json` prints it.
        fields: the values that its sentence needs; names, numbers, source text, further facts.
    """

    code: str
    fields: Mapping[str, FieldValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what no sentence can hold, since a fact may come from an untrusted process.

        Raises:
            ValueError: a text or a tuple is too long.
        """
        if any(map(_is_too_long, (self.code, *self.fields.values()))):
            raise ValueError("a text or a tuple of a fact is too long")

    def __hash__(self) -> int:
        """Hash the code alone: fields may hold a mapping."""
        return hash(self.code)

    def __str__(self) -> str:
        """Return the sentence if this process has a catalogue (`SPEAKERS`), else the bare fact."""
        return SPEAKERS[-1](self) if SPEAKERS else self.bare()

    def bare(self) -> str:
        """Return the code and its fields, for logs and for readers without a catalogue."""
        shown = ", ".join(f"{name}={_encode(value)}" for name, value in self.fields.items())
        return f"{self.code} ({shown})" if shown else self.code


FieldValue = FieldScalar | Fact | tuple[FieldScalar | Fact, ...]


SPEAKERS: list[Callable[[Fact], str]] = []
"""Turn a fact into a sentence, in the process of a person's script, which may print errors."""


def fact(code: str, /, **fields: FieldValue) -> Fact:
    """Make a fact: `fact("python.no-name", name="x")`; texts that are too long are cut."""
    return Fact(code, {name: _truncate(value) for name, value in fields.items()})


def _is_too_long(value: FieldValue) -> bool:
    if isinstance(value, tuple):
        return len(value) > MOST_ITEMS or any(map(_is_too_long, value))
    return isinstance(value, str) and len(value) > MOST_CHARACTERS


def _truncate(value: FieldValue) -> FieldValue:
    if isinstance(value, tuple):
        return tuple(_truncate(item) for item in value[:MOST_ITEMS])  # type: ignore[misc]
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return value[: MOST_CHARACTERS - 1] + "…"
    return value


def as_plain(what: Fact) -> dict[str, object]:
    """Return the code and the fields for `--json`; a field may be a fact itself."""
    return {
        "code": what.code,
        "fields": {name: _value_as_plain(value) for name, value in what.fields.items()},
    }


def _value_as_plain(value: FieldValue) -> object:
    if isinstance(value, tuple):
        return [_value_as_plain(item) for item in value]
    return as_plain(value) if isinstance(value, Fact) else value


def quote(text: str) -> Fact:
    """Make a fact of what another program wrote: a compiler, a driver, Python."""
    return fact("quoted", text=text)


def _encode(value: FieldValue) -> str:
    if isinstance(value, tuple):
        return ", ".join(_encode(item) for item in value)
    return str(value)


class FactError(Exception):
    """An error that is told as a fact."""

    def __init__(self, what: Fact) -> None:
        super().__init__(what)
        self.what = what
