"""A plan in the study: what it changes, what it leaves alone, and that dropping it changes back."""

from __future__ import annotations

import pytest
from msgspec import structs

from quizapp.domain.days import as_date
from quizapp.domain.goal import Goal
from quizapp.domain.planning import forecast
from quizapp.domain.planning.plan_choice import RETENTIONS
from quizapp.domain.queue import Stage
from quizapp.domain.rating import Rating
from quizapp.report.studying import study_plan
from quizapp.report.studying.ratings import brought_forward_text
from quizapp.report.words import Words
from quizapp.study import kept_report, planning
from quizapp.study.home_values import Filter
from quizapp.study.overview import count_planned, go_beyond, home
from quizapp.study.scheduling.daily import find_limits, minutes_used
from quizapp.study.scheduling.pace import MINUTES
from tests.study.test_progress import text
from tests.study.tools import EVERYTHING, TODAY, answer, deck_of, right

DAYS = 30


@pytest.fixture
def one(person, tmp_path):
    """Somebody with ten questions, of which two are new per day."""
    return person(deck_of(tmp_path / "c", text(*"abcdefghij")), new_per_day=2)


def goal(minutes: int = 30, days: int = DAYS, topics: tuple[str, ...] = ()) -> Goal:
    return Goal(TODAY, TODAY + days, minutes, topics)


def study_days(one, first: int, last: int) -> dict[str, list[int]]:
    """Answer right on each day; the days of each question."""
    asked: dict[str, list[int]] = {}
    for day in range(first, last):
        study = one.reopen()
        assert study.day == day
        study.session.begin(EVERYTHING)
        while (turn := study.session.next()) is not None:
            asked.setdefault(turn.entry.id, []).append(day)
            answer(study)
        one.clock.move(days=1)
    return asked


def test_everything_planned_comes_once_more_in_the_last_fifth(one):
    one.open().plan.set(goal())
    asked = study_days(one, TODAY, TODAY + DAYS)
    assert len(asked) == 10
    for name, days in asked.items():
        assert any(day in goal().last_fifth for day in days), name


def test_dropping_undoing_and_replacing_a_plan_give_back_the_normal_schedule(one):
    study_days(one, TODAY, TODAY + 16)
    study = one.reopen()
    normal = dict(study.progress.cards)
    study.plan.set(goal(days=20))
    assert study.progress.cards != normal
    planned = dict(study.progress.cards)
    study.history.undo()
    assert dict(study.progress.cards) == normal
    study.history.redo()
    assert dict(study.progress.cards) == planned
    study.plan.drop()
    assert dict(study.progress.cards) == normal
    study.history.undo()
    assert dict(study.progress.cards) == planned
    study.plan.set(goal(days=400))
    assert dict(study.progress.cards) == normal
    assert one.reopen().progress.goal == goal(days=400)


def test_an_answer_shows_the_planned_day_and_stores_the_one_of_the_schedule(one):
    study = one.open()
    study.plan.set(goal(days=10))
    study.session.begin(EVERYTHING)
    graded = answer(study)
    name = graded.turn.entry.id
    assert TODAY + graded.chosen[Rating.EASY] in range(TODAY + 6, TODAY + 11)
    study.session.rate(graded, Rating.EASY)
    shown = study.progress.card(name).memory
    assert shown is not None
    assert shown.due_day == TODAY + graded.days[Rating.EASY] < TODAY + 10
    stored = study.store.card(name)
    assert stored is not None
    assert stored.memory is not None
    assert stored.memory.due_day == TODAY + graded.chosen[Rating.EASY]


def test_only_topics_of_the_plan_bring_new_questions_as_many_as_its_pace(one):
    study = one.open()
    study.plan.set(goal(minutes=3, days=7, topics=("topic-a", "topic-b", "topic-c")))
    study.session.begin(EVERYTHING)
    assert {i.question for i in study.session.queue.waiting} <= {"pack/a", "pack/b", "pack/c"}
    assert all(item.stage is Stage.NEW for item in study.session.queue.waiting)
    assert len(study.session.queue.waiting) == 2  # of a minute each, some twice
    assert home(study).interview_in == 7


