"""Whatever the gate accepts, everything works on it; what it refuses and an older version did not,
is set aside, named, and deleted nowhere.
"""

from __future__ import annotations

import io
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, json
from sqlalchemy import insert

from quizapp.domain.bounds import LONGEST_ANSWER_MS
from quizapp.domain.errors import EnvironmentProblem
from quizapp.domain.goal import LATEST_DAYS
from quizapp.domain.interview_theme import InterviewTheme, ThemeStage
from quizapp.domain.log import events as of
from quizapp.domain.log.event_bounds import EDITION
from quizapp.domain.planning import forecast
from quizapp.domain.schedule import Parameters
from quizapp.report.content import anki_notes
from quizapp.report.html.statistics import statistics_page
from quizapp.report.studying import interview as interview_text
from quizapp.report.studying import interview_json, optimized, progress, study_plan
from quizapp.report.words import Words
from quizapp.store import meta
from quizapp.store.event_lines import ReadEvent, read_event, write_event
from quizapp.store.foreign import Arrival
from quizapp.store.safety.salvage import EventRow
from quizapp.store.tables import event
from quizapp.study import optimizing, overview, planning, statistics
from quizapp.study.home_values import Filter
from quizapp.study.mock import interview, interview_report, interviews
from quizapp.study.mock.placement import Placement, find_earlier
from quizapp.study.service import Study
from quizapp.study.transfer import anki, exchange
from tests.plausible import bodies
from tests.study.tools import NOON, Person, deck_of, wrong

MACHINE = "ab" * 16
DECK = "\n".join(
    f"- {{id: q{n}, kind: number, topic: t, concept: c{n}, difficulty: 1, prompt: 'P{n}', "
    f"answer: {n}, explanation: E, sources: [S]}}"
    for n in range(6)
)
QUESTIONS = [f"pack/q{n}" for n in range(6)]
PARAMETERS = Parameters()
DRAWN = [kind for kind in of.Body.__args__ if kind not in (of.Imported, of.Erased)]
"""Types whose events change what is shown: the others say what came and what was erased."""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A deck of six questions."""
    return deck_of(tmp_path_factory.mktemp("small"), DECK)


STAGES = [f"pack/theme/stage-{n}" for n in range(3)]
THEMES = {
    "pack/theme": InterviewTheme(
        "pack/theme", "T", "A", "O", "t", 1,
        tuple(
            ThemeStage(name, 1.0, "", question, None, "0f", (), 1)
            for name, question in zip(STAGES, QUESTIONS, strict=False)
        ),
        "theme.yaml",
    )
}  # fmt: skip


def row_of(body, number: int, question: str) -> EventRow:
    """The event as another machine's log has it, of a question where it has to be."""
    name = None if isinstance(body, of.OF_NO_QUESTION) else question
    tag, text = body.__struct_config__.tag, json.encode(body).decode()
    return EventRow(f"{number:032x}", NOON.utc_ms + number, MACHINE, number, "s", name, tag, text)


def as_of_here(body, number: int, earlier: list):
    """The same event about what the log holds: its parameters, interviews, stages, questions."""
    begun = [n for n, each in enumerate(earlier, 1) if isinstance(each, of.MockBegun)]
    there = {
        "parameters_id": PARAMETERS.id,
        "interview": f"{begun[-1]:032x}" if begun else "0f",
        "themes": tuple(THEMES),
        "stages": tuple(STAGES),
        "stage": STAGES[number % len(STAGES)],
        "target": f"{number - 1:032x}",
        "questions": tuple(QUESTIONS[:2]),
    }
    fields = {name: there.get(name, getattr(body, name)) for name in body.__struct_fields__}
    if isinstance(body, of.PlacementProgress | of.PlacementTaken):
        fields["asked"] = tuple(
            changed(each, question=name) for each, name in zip(body.asked, QUESTIONS, strict=False)
        )
    return type(body)(**fields)


logs = st.lists(
    st.tuples(st.sampled_from(DRAWN).flatmap(bodies), st.sampled_from(QUESTIONS)),
    min_size=1,
    max_size=8,
)


def look_at_interviews(study: Study) -> None:
    """What `mock --list`, `--report`, `--export`, `--resume` and a new one show."""
    say = Words("en")
    for record in interview.records(study):
        found = interview_report.report(study, THEMES, record)
        list(interview_text.lines(found, study.deck, say))
        interview_text.html(found, study.deck, say)
        json.encode(interview_json.report_as_plain(found))
    list(interview_text.list_lines(interview_report.reports(study, THEMES), say))
    left = interviews.unfinished(study)
    going = None if left is None else interview.Interview(study, THEMES, left)
    for held in filter(None, (going, interviews.begin(study, THEMES, "screen", 10))):
        if (turn := held.next()) is not None:
            held.commit(held.grade(turn, wrong(turn)))
        interviews.end(study, held.record)
        interviews.queue_failures(study, THEMES, held.record)


