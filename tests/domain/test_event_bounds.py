"""The gate for events of others: every field has bounds, the docs list them, and each is kept."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from quizapp.domain.bounds import Each, FieldBound, Parts
from quizapp.domain.log.event_bounds import (
    BOUNDS,
    ENTRY,
    PLACES,
    RELATIVE,
    after,
    find_implausible,
    is_ahead,
    places,
)
from quizapp.domain.log.events import Body, LogEntry
from quizapp.domain.schedule import Parameters
from quizapp.report.words import Words
from tests.domain.test_events import ANSWER, STORED
from tests.plausible import values_beyond

DOCS = Path(__file__).parents[2] / "docs" / "exchange.md"
SAMPLES = {type(body): body for _, body in STORED.values()}


def parts_of(kind: type, bounds: dict[str, FieldBound]) -> None:
    """Check that every field has a bound, also in the values that a field is made of."""
    assert set(bounds) == set(kind.__struct_fields__), kind
    hints = get_type_hints(kind)
    for name, bound in bounds.items():
        inner, of = (bound.item, get_args(hints[name])[0]) if isinstance(bound, Each) else (
            bound, hints[name]
        )  # fmt: skip
        if isinstance(inner, Parts):
            parts_of(of, inner.fields)


def test_every_field_of_every_type_has_bounds():
    assert set(BOUNDS) == set(get_args(Body))
    for kind, bounds in BOUNDS.items():
        parts_of(kind, bounds)
    beside = set(LogEntry.__struct_fields__) - {"body"}
    assert set(ENTRY) == beside


def table() -> list[str]:
    """The table of docs/exchange.md: fields of one type with the same bounds share a row."""
    say = Words("en")
    rows = ["| event | field | allowed |", "| --- | --- | --- |"]
    kinds = {"every event": ENTRY}
    kinds |= {f"`{kind.__struct_config__.tag}`": bounds for kind, bounds in BOUNDS.items()}
    relative = {f"`{kind.__struct_config__.tag}`": rule for kind, rule in RELATIVE.items()}
    listed = {f"`{kind.__struct_config__.tag}`": pair for kind, pair in PLACES.items()}
    for kind, bounds in kinds.items():
        said = {name: say.fact(bound.text) for name, bound in bounds.items()}
        if kind in relative:
            name, origin, by = relative[kind]
            said[name] += f"; {say.fact(after(origin, by))}"
        if kind in listed:
            name, length = listed[kind]
            said[name] += f"; {say.fact(places(length))}"
        ordered = sorted(said.items(), key=lambda pair: list(said.values()).index(pair[1]))
        for text, fields in groupby(ordered, key=lambda pair: pair[1]):
            rows.append(f"| {kind} | {', '.join(f'`{name}`' for name, _ in fields)} | {text} |")
        if not bounds:
            rows.append(f"| {kind} | | |")
    return rows


def test_the_docs_list_the_bounds():
    text = DOCS.read_text("utf-8")
    wanted = "\n".join(table())
    assert wanted in text, wanted


def sample(kind: type) -> object:
    """An event of a type within all bounds."""
    body = SAMPLES[kind]
    names = set(kind.__struct_fields__)
    if "parameters" in names:
        body = msgspec.structs.replace(body, parameters=Parameters())
    if "weights" in names:
        body = msgspec.structs.replace(body, weights=Parameters().weights)
    if "through" in names:
        body = msgspec.structs.replace(body, through={"0f" * 16: 7})
    return body


CASES = [(kind, name) for kind, bounds in BOUNDS.items() for name in bounds]


@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{k.__name__}-{n}" for k, n in CASES])
def test_a_value_beyond_its_bounds_is_named_with_its_field(kind, name):
    body = sample(kind)
    assert find_implausible(body) is None
    for value in values_beyond(BOUNDS[kind][name]):
        found = find_implausible(msgspec.structs.replace(body, **{name: value}))
        assert found is not None, value
        assert found.field == name
        english, chinese = (Words(each).fact(found.text) for each in ("en", "zh"))
        assert name in english
        assert name in chinese


def test_a_plan_reaches_no_farther_than_the_program_plans():
    plan = sample(next(kind for kind in RELATIVE))
    for days, plausible in ((0, False), (1, True), (730, True), (731, False)):
        far = msgspec.structs.replace(plan, day=plan.study_day + days)
        assert (find_implausible(far) is None) is plausible


@pytest.mark.parametrize(
    ("covered", "points", "plausible"),
    [((), 0, True), ((0, 2), 3, True), ((0,), 0, False), ((3,), 3, False), ((1, 1), 3, False)],
)
def test_the_points_covered_are_points_of_the_rubric_each_once(covered, points, plausible):
    (kind,) = PLACES
    answer = msgspec.structs.replace(sample(kind), covered=covered, points=points)
    assert (find_implausible(answer) is None) is plausible


DATES = {"utc_ms", "study_day", "until"}
DATED = [kind for kind in BOUNDS if DATES & set(kind.__struct_fields__)]


@pytest.mark.parametrize("kind", DATED, ids=lambda kind: kind.__name__)
def test_what_is_dated_later_than_two_days_from_now_is_ahead(kind):
    now_ms = 20_000 * 86_400_000 + 23 * 3_600_000
    named = DATES.intersection(kind.__struct_fields__)
    fine = {"utc_ms": now_ms + 2 * 86_400_000, "study_day": 20_000 + 4, "until": 20_000 + 4}
    fields = {name: fine[name] for name in named}
    assert not is_ahead(msgspec.structs.replace(sample(kind), **fields), now_ms)
    for name in named:
        late = fields | {name: fine[name] + 1}
        assert is_ahead(msgspec.structs.replace(sample(kind), **late), now_ms)


def test_numbers_that_are_none_are_implausible():
    assert find_implausible(msgspec.structs.replace(ANSWER, score=float("nan"))) is not None