def test_a_plan_is_described_by_topic_and_ends_with_its_day(one):
    study = one.open()
    assert planning.describe(study) is None
    study.plan.set(goal(minutes=2, days=5))
    found = planning.describe(study)
    assert found is not None
    left_out = len(found.left_out)
    assert 0 < left_out == sum(topic.left_out for topic in found.topics)
    assert sum(topic.questions for topic in found.topics) == 10
    assert found.whole is not None
    assert 0 < found.whole.low <= found.whole.mean <= found.whole.high <= 1
    assert found.fit.minutes is not None
    day = as_date(TODAY + 5).isoformat()
    assert planning.choose(study, day, minutes=found.fit.minutes).promised == 10
    one.clock.move(days=5)
    study = one.reopen()
    assert (study.progress.goal, study.progress.planned.ended, study.progress.interview) == (
        None,
        TODAY + 5,
        TODAY + 5,
    )
    ends = study_plan.no_plan_text(study.progress.planned.ended, study.day, Words("en"))
    assert "Today is the day of your plan" in ends
    one.clock.move(days=1)
    study = one.reopen()
    assert f"The plan for {day} has ended" in study_plan.no_plan_text(
        study.progress.planned.ended, study.day, Words("en")
    )
    study.plan.drop()
    assert (study.progress.planned.ended, study.progress.interview) == (None, None)


def test_where_a_plan_brings_a_question_back_sooner_that_is_said(one):
    study = one.open()
    study.session.begin(EVERYTHING)
    graded = study.session.grade(study.session.next(), right(study.session.next()))
    assert not brought_forward_text(graded, Words("en"))
    study.plan.set(goal(days=5))
    graded = study.session.grade(study.session.next(), right(study.session.next()))
    days = " / ".join(f"{graded.chosen[rating]} d" for rating in (2, 3, 4))
    assert graded.chosen[Rating.EASY] > graded.days[Rating.EASY]
    said = brought_forward_text(graded, Words("en"))
    assert said == f"sooner by your plan, without it {days}"


def test_a_change_of_plan_is_in_session_and_home_at_once_and_new_ones_go_beyond_it(one):
    study = one.open()
    study.session.begin(EVERYTHING)
    assert len(study.session.queue.waiting) == 2  # new_per_day

    def agrees(new: int) -> bool:
        return len(study.session.queue.waiting) == home(study).new == new

    study.plan.set(goal(minutes=5))
    assert agrees(4)
    study.plan.set(goal(minutes=5, topics=("topic-a", "topic-b")))
    assert agrees(2)
    study.history.undo()
    assert agrees(4)
    answer(study)
    study.plan.drop()
    assert agrees(1)
    study.history.undo()
    study.plan.set(goal(minutes=5, topics=("topic-a", "topic-b")))
    study.session.begin(Filter(new=6))
    assert len(study.session.queue.waiting) == 6
    study.session.begin(Filter(topic="topic-c"))
    assert home(study).planned is None


def test_what_would_be_enough_is_said_or_that_nothing_was_found(one):
    study = one.open()

    def said(minutes: int) -> str:
        study.plan.set(goal(minutes=minutes, days=1))
        found = planning.describe(study)
        assert found is not None
        lines = study_plan.plan_lines(found, Words("en"))
        return "".join(text for line in lines for text, _ in line)

    assert "minutes per day  or about" in said(5)
    short = said(1)
    assert "Enough would be:  about" in short
    assert "(not even 5 minutes per day would be enough by the day)" in short