def look_at_the_rest(study: Study, folder: Path) -> None:
    """What `place`, `optimize`, and a package of Anki, there and back, come to."""
    find_earlier(study)
    placed = Placement(study)
    if (turn := placed.next()) is not None:
        placed.commit(placed.grade(turn, wrong(turn)))
    placed.finish()
    with suppress(EnvironmentProblem):  # the extra is not installed
        list(optimized.lines(optimizing.optimize(study, dry=True), Words("en")))
    package = folder / "quiz.apkg"
    write = partial(anki_notes.write_note, say=Words("en"))
    anki.export_package(study, package, write, lambda _: None)
    plan = anki.plan_package(study, package, lambda _: None)
    assert (plan.answers, plan.notes) == (0, ())  # what was exported is known


def look_at_everything(study: Study, folder: Path) -> None:
    """What `due`, `plan`, `stats --html`, `export` and `start --plain` show, and the others."""
    say = Words("en")
    list(progress.home_lines(overview.home(study), say, {}))
    study.store.answers_by_day(0, study.day)
    found = planning.describe(study)
    if found is not None:
        list(study_plan.plan_lines(found, say))
    facts = statistics.statistics(study)
    list(progress.statistics_lines(facts, say, {}))
    statistics_page(facts, say)
    exchange.write_answers(study.store, overview.next_days(study), io.StringIO(), lambda _: None)
    exchange.write_log(study.store, io.BytesIO(), lambda _: None)
    study.session.begin(Filter())
    if (turn := study.session.next()) is not None:
        study.session.commit(study.session.grade(turn, wrong(turn)))
        study.history.undo()
    look_at_interviews(study)
    look_at_the_rest(study, folder)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(logs)
def test_whatever_the_gate_accepts_everything_works_on_it(
    small, empty_database, tmp_path, monkeypatch, drawn
):
    database = tmp_path / f"{uuid4().hex}.db"
    shutil.copy(empty_database, database)
    pairs = [(of.ParametersSet(parameters=PARAMETERS), ""), *drawn]
    bodies_here: list = []
    for number, (body, _) in enumerate(pairs, 1):
        bodies_here.append(as_of_here(body, number, bodies_here))
    rows = [row_of(body, n, pairs[n - 1][1]) for n, body in enumerate(bodies_here, 1)]
    read = [read_event(write_event(row).rstrip()) for row in rows]
    assert all(isinstance(found, ReadEvent) for found in read), read
    days = []
    step = forecast._Simulation.study
    monkeypatch.setattr(
        forecast._Simulation, "study", lambda run, day: (days.append(day), step(run, day))
    )
    person = Person(database, small)
    study = person.open()
    study.store.take_in([found.row for found in read], Arrival("0f" * 16, "s", "o", NOON.utc_ms))
    person.close()
    look_at_everything(person.open(), tmp_path)
    person.close()
    assert len(days) <= forecast.RUNS * LATEST_DAYS


ANSWER = of.Answered(
    kind="number", content_hash="0f", rev=1, study_day=19_990, utc_ms=NOON.utc_ms, offset_s=0,
    correct=True, score=1.0, duration_ms=9, rating=3, rule="unaided", scheduler="fsrs6-days-2",
    parameters_id=PARAMETERS.id, due_day=19_995,
)  # fmt: skip


def changed(body, **fields):
    return type(body)(**{name: getattr(body, name) for name in body.__struct_fields__} | fields)


LET_IN = {
    "duration": changed(ANSWER, duration_ms=-(2**53) + 1),
    "long": changed(ANSWER, duration_ms=LONGEST_ANSWER_MS + 1),
    "time": changed(ANSWER, utc_ms=2**53 - 1),
    "counts": changed(ANSWER, hints=2**53 - 1),
    "weights": of.Optimized(study_day=20_000, weights=(0.0,) * 21, log_loss=UNSET),
    "far plan": of.PlanSet(study_day=20_000, day=199_999, minutes=30),
    "rating": of.Rerated(target="0", rating=3, due_day=199_999),
    "parameters": of.ParametersSet(parameters=Parameters(retention=0.01)),
    "points": of.MockAnswered(
        interview="0f",
        stage="s",
        question="",
        kind="recall",
        content_hash="0f",
        utc_ms=NOON.utc_ms,
        correct=True,
        score=1.0,
        covered=(999, 0, 0, 5),
        points=0,
    ),
}


@pytest.mark.parametrize("body", LET_IN.values(), ids=LET_IN.keys())
def test_what_an_older_version_let_in_is_set_aside_and_stays(body, small, empty_database, tmp_path):
    database = tmp_path / "older.db"
    shutil.copy(empty_database, database)
    person = Person(database, small)
    sound = [of.ParametersSet(parameters=PARAMETERS), ANSWER]
    study = person.open()
    with study.store.writing() as connection:
        for number, each in enumerate([*sound, body], 1):
            connection.execute(insert(event), [row_of(each, number, QUESTIONS[0])._asdict()])
    # As the older version counted them, with one program open.
    noted, strays = study.store.implausible()
    assert (len(noted), len(strays)) == (0, 1)
    study.store.rebuild()
    noted, strays = study.store.implausible()
    assert (len(noted), len(strays)) == (1, 0)
    with study.store.writing() as connection:
        # As a version noted it whose bounds were wider.
        meta.keep_implausible(connection, "[]", EDITION - 1)
    person.close()
    study = person.open()
    assert len(study.store.set_aside()) == 1
    assert study.store.count_events() == 3
    assert [e.body for e in study.store.events(QUESTIONS[0])] == [ANSWER]
    look_at_everything(study, tmp_path)
    person.close()
