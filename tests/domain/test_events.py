"""Events as stored: they come back as they were, and what was stored years ago still reads."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.log.events import (
    UNDOABLE,
    Answered,
    Body,
    Buried,
    Erased,
    Flagged,
    Hinted,
    Imported,
    LogEntry,
    MockAnswered,
    MockBegun,
    MockEnded,
    MockHinted,
    MockQueued,
    MockSkipped,
    MockSubmitted,
    Optimized,
    ParametersSet,
    Placed,
    PlacementAnswer,
    PlacementProgress,
    PlacementTaken,
    PlanDropped,
    PlanSet,
    Probed,
    Rerated,
    Reset,
    Revealed,
    Submitted,
    Suspended,
    Tried,
    Unvoided,
    Voided,
)
from quizapp.domain.rating import Rating, Rule
from quizapp.domain.schedule import Parameters

ANSWER = Answered(
    kind="choice",
    content_hash="0123456789abcdef",
    rev=2,
    study_day=20_000,
    utc_ms=1_728_000_000_123,
    offset_s=-18_000,
    correct=True,
    score=0.75,
    hints=1,
    failures=2,
    gave_up=False,
    duration_ms=12_345,
    confidence=3,
    response="a[tid] 中文",
    drawn={"order": [2, 0, 1]},
    rating=Rating.HARD,
    rule=Rule.HINT_USED,
    scheduler="fsrs6-days-1",
    parameters_id="4b2ee692f62b",
    due_day=20_003,
    repeat=True,
)

STORED = {
    "answer": (
        (
            '{"type":"answer","kind":"choice","content_hash":"0123456789abcdef","rev":2,'
            '"study_day":20000,"utc_ms":1728000000123,"offset_s":-18000,"correct":true,"score":0.75,'
            '"hints":1,"failures":2,"gave_up":false,"duration_ms":12345,"confidence":3,'
            '"response":"a[tid] 中文","drawn":{"order":[2,0,1]},"rating":2,"rule":"hint-used",'
            '"scheduler":"fsrs6-days-1","parameters_id":"4b2ee692f62b","due_day":20003,"repeat":true}'
        ),
        ANSWER,
    ),
    "try": (
        (
            '{"type":"try","content_hash":"0a1b","rev":2,"study_day":20000,"utc_ms":1728000000000,'
            '"offset_s":3600,"source":"row * 33 + col","gate":"inside"}'
        ),
        Tried(
            content_hash="0a1b",
            rev=2,
            study_day=20_000,
            utc_ms=1_728_000_000_000,
            offset_s=3600,
            source="row * 33 + col",
            gate="inside",
        ),
    ),
    "submit": (
        (
            '{"type":"submit","content_hash":"0a1b","rev":2,"study_day":20000,'
            '"utc_ms":1728000000000,"offset_s":3600,"source":"def k(a): pass",'
            '"gates":{"source":"passed","runs":"passed"}}'
        ),
        Submitted(
            content_hash="0a1b",
            rev=2,
            study_day=20_000,
            utc_ms=1_728_000_000_000,
            offset_s=3600,
            source="def k(a): pass",
            gates={"source": "passed", "runs": "passed"},
        ),
    ),
    "hint": (
        '{"type":"hint","number":2,"utc_ms":1728000000000}',
        Hinted(number=2, utc_ms=1_728_000_000_000),
    ),
    "rate": (
        '{"type":"rate","target":"ab12","rating":4,"due_day":20010}',
        Rerated(target="ab12", rating=Rating.EASY, due_day=20_010),
    ),
    "void": ('{"type":"void","target":"ab12"}', Voided(target="ab12")),
    "unvoid": ('{"type":"unvoid","target":"ab12"}', Unvoided(target="ab12")),
    "bury": ('{"type":"bury","until":20001}', Buried(until=20_001)),
    "suspend": ('{"type":"suspend","on":true}', Suspended(on=True)),
    "flag": ('{"type":"flag","on":false}', Flagged(on=False)),
    "reset": ('{"type":"reset"}', Reset()),
    "parameters": (
        (
            '{"type":"parameters","parameters":'
            '{"retention":0.9,"maximum_days":365,"weights":[0.2,1.3]}}'
        ),
        ParametersSet(parameters=Parameters(weights=(0.2, 1.3))),
    ),
    "reveal": ('{"type":"reveal","study_day":20000}', Revealed(study_day=20000)),
    "mock-begin": (
        (
            '{"type":"mock-begin","themes":["p/scan"],"style":"onsite","minutes":45,'
            '"stages":["p/scan/why"],"earlier":2,"study_day":20000,"utc_ms":5,"offset_s":0}'
        ),
        MockBegun(
            themes=("p/scan",),
            style="onsite",
            minutes=45,
            stages=("p/scan/why",),
            earlier=2,
            study_day=20_000,
            utc_ms=5,
            offset_s=0,
        ),
    ),
    "mock-answer": (
        (
            '{"type":"mock-answer","interview":"i","stage":"p/scan/why","question":"","kind":'
            '"recall","content_hash":"0a","utc_ms":5,"correct":true,"score":0.75,"hints":1,'
            '"failures":0,"gave_up":false,"elapsed_ms":9,"par_ms":8,"confidence":null,'
            '"covered":[0,2],"points":4,"response":"a","shown":"b","drawn":{"order":[1]},'
            '"language":"cuda"}'
        ),
        MockAnswered(
            interview="i",
            stage="p/scan/why",
            question="",
            kind="recall",
            content_hash="0a",
            utc_ms=5,
            correct=True,
            score=0.75,
            hints=1,
            elapsed_ms=9,
            par_ms=8,
            covered=(0, 2),
            points=4,
            response="a",
            shown="b",
            drawn={"order": [1]},
            language="cuda",
        ),
    ),
    "mock-hint": (
        '{"type":"mock-hint","interview":"i","stage":"p/scan/why","number":2,"utc_ms":5}',
        MockHinted(interview="i", stage="p/scan/why", number=2, utc_ms=5),
    ),
    "mock-submit": (
        '{"type":"mock-submit","interview":"i","stage":"s","response":"a","utc_ms":5,"confidence":2}',
        MockSubmitted(interview="i", stage="s", response="a", utc_ms=5, confidence=2),
    ),
    "mock-skip": (
        '{"type":"mock-skip","interview":"i","stage":"p/scan/why"}',
        MockSkipped(interview="i", stage="p/scan/why"),
    ),
    "mock-end": (
        '{"type":"mock-end","interview":"i","how":"time","utc_ms":5}',
        MockEnded(interview="i", how="time", utc_ms=5),
    ),
    "mock-queue": (
        '{"type":"mock-queue","interview":"i","questions":["p/a"],"day":20001}',
        MockQueued(interview="i", questions=("p/a",), day=20_001),
    ),
    "plan": (
        '{"type":"plan","study_day":20000,"day":20060,"minutes":30,"topics":["banks"]}',
        PlanSet(study_day=20_000, day=20_060, minutes=30, topics=("banks",)),
    ),
    "optimize": (
        '{"type":"optimize","study_day":20000,"weights":[0.5,2.0],"log_loss":[0.4,0.35]}',
        Optimized(study_day=20_000, weights=(0.5, 2.0), log_loss=(0.4, 0.35)),
    ),
    "plan-drop": (
        '{"type":"plan-drop","study_day":20000}',
        PlanDropped(study_day=20_000),
    ),
    "placement-progress": (
        (
            '{"type":"placement-progress","asked":[{"question":"p/a","correct":true,"duration_ms":9}],'
            '"study_day":20000,"utc_ms":5}'
        ),
        PlacementProgress(asked=(PlacementAnswer("p/a", True, 9),), study_day=20_000, utc_ms=5),
    ),
    "placement": (
        (
            '{"type":"placement","asked":[{"question":"p/a","correct":true,"duration_ms":9}],'
            '"study_day":20000,"utc_ms":5}'
        ),
        PlacementTaken(asked=(PlacementAnswer("p/a", True, 9),), study_day=20_000, utc_ms=5),
    ),
    "place": (
        '{"type":"place","placement":"i","rev":1,"study_day":20000,"parameters_id":"0a"}',
        Placed(placement="i", rev=1, study_day=20_000, parameters_id="0a"),
    ),
    "probe": (
        (
            '{"type":"probe","question":"p/kernel","probe":"kernel-guard-0a","rule":"guard",'
            '"kind":"choice","study_day":20000,"utc_ms":5,"correct":true,"score":1.0,'
            '"gave_up":false,"elapsed_ms":9,"confidence":null,"response":"1","interview":"i",'
            '"stage":"p/scan/why"}'
        ),
        Probed(
            question="p/kernel",
            probe="kernel-guard-0a",
            rule="guard",
            kind="choice",
            study_day=20_000,
            utc_ms=5,
            correct=True,
            score=1.0,
            elapsed_ms=9,
            response="1",
            interview="i",
            stage="p/scan/why",
        ),
    ),
    "erase": ('{"type":"erase","through":{"ab12":7}}', Erased(through={"ab12": 7})),
    "import": ('{"type":"import","origin":"laptop"}', Imported(origin="laptop")),
}
"""Frozen: bodies as databases hold them, and what they mean. Add to it; never change a line."""


@pytest.mark.parametrize(("text", "meaning"), STORED.values(), ids=STORED.keys())
def test_what_was_stored_still_reads(text, meaning):
    assert msgspec.json.decode(text, type=Body) == meaning


@pytest.mark.parametrize(("text", "meaning"), STORED.values(), ids=STORED.keys())
def test_what_is_stored_now_is_what_was_stored_then(text, meaning):
    assert msgspec.json.decode(msgspec.json.encode(meaning)) == msgspec.json.decode(text)


def test_an_import_names_what_it_brought_by_machine_and_runs_of_numbers():
    text = '{"type":"import","origin":"laptop","taken":{"ab12":[[1,3],[7,7]]}}'
    body = msgspec.json.decode(text, type=Body)
    assert body.taken == {"ab12": ((1, 3), (7, 7))}
    assert msgspec.json.encode(body).decode() == text


@pytest.mark.parametrize("tag", ["answer", "try"])
def test_what_a_submission_came_to_names_it(tag):
    text, _ = STORED[tag]
    named = text.removesuffix("}") + ',"submission":"ab12"}'
    body = msgspec.json.decode(named, type=Body)
    assert body.submission == "ab12"
    assert msgspec.json.decode(msgspec.json.encode(body)) == msgspec.json.decode(named)


@pytest.mark.parametrize("tag", ["answer", "try"])
def test_practice_is_named_only_where_it_is(tag):
    text, scheduled = STORED[tag]
    named = text.removesuffix("}") + ',"practice":true}'
    body = msgspec.json.decode(named, type=Body)
    assert body.practice is True
    assert not scheduled.practice
    assert msgspec.json.decode(msgspec.json.encode(body)) == msgspec.json.decode(named)


def test_a_submission_that_never_ran_says_so():
    text = (
        '{"type":"try","content_hash":"0a1b","rev":2,"study_day":20000,"utc_ms":1728000000000,'
        '"offset_s":3600,"source":"row +","gate":"parses","ran":false}'
    )
    body = msgspec.json.decode(text, type=Body)
    assert not body.counts
    assert msgspec.json.encode(body).decode() == text


@pytest.mark.parametrize(("gate", "counts"), [("parses", False), ("source", False), ("runs", True)])
def test_older_events_say_by_their_gate_whether_anything_ran(gate, counts):
    body = msgspec.json.decode(STORED["try"][0].replace("inside", gate), type=Body)
    assert (body.ran, body.counts) == (None, counts)


def test_every_kind_of_event_is_frozen_above():
    tags = {body.__struct_config__.tag for body in Body.__args__}
    assert tags == STORED.keys()


def test_an_answer_stored_before_the_optional_fields_existed_still_reads():
    least = (
        '{"type":"answer","kind":"number","content_hash":"x","rev":1,"study_day":1,"utc_ms":2,'
        '"offset_s":0,"correct":false,"score":0.0,"rating":1,"rule":"wrong","scheduler":"s",'
        '"parameters_id":"p","due_day":2}'
    )
    body = msgspec.json.decode(least, type=Body)
    assert isinstance(body, Answered)
    assert (body.hints, body.confidence, body.response, body.drawn, body.repeat) == (
        0,
        None,
        "",
        {},
        False,
    )


def test_a_field_that_a_newer_version_added_does_not_stop_an_older_one():
    assert msgspec.json.decode('{"type":"void","target":"a","why":"new"}', type=Body) == Voided(
        target="a"
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"dream"}',
        '{"type":"bury"}',
        '{"target":"a"}',
        '{"type":"rate","target":"a","rating":5,"due_day":1}',
        '{"type":"bury","until":"soon"}',
        "[]",
        "",
    ],
)
def test_what_is_no_event_is_refused(text):
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(text, type=Body)


numbers = st.integers(-(2**62), 2**62)
drawn_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
bodies = st.one_of(
    st.builds(
        Answered,
        kind=st.text(max_size=8),
        content_hash=st.text(max_size=8),
        rev=numbers,
        study_day=numbers,
        utc_ms=numbers,
        offset_s=st.integers(-50_400, 50_400),
        correct=st.booleans(),
        score=st.floats(0, 1),
        hints=st.integers(0, 9),
        failures=st.integers(0, 9),
        gave_up=st.booleans(),
        duration_ms=numbers,
        confidence=st.none() | st.integers(1, 3),
        response=st.text(),
        drawn=st.dictionaries(st.text(max_size=4), drawn_values, max_size=3),
        rating=st.sampled_from(Rating),
        rule=st.sampled_from(Rule),
        scheduler=st.text(max_size=8),
        parameters_id=st.text(max_size=8),
        due_day=numbers,
        repeat=st.booleans(),
    ),
    st.builds(Rerated, target=st.text(), rating=st.sampled_from(Rating), due_day=numbers),
    st.builds(Voided, target=st.text()),
    st.builds(Unvoided, target=st.text()),
    st.builds(Buried, until=numbers),
    st.builds(Suspended, on=st.booleans()),
    st.builds(Flagged, on=st.booleans()),
    st.just(Reset()),
    st.builds(
        ParametersSet,
        parameters=st.builds(
            Parameters,
            retention=st.floats(0.7, 0.97),
            maximum_days=st.integers(1, 36_500),
            weights=st.lists(st.floats(0, 10), max_size=21).map(tuple),
        ),
    ),
    st.builds(Imported, origin=st.text()),
)


@given(bodies)
def test_a_stored_event_comes_back_as_it_was(body):
    assert msgspec.json.decode(msgspec.json.encode(body), type=Body) == body


def test_logs_unite_by_time_then_machine_then_sequence():
    def event(at_ms: int, machine: str, sequence: int) -> LogEntry:
        return LogEntry("id", at_ms, machine, sequence, "s", "q", Reset())

    in_order = [event(1, "b", 9), event(2, "a", 5), event(2, "a", 6), event(2, "b", 1)]
    assert sorted([in_order[i] for i in (2, 0, 3, 1)], key=lambda e: e.order) == in_order


def test_undo_is_for_what_a_person_does_with_one_key():
    marks = {Buried, Suspended, Flagged, MockQueued, Placed}
    assert set(UNDOABLE) == {Answered, *marks, PlanSet, PlanDropped, Optimized}