def test_more_new_questions_are_more_than_the_plan_asks_today(one):
    study = one.open()
    study.session.begin(EVERYTHING)
    assert go_beyond(study, EVERYTHING).new == 2 + 2  # today's, and as many as a day brings
    study.plan.set(goal(minutes=5))
    beyond = go_beyond(study, EVERYTHING)
    study.session.begin(beyond)
    assert len(study.session.queue.waiting) == 4 + 2
    assert go_beyond(study, beyond) == beyond
    study.course.settings = structs.replace(study.settings, new_per_day=0)
    assert go_beyond(study, Filter(topic="topic-a")) == Filter(topic="topic-a", new=2)


def test_the_minutes_of_a_day_are_divided_over_all_of_its_sessions(one):
    study = one.open()
    study.plan.set(goal())
    study.session.begin(EVERYTHING)
    answer(study, duration_ms=60_000, correct=False)
    one.clock.move(days=5)
    study = one.reopen()
    study.session.begin(EVERYTHING)
    wrong, right = (
        [answer(study, duration_ms=60_000, correct=c).turn.item for _ in range(9)]
        for c in (False, True)
    )
    items = [*wrong, *right]
    new = {item.question for item in items if item.stage is Stage.NEW}
    assert {item.stage for item in items} == {Stage.NEW, Stage.REVIEW, Stage.REPEAT}
    on_new = sum(item.question in new for item in items)
    minutes = find_limits(one.reopen().progress).minutes
    assert minutes is not None
    assert minutes.spent == (18 - on_new, on_new)


def test_a_plan_that_another_program_sets_is_seen(one):
    study, other = one.open(), one.open()
    study.session.begin(EVERYTHING)
    assert not study.catch_up()
    other.plan.set(goal(minutes=5))
    assert study.catch_up()
    assert study.progress.goal == other.progress.goal
    assert len(study.session.queue.waiting) == home(study).new == 4
    assert not study.catch_up()


def test_how_a_plan_studies_is_chosen_for_it_and_a_person_s_own_retention_goes_before(one):
    study = one.open()
    when = as_date(TODAY + 20).isoformat()
    chosen = planning.choose(study, when, minutes=30)
    assert chosen.promised == 10
    assert chosen.retention in RETENTIONS
    assert chosen.retention >= 0.85  # there is time for everything
    study.plan.set(chosen)
    assert one.reopen().progress.parameters.retention == chosen.retention
    study = one.reopen()
    study.course.settings = structs.replace(study.settings, retention=0.8)
    assert study.progress.parameters.retention == 0.8
    own = planning.choose(study, when, minutes=30)
    assert own.retention is None


def test_a_plan_that_is_not_followed_says_that_it_shrinks_and_why(one):
    study = one.open()
    study.plan.set(planning.choose(study, as_date(TODAY + 12).isoformat(), minutes=5))
    assert planning.describe(study).shortfall is None
    one.clock.move(days=11)
    found = planning.describe(one.reopen())
    assert found.shortfall is not None
    assert (found.shortfall.missed, found.shortfall.days) == (11, 11)
    said = "".join(text for line in study_plan.plan_lines(found, Words("en")) for text, _ in line)
    assert "10 questions were planned on" in said
    assert "you studied on 0 of 11 days" in said
    assert f"now {found.new} fit" in said
    assert f"There is no time for {10 - found.new} questions" in said
    for study in (one.opened[-1], one.reopen()):
        planning.find_fitting(study)
        assert home(study).planned == found.new < 10
        assert tuple(entry.id for entry, _ in planning.left_out(study)) == found.left_out
    assert planning.foresee_readiness(one.reopen())() is not None
    assert count_planned(one.opened[-1]) == found.new


