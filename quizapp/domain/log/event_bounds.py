"""What each field of each event may hold: the gate for all that comes from outside.

The program keeps these bounds itself, so it never writes what another copy of it refuses. They are
about sense; types are checked when an event is read. `docs/exchange.md` has them as a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
from msgspec import Struct

from grader.facts import Fact, fact
from quizapp.domain.bounds import (
    LEAST_RETENTION,
    LONGEST_ANSWER_MS,
    MOST_RETENTION,
    Each,
    FieldBound,
    Identifier,
    NameBound,
    Pairs,
    Parts,
    Places,
    PlainBound,
    SpanBound,
    TextBound,
    Typed,
    Violation,
    find_in,
)
from quizapp.domain.days import EARLIEST_OFFSET_S, LATEST_OFFSET_S
from quizapp.domain.goal import LATEST_DAYS, LEAST_SHARE, MOST_MINUTES, MOST_SHARE
from quizapp.domain.log import events as of
from quizapp.domain.schedule import LONGEST_INTERVAL

EDITION = 4
"""Raised whenever a bound is narrower than before: a log is then looked through once more."""

LATEST_MS = 1 << 43
"""The year 2248: no clock that we know of was ever set so far ahead."""
_DAY_MS = 86_400_000
EARLIEST_DAY, LATEST_DAY = -1, LATEST_MS // _DAY_MS + 1
"""Of times within the bounds: a study day begins at four, local time."""
LONGEST_TEXT = 1_000_000
"""Characters of an answer or of code; escaped, they fit into a line of an exported file."""

_LARGEST = (1 << 53) - 1
"""Integers up to this are the same in every program that reads JSON."""

_DAY = SpanBound(EARLIEST_DAY, LATEST_DAY)
_DUE_DAY = SpanBound(EARLIEST_DAY, LATEST_DAY + LONGEST_INTERVAL)
_DURATION = SpanBound(0, LONGEST_ANSWER_MS)
_COUNT = SpanBound(0, 1_000_000)
_SHARE = SpanBound(0, 1)
_NUMBER = SpanBound(1, _LARGEST)
_TYPED = Typed()
_NAME, _TEXT = NameBound(300), TextBound(LONGEST_TEXT)
_NAMES = Each(_NAME, 10_000)
_POINTS = 1_000
_WEIGHTS = tuple(map(SpanBound, LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS))
_MACHINES = 10_000
_RUNS = Each(Each(_NUMBER, 2), 20_000)

_PARAMETERS = Parts(
    {
        "retention": SpanBound(LEAST_RETENTION, MOST_RETENTION),
        "maximum_days": SpanBound(1, LONGEST_INTERVAL),
        "weights": Places(_WEIGHTS),
    }
)

_ALIKE: Mapping[FieldBound, tuple[str, ...]] = {
    _TYPED: (
        "correct", "gave_up", "how", "on", "practice", "ran", "rating", "repeat",
        "rule", "stands", "style",
    ),
    _NAME: (
        "content_hash", "gate", "interview", "kind", "language", "parameters_id", "placement",
        "probe", "question", "scheduler", "stage", "submission", "target",
    ),
    _NAMES: ("questions", "stages", "themes", "topics"),
    _TEXT: ("response", "shown", "source"),
    _COUNT: ("earlier", "failures", "hints", "number", "promised", "rev", "seed"),
    _DAY: ("day", "study_day"),
    _DUE_DAY: ("due_day", "until"),
    _DURATION: ("duration_ms", "elapsed_ms", "par_ms"),
    _SHARE: ("chance", "score"),
    Pairs(_NAME, _NAME, 10_000): ("if_right", "if_wrong"),
}  # fmt: skip
_BY_NAME: Mapping[str, FieldBound] = {
    **{name: bound for bound, names in _ALIKE.items() for name in names},
    "asked": Each(
        Parts(
            {
                "question": _NAME,
                "correct": _TYPED,
                "duration_ms": _DURATION,
                "knew": _TYPED,
                "response": _TEXT,
            }
        ),
        1_000,
    ),
    "confidence": SpanBound(1, 3),
    "covered": Each(SpanBound(0, _POINTS - 1), _POINTS),
    "credit": SpanBound(-1, 1),
    "drawn": PlainBound(100_000),
    "gates": Pairs(_NAME, _NAME, 100),
    "log_loss": Each(SpanBound(0, 1_000), 2),
    "minutes": SpanBound(1, MOST_MINUTES),
    "new_share": SpanBound(LEAST_SHARE, MOST_SHARE),
    "offset_s": SpanBound(EARLIEST_OFFSET_S, LATEST_OFFSET_S),
    "origin": TextBound(10_000),
    "parameters": _PARAMETERS,
    "points": SpanBound(0, _POINTS),
    "retention": SpanBound(LEAST_RETENTION, MOST_RETENTION),
    "taken": Pairs(Identifier(), _RUNS, _MACHINES),
    "through": Pairs(Identifier(), _NUMBER, _MACHINES),
    "utc_ms": SpanBound(0, LATEST_MS),
    "weights": Places(_WEIGHTS, may_be_empty=True),
}
"""What a field of this name may hold, whichever event has it."""
_OWN: Mapping[tuple[type[Struct], str], FieldBound] = {(of.Probed, "rule"): _NAME}
"""What it may hold in one event, where its name means something else there."""

BOUNDS: Mapping[type[Struct], Mapping[str, FieldBound]] = {
    kind: {name: _OWN.get((kind, name)) or _BY_NAME[name] for name in kind.__struct_fields__}
    for kind in get_args(of.Body)
}
"""By type of event and field."""

ENTRY: Mapping[str, FieldBound] = {
    "id": Identifier(),
    "at_ms": SpanBound(1, LATEST_MS - 1),
    "machine": Identifier(),
    "sequence": _NUMBER,
    "session": TextBound(300),
    "question": NameBound(300, least=1),
}
"""Of what every event has beside its body."""

RELATIVE: Mapping[type[Struct], tuple[str, str, SpanBound]] = {
    of.PlanSet: ("day", "study_day", SpanBound(1, LATEST_DAYS))
}
"""By type of event: a field, the field that it comes after, and by how much."""


CLOCKS_APART_DAYS = 2
"""So far may the clock that dated an event be ahead of ours."""

PLACES: Mapping[type[Struct], tuple[str, str]] = {of.MockAnswered: ("covered", "points")}
"""By type of event: a field of places in a list, each once, and the field with its length."""


def after(origin: str, by: SpanBound) -> Fact:
    """Say what a field that comes after another one may hold."""
    return fact("bound.after", of=origin, bound=by.text)


def places(length: str) -> Fact:
    """Say what a field of places in a list may hold."""
    return fact("bound.places", of=length)


@dataclass(frozen=True, slots=True)
class Implausible:
    """A field of an event that is out of its bounds."""

    kind: str
    field: str
    violation: Violation

    @property
    def text(self) -> Fact:
        """Say which field of which event holds what, and what it may hold."""
        shown = f"{self.violation.value!r}"
        return fact(
            "event.implausible",
            kind=self.kind,
            field=self.field + self.violation.path,
            value=shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…",
            bound=self.violation.expected,
        )


_SHOWN = 60


def find_implausible(body: Struct) -> Implausible | None:
    """Find the first field of an event that is out of its bounds; None if all are within."""
    for name, bound in BOUNDS[type(body)].items():
        found = find_in(body, name, bound)
        if found is not None:
            return Implausible(str(body.__struct_config__.tag), name, found)
    if type(body) in RELATIVE:
        name, origin, by = RELATIVE[type(body)]
        value = getattr(body, name)
        if by.find(value - getattr(body, origin)):
            violation = Violation("", value, after(origin, by))
            return Implausible(str(body.__struct_config__.tag), name, violation)
    if type(body) in PLACES:
        name, length = PLACES[type(body)]
        value = getattr(body, name)
        if len(set(value)) < len(value) or max(value, default=-1) >= getattr(body, length):
            violation = Violation("", value, places(length))
            return Implausible(str(body.__struct_config__.tag), name, violation)
    return None


def is_ahead(body: Struct, now_ms: int) -> bool:
    """Return True if an event is dated later than any clock can be by now: some clock was wrong.

    An answer from a day to come would keep every answer before that day from counting.
    """
    latest_ms = now_ms + CLOCKS_APART_DAYS * _DAY_MS
    # A study day is that of the local clock, or the one after it, which the log was on already.
    latest_day = latest_ms // _DAY_MS + 2
    day = getattr(body, _DAY_OF.get(type(body), "study_day"), 0)
    return day > latest_day or getattr(body, "utc_ms", 0) > latest_ms


_DAY_OF: Mapping[type[Struct], str] = {of.Buried: "until", of.MockQueued: "day"}
"""The day that dates an event, where it is not its study day: the program sets the next one."""


def find_misplaced(entry: Struct, kind: str) -> Implausible | None:
    """Find the first field of an event, beside its body, that is out of its bounds."""
    for name, bound in ENTRY.items():
        found = find_in(entry, name, bound)
        if found is not None:
            return Implausible(kind, name, found)
    return None
