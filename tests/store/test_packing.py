"""The form on disk: everything comes back, damage is said, and what was written stays read."""

from __future__ import annotations

from typing import get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from quizapp.domain.log.answer_fields import AnswerFields, Rated
from quizapp.domain.log.events import Answered, Flagged
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import SCHEDULER_VERSION
from quizapp.store.packing import (
    pack_body,
    pack_id,
    pack_text,
    read_answer,
    unpack_body,
    unpack_id,
    unpack_text,
)
from tests.store.tools import build_answer

WRITTEN = (
    "dc001502c4100f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f01cd4a38cf0000017e36fc2000cd0e10c3010000c2"
    "cd05dc02a2333281a56f7264657293020001030b14c40630c7037bbda4cd4a3bc2"
)
"""`AN_ANSWER` as the first version with packed answers wrote it. Never change it."""

AN_ANSWER = build_answer(confidence=2, response="32", scheduler="fsrs6-days-2",
                         parameters_id="30c7037bbda4")  # fmt: skip

READ = {
    name
    for protocol in (Rated, AnswerFields)
    for name, found in vars(protocol).items()
    if isinstance(found, property)
}
"""What a replay reads of an answer."""

texts = st.one_of(
    st.sampled_from(["", "number", "fsrs6-days-1", "0f" * 16, "0F" * 16, "0f" * 6, "a b", " 0f"]),
    st.text(max_size=40),
)
numbers = st.integers(-(1 << 63), (1 << 63) - 1)
drawn = st.dictionaries(
    texts, st.recursive(numbers | st.booleans() | st.none() | texts, st.lists, max_leaves=5)
)
of_types = {
    str: texts,
    int: numbers,
    bool: st.booleans(),
    float: st.floats(allow_nan=False),
    int | None: st.none() | numbers,
    Rating: st.sampled_from(Rating),
    Rule: st.sampled_from(Rule),
}
optional = {
    "drawn": drawn,
    "practice": st.just(UNSET) | st.booleans(),
    "submission": st.just(UNSET) | texts,
    "language": st.just(UNSET) | texts,
}
fields = {
    name: of_types[of] if of in of_types else optional[name]
    for name, of in get_type_hints(Answered).items()
    if name in Answered.__struct_fields__
}


@settings(max_examples=100, deadline=None)
@given(answered=st.builds(Answered, **fields))
def test_every_answer_comes_back(answered: Answered):
    """As a value, and as the text that is exported."""
    packed = pack_body(answered)
    assert unpack_body(packed) == answered
    text = msgspec.json.encode(answered).decode()
    assert unpack_text(packed) == text
    assert unpack_text(pack_text(text)) == text


@settings(max_examples=100, deadline=None)
@given(answered=st.builds(Answered, **fields))
def test_a_replay_reads_what_was_packed(answered: Answered):
    """Whichever form it reads, each field is that of the answer."""
    packed = pack_body(answered)
    assert isinstance(packed, bytes)
    read = read_answer(packed)
    assert bool(read.practice) == bool(answered.practice)
    for name in READ - {"practice"}:
        assert getattr(read, name) == getattr(answered, name), name


@given(text=texts)
def test_every_id_comes_back(text: str):
    assert unpack_id(pack_id(text)) == text


def test_what_was_written_stays_read():
    assert unpack_body(bytes.fromhex(WRITTEN)) == AN_ANSWER


def test_an_answer_takes_a_fifth_of_its_text():
    text = msgspec.json.encode(AN_ANSWER)
    assert len(pack_body(AN_ANSWER)) * 5 < len(text)


@pytest.mark.parametrize(
    "text",
    [
        "not JSON",
        '{"type":"flag", "on":true}',
        '{"type":"of a later version","x":1}',
        msgspec.json.encode(AN_ANSWER).decode().replace('"rev":1', '"rev":1,"later":2'),
        msgspec.json.encode(AN_ANSWER).decode().replace('"rev":1', '"rev":1.0'),
    ],
)
def test_a_text_that_would_not_come_back_is_kept_as_it_is(text: str):
    assert pack_text(text) == text
    assert unpack_text(text) == text


def test_other_events_are_kept_as_json():
    assert pack_body(Flagged(on=True)) == '{"type":"flag","on":true}'


def test_an_integer_that_no_packing_holds_is_kept_as_json():
    body = build_answer(drawn={"n": 1 << 70})
    kept = pack_body(body)
    assert isinstance(kept, str)
    assert unpack_body(kept) == body


@settings(max_examples=100, deadline=None)
@given(at=st.integers(0, 75), byte=st.integers(0, 255), cut=st.integers(0, 76))
def test_damage_is_said(at: int, byte: int, cut: int):
    """To whoever reads the whole answer, and to a replay, which reads less of it."""
    content = bytearray.fromhex(WRITTEN)
    content[at] = byte
    for damaged in (bytes(content), bytes(content[:cut])):
        try:
            found = unpack_body(damaged)
        except msgspec.DecodeError:
            with pytest.raises(msgspec.DecodeError):
                read_answer(damaged)
        else:
            assert isinstance(found, Answered)
            assert read_answer(damaged).kind == found.kind


def test_the_scheduler_of_today_is_a_known_word():
    assert len(pack_body(build_answer(scheduler=SCHEDULER_VERSION))) < 90