def test_what_is_said_of_a_plan_is_kept_until_anything_changes(one, tmp_path, monkeypatch):
    steps, kept = [], tmp_path / "kept.json"
    step = forecast._Simulation.study
    monkeypatch.setattr(
        forecast._Simulation, "study", lambda run, day: (steps.append(day), step(run, day))
    )

    def look(*, anew: bool) -> None:
        study = one.opened[-1]
        steps.clear()
        study.kept_plan = kept
        said, planned = planning.describe(study), count_planned(study)
        assert bool(steps) is anew
        study.kept_plan = None
        assert (planning.describe(study), count_planned(study)) == (said, planned)

    def answer_elsewhere() -> None:
        mine, other = one.opened[-1], one.open()
        other.session.begin(EVERYTHING)
        answer(other, correct=False)
        one.opened.append(mine)

    study = one.open()
    study.plan.set(goal(minutes=5, days=12))
    study.session.begin(EVERYTHING)
    study.catch_up()
    look(anew=True)
    look(anew=False)
    changed = deck_of(tmp_path / "d", text(*"abcdefghijk"))
    changes = [
        lambda: answer(study),
        study.history.undo,
        study.history.redo,
        lambda: study.plan.set(goal(minutes=6, days=12)),
        lambda: setattr(study.course, "settings", structs.replace(study.settings, retention=0.8)),
        lambda: study.use_deck(changed),
        lambda: one.clock.move(days=1),
        answer_elsewhere,
        study.catch_up,
        lambda: monkeypatch.setattr(kept_report, "program", lambda: ["newer"]),
        lambda: kept.write_bytes(kept.read_bytes()[:-9]),
        lambda: kept.write_bytes(kept.read_bytes().replace(b'"today"', b'"day"')),
    ]
    for change in changes:
        change()
        look(anew=True)
        look(anew=False)
    one.deck, one.settings = changed, study.settings
    steps.clear()
    again = one.reopen()
    again.kept_plan = kept
    planning.find_fitting(again)
    assert planning.foresee_readiness(again)() is not None
    assert steps == []


@pytest.mark.parametrize("minutes", [4, 12, 30])
def test_a_day_asks_what_fits_into_its_minutes_also_while_it_goes_on(person, minutes):
    """With what was spent, and what returns; over by half of the last question at most."""
    one = person()
    study = one.open()
    study.plan.set(goal(minutes=minutes))
    for n in range(12):
        study.session.begin(EVERYTHING)
        facts = home(study)
        spent = study.store.totals_of_day(TODAY).duration_ms / 60_000
        if facts.new:
            assert spent + facts.minutes <= minutes + 0.8 * max(MINUTES.values())
            last = max(study.progress.estimate_minutes()(name) for name in facts.asked)
            assert spent + facts.minutes <= minutes + 0.8 * last + 1
        if study.session.next() is None:
            break
        answer(study, correct=n % 2 == 0, duration_ms=2000)


def test_an_easy_day_has_half_of_the_plans_minutes_in_the_queue_and_in_what_is_promised(one):
    study = one.open()
    study.plan.set(goal(minutes=6))
    whole, day = home(study).new, as_date(TODAY + 4).isoformat()
    promised = planning.choose(study, day, minutes=2).promised
    study.course.settings = structs.replace(study.settings, easy_days="mon tue wed thu fri sat sun")
    assert (whole, home(study).new) == (5, 2)
    assert planning.choose(study, day, minutes=2).promised < promised


def test_what_is_spent_today_is_not_promised_a_second_time(one):
    study, day = one.open(), as_date(TODAY + 1).isoformat()
    study.session.begin(EVERYTHING)
    answer(study, duration_ms=60_000)
    answer(study, correct=False, duration_ms=60_000)
    assert minutes_used(study.progress) == pytest.approx(2 + 1.2 * MINUTES["number"])
    assert planning.choose(study, day, minutes=2).promised == 2
    assert planning.choose(study, day, minutes=4).promised > 2


def test_a_pace_is_foreseen_of_the_questions_that_were_chosen(one):
    study = one.open()
    study.session.begin(Filter())
    whole = planning.foresee_pace(study)(10, 0)
    study.session.begin(Filter(questions=("a",)))
    assert planning.foresee_pace(study)(10, 0).peak < whole.peak
