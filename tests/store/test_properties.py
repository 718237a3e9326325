"""Whatever is done in whatever order: what is kept step by step equals what a replay gives, and
both equal a count made here by hand, without the domain's projection.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.domain.log.events import (
    Answered,
    Buried,
    Flagged,
    LogEntry,
    ParametersSet,
    Rerated,
    Reset,
    Submitted,
    Suspended,
    Tried,
    Unvoided,
    Voided,
)
from quizapp.domain.log.projection import redo_target, undo_target
from quizapp.domain.log.totals import Totals
from quizapp.domain.rating import Confidence, Rating
from quizapp.domain.schedule import Parameters
from quizapp.store.log import NewEvent
from quizapp.store.store import Store
from tests.store.tools import NOON_MS, PARAMETERS, build_answer, one, redo, undo

DAYS = (100, 101, 102, 103, 104, 107, 150, 220)
QUESTIONS = ("p/a", "p/b", "p/c")
SECOND = Parameters(retention=0.8, maximum_days=30)

WHEN = {"content_hash": "h", "rev": 1, "study_day": 100, "utc_ms": 0, "offset_s": 0}

question = st.sampled_from(QUESTIONS)
pick = st.integers(0, 50)
act = st.one_of(
    st.tuples(
        st.just("answer"),
        question,
        st.sampled_from(DAYS),
        st.sampled_from(Rating),
        st.sampled_from([PARAMETERS.id, SECOND.id]),
        st.integers(0, 5000),
        st.sampled_from([None, *Confidence]),
        st.sampled_from(["", "", "\n0 2", "s[t]\n1", "practice"]),
    ),
    st.tuples(st.sampled_from(["void", "unvoid"]), pick),
    st.tuples(st.just("rate"), pick, st.sampled_from(Rating)),
    st.tuples(st.sampled_from(["bury", "suspend", "flag", "reset"]), question, st.booleans()),
    st.tuples(st.sampled_from(["submit", "try"]), question, pick),
    st.tuples(st.just("adopt"), st.dictionaries(question, question, max_size=2)),
)
acts = st.lists(st.tuples(act, st.integers(-90_000_000, 90_000_000)), max_size=25)


@contextmanager
def copy_of(pristine: Path) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(pristine, Path(folder) / "progress.db")
        with Store.open(Path(path)) as store:
            one(store, None, ParametersSet(parameters=SECOND))
            yield store


def body_of(what: tuple[Any, ...], done: list[LogEntry]) -> tuple[str, Any] | None:
    """The question and body that an act is logged with; None when it has nothing to act on."""
    match what:
        case ("answer", name, day, rating, parameters, ms, confidence, said):
            correct = rating is not Rating.AGAIN
            more = {"rating": rating, "parameters_id": parameters, "duration_ms": ms}
            more |= {"confidence": confidence, "response": said}
            more |= {"kind": "recall", "rev": ms % 2} if "\n" in said else {}
            more |= {"practice": True} if said == "practice" else {}
            return name, build_answer(day, correct=correct, **more)
        case ("void" | "unvoid" | "rate", number, *rest):
            if not done:
                return None
            target = done[number % len(done)]
            assert target.question is not None
            kinds = {"void": Voided, "unvoid": Unvoided}
            if what[0] in kinds:
                return target.question, kinds[what[0]](target=target.id)
            return target.question, Rerated(target=target.id, rating=rest[0], due_day=0)
        case ("bury", name, _):
            return name, Buried(until=104)
        case ("suspend", name, on):
            return name, Suspended(on=on)
        case ("flag", name, on):
            return name, Flagged(on=on)
        case ("reset", name, _):
            return name, Reset()
        case ("submit" | "try", name, number):
            return name, submit(what[0], number, done)
    raise AssertionError(what)


def submit(kind: str, number: int, done: list[LogEntry]) -> Submitted | Tried:
    """A submission, or one that a GPU failed; it names any event."""
    source = f"{number % 3}"
    if kind == "submit":
        return Submitted(**WHEN, source=source, gates={"result": "passed"})
    named = {"submission": done[number % len(done)].id} if done else {}
    return Tried(**WHEN, source=source, gate="gpu result", **named)


def perform(store: Store, sequence: list[tuple[Any, int]]) -> list[LogEntry]:
    """Do it all; the events as first logged, with the ids their questions had then."""
    done: list[LogEntry] = []
    for what, shift_ms in sequence:
        if what[0] == "adopt":
            store.adopt(what[1])
        elif (made := body_of(what, done)) is not None:
            done.append(one(store, made[0], made[1], utc_ms=NOON_MS + shift_ms))
    return done


Sums = dict[str, Counter[str]]
"""By a day or a question, what `Totals` calls each sum; no zeros."""


def count_by_hand(store: Store, done: list[LogEntry]) -> tuple[Sums, Sums, Counter[tuple]]:
    """Sums by day and by question, and parts, with dictionaries and an `if`.

    How far ahead an answer was scheduled is taken from the store: that is the schedule's to say.
    """
    intervals = {fact.event: fact.interval for fact in store.answer_facts()}
    ratings = {e.body.target: e.body.rating for e in done if isinstance(e.body, Rerated)}
    days: Sums = defaultdict(Counter)
    questions: Sums = defaultdict(Counter)
    parts: Counter[tuple] = Counter()
    last_day: dict[str, int] = {}
    for event in left(done):
        now = store.event(event.id)
        assert now is not None
        name, body = now.question, event.body
        assert name is not None
        if isinstance(body, Reset):
            last_day.pop(name, None)
        if isinstance(body, Tried):
            parts[name, body.rev, body.gate] += 1
        if isinstance(body, Answered) and not body.practice:
            sums = Counter({"answers": 1, "duration_ms": body.duration_ms})
            if name not in last_day or body.study_day > last_day[name]:
                recalled = ratings.get(event.id, body.rating) > Rating.AGAIN
                mature = intervals[event.id] >= 21
                sums += first_attempt(body, recalled, mature if name in last_day else None)
                last_day[name] = body.study_day
            days[body.study_day] += sums
            questions[name] += sums
            parts.update((name, body.rev, part) for part in parts_by_hand(body))
    return days, questions, parts


def left(done: list[LogEntry]) -> list[LogEntry]:
    """The events that are not undone in the end."""
    void: set[str] = set()
    for event in done:
        if isinstance(event.body, Voided):
            void.add(event.body.target)
        if isinstance(event.body, Unvoided):
            void.discard(event.body.target)
    return [event for event in done if event.id not in void]


def first_attempt(body: Answered, recalled: bool, mature: bool | None) -> Counter[str]:
    """A day's first attempt; `mature` is None for a new question."""
    known = {None: "new", False: "young", True: "mature"}[mature]
    sums = Counter({"right": int(body.correct), known: 1})
    if mature is not None:
        sums[f"{known}_recalled"] = int(recalled)
    if body.confidence:
        said = ("guess", "fairly", "certain")[body.confidence - 1]
        sums |= Counter({said: 1, f"{said}_right": int(body.correct)})
    return sums


