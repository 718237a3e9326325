"""A fact crosses a pipe and comes back the same."""

from __future__ import annotations

import msgspec
import pytest

from grader.facts import MOST_CHARACTERS, Fact, fact

FACTS = [
    fact("a.plain-one"),
    fact("a.of-scalars", n=3, ratio=0.5, name="x", yes=True, nothing=None),
    fact("a.nested", names=("a", "b"), why=fact("b", n=1), several=(fact("c"), fact("d", n=2))),
]


@pytest.mark.parametrize("sent", FACTS, ids=lambda sent: sent.code)
def test_it_survives_json(sent: Fact):
    assert msgspec.json.decode(msgspec.json.encode(sent), type=Fact) == sent


@pytest.mark.parametrize(
    "line",
    [
        b'{"fields": {}}',
        b'{"code": 3}',
        b'{"code": "a", "fields": []}',
        b'{"code": "a", "fields": {"name": "' + b"x" * 5000 + b'"}}',
        b'{"code": "' + b"a" * 5000 + b'"}',
        b'{"code": "a", "fields": {"lines": [' + b"1," * 5000 + b"1]}}",
    ],
)
def test_what_is_not_one_is_refused(line: bytes):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Fact)


def test_without_a_catalogue_it_shows_its_code_and_fields():
    assert str(FACTS[1]) == "a.of-scalars (n=3, ratio=0.5, name=x, yes=True, nothing=None)"


def test_a_text_that_is_too_long_is_cut_where_the_fact_is_made():
    made = fact("a.long", name="x" * 10_000, names=("y" * 10_000,) * 2_000)
    assert len(made.fields["name"]) == MOST_CHARACTERS
    assert msgspec.json.decode(msgspec.json.encode(made), type=Fact) == made