def parts_by_hand(body: Answered) -> list[Any]:
    """The answer, and each point that it covered."""
    if body.kind != "recall":
        return []
    return ["answers", *map(int, body.response.splitlines()[1].split())]


def plain(totals: dict[Any, Totals]) -> dict[Any, dict[str, int]]:
    """The same values as dictionaries without zeros."""
    return {
        key: {name: n for name, n in asdict(found).items() if n} for key, found in totals.items()
    }


def parts_of(store: Store) -> Counter[tuple]:
    """What the store counted of parts, as `count_by_hand` has it."""
    parts: Counter[tuple] = Counter()
    for rubric in store.rubric_totals():
        parts[rubric.question, rubric.rev, "answers"] = rubric.answers
        for point, times in rubric.covered.items():
            parts[rubric.question, rubric.rev, point] = times
    for check in store.check_totals():
        parts[check.question, check.rev, check.check] = check.failed
    return parts


def check_step_by_step_equals_replay_equals_count(pristine: Path, sequence) -> None:
    with copy_of(pristine) as store:
        done = perform(store, sequence)
        days, questions, parts = count_by_hand(store, done)
        kept = store.dump()
        assert plain(store.totals_by_day(DAYS[0], DAYS[-1])) == {
            d: dict(+n) for d, n in days.items()
        }
        by_question = {name: dict(+sums) for name, sums in questions.items()}
        assert plain(store.totals_by_question()) == by_question
        assert plain(store.totals_by_question(since_day=DAYS[0])) == by_question
        assert parts_of(store) == parts
        assert store.answers_by_day(DAYS[0], DAYS[-1]) == {
            day: totals.counted
            for day, totals in store.totals_by_day(DAYS[0], DAYS[-1]).items()
            if totals.counted
        }
        assert len(store.answer_facts()) == sum(sums["answers"] for sums in days.values())
        store.rebuild()
        assert store.dump() == kept
        assert store.check() == []


def check_undo_then_redo(pristine: Path, sequence, number: int) -> None:
    """Undo up to `number` acts one by one, then redo them: every state comes back exactly."""
    with copy_of(pristine) as store:
        perform(store, sequence)
        states = [store.dump()]
        for _ in range(number):
            target = undo_target(store.recent_undo_events("session", 0))
            if target is None:
                break
            undo(store, target)
            states.append(store.dump())
        while len(states) > 1:
            assert store.dump() == states.pop()
            target = redo_target(store.recent_undo_events("session", 0))
            assert target is not None
            redo(store, target)
        assert store.dump() == states.pop()


@settings(max_examples=25, deadline=None)
@given(sequence=acts)
def test_step_by_step_equals_replay_equals_count(pristine: Path, sequence):
    check_step_by_step_equals_replay_equals_count(pristine, sequence)


@settings(max_examples=15, deadline=None)
@given(sequence=acts, number=st.integers(1, 5))
def test_undo_then_redo_gives_every_state_again(pristine: Path, sequence, number: int):
    check_undo_then_redo(pristine, sequence, number)


@settings(max_examples=30, deadline=None)
@given(sequence=acts, last=act.filter(lambda a: a[0] in {"answer", "bury", "suspend", "flag"}))
def test_an_undone_act_has_not_been(pristine: Path, sequence, last):
    with copy_of(pristine) as store:
        perform(store, sequence)
        before = store.dump()
        (event,) = perform(store, [(last, 0)])
        undo(store, event)
        assert store.dump() == before


@settings(max_examples=15, deadline=None)
@given(sequence=acts)
def test_submissions_change_no_table(pristine: Path, sequence):
    """What was handed in to a GPU is in the log; every card, answer and sum is as without it."""
    without = [step for step in sequence if step[0][0] not in ("submit", "try")]
    without = [step for step in without if step[0][0] not in ("void", "unvoid", "rate")]
    both = [step for step in sequence if step[0][0] not in ("void", "unvoid", "rate")]
    with copy_of(pristine) as store, copy_of(pristine) as other:
        perform(store, both)
        perform(other, without)
        assert tables(store) == tables(other)


def tables(store: Store) -> dict[str, list[dict[str, Any]]]:
    """The caches without the ids and times of events, which no two logs share."""
    dump = store.dump()
    answers = [{k: v for k, v in a.items() if k not in ("event", "at_ms")} for a in dump["answer"]]
    sums = {name: dump[name] for name in ("card", "day_total", "question_total")}
    return sums | {"answer": sorted(answers, key=repr)}


@settings(max_examples=30, deadline=None)
@given(sequence=acts)
def test_batches_give_the_same_as_single_events(pristine: Path, sequence):
    """Logging everything in one call is what a retry after a full disk may come to."""
    with copy_of(pristine) as store, copy_of(pristine) as at_once:
        done = perform(store, [step for step in sequence if step[0][0] != "adopt"])
        same = [NewEvent(e.id, e.session, e.question, e.body, e.at_ms) for e in done]
        logged = at_once.append(same)
        assert [e.at_ms for e in logged] == [e.at_ms for e in done]
        assert at_once.dump() == store.dump()


@pytest.mark.long
@settings(max_examples=3000, deadline=None)
@given(sequence=acts, number=st.integers(1, 8))
def test_full_size(pristine: Path, sequence, number: int):
    check_step_by_step_equals_replay_equals_count(pristine, sequence)
    check_undo_then_redo(pristine, sequence, number)
