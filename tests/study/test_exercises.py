"""Traces and exercises in a session: what is drawn, what is kept of attempts, over restarts."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from quizapp.deck.deck import load
from quizapp.domain.actions import GiveUp
from quizapp.domain.attempt import Phase, Response, advance
from quizapp.domain.errors import StoreFull, UnaskableQuestion
from quizapp.domain.log.events import Answered, Tried
from quizapp.domain.question import Index, Number
from quizapp.domain.rating import Rule
from quizapp.exercises.numbers import compute_answer
from quizapp.exercises.traces import cases, draw_trace
from quizapp.report.content.question_search import match, read_texts
from quizapp.study.browsing import details, list_questions, reveal
from quizapp.study.home_values import Filter
from quizapp.study.overview import home
from quizapp.study.service import Study
from tests.deck.tools import CHOICE, INDEX, NUMBER, TRACE, question, write
from tests.foreign import ALL_OWN
from tests.sentences import english
from tests.store.tools import FullOnce
from tests.study.tools import (
    AGAIN,
    EVERYTHING,
    GOOD,
    HARD,
    NOON,
    TODAY,
    answer,
    deck_of,
    finish,
    right,
    submit_code,
)

TRACED = "pack/a-trace"
INDEXED = "pack/a-index"
STARTER = "row * 32 + col"
SOLUTION = "row * 33 + col"
PACKED = "32 * row + col"
"""The starter's layout, and an attempt: a person wrote it."""
TRACES = Filter(kind="trace")
INDICES = Filter(kind="index")


@pytest.fixture
def deck(tmp_path):
    return deck_of(tmp_path / "content", TRACE + INDEX + CHOICE + NUMBER)


@pytest.fixture
def one(person, deck):
    return person(deck)


def ask(study, narrowed=None):
    if narrowed is not None:
        study.session.begin(narrowed)
    found = study.session.next()
    assert found is not None
    return found


def stride(asked) -> int:
    return asked.drawn.parameters["stride"]


def read_log(study, name: str, kind: type) -> list:
    return [event.body for event in study.store.events(name) if isinstance(event.body, kind)]


def try_(study, source: str):
    return study.attempts.check(ask(study), source)


# Traces


def test_a_trace_is_put_as_a_number_with_what_was_drawn(one):
    put = ask(one.open(), TRACES)
    assert (put.entry.id, put.entry.kind) == (TRACED, "trace")
    assert isinstance(put.question, Number)
    assert f"threadIdx.x * {stride(put)}]`" in put.question.prompt
    assert (put.order, put.draft, len(put.tried)) == ((), "", 0)


def test_what_was_drawn_is_stored_with_the_answer(one):
    study = one.open()
    put = ask(study, TRACES)
    graded = answer(study)
    (body,) = read_log(study, TRACED, Answered)
    assert body.drawn == {"parameters": {"stride": stride(put)}}
    assert (body.kind, body.correct, body.content_hash) == ("trace", True, put.entry.content_hash)
    assert body.response == str(compute_answer(graded.turn.question).value)
    assert read_log(one.reopen(), TRACED, Answered) == [body]


def test_a_text_that_was_drawn_is_stored_too(person, tmp_path):
    listed = ", ".join(f"{{type: float{n}, stride: {n}}}" for n in range(1, 9))
    deck = deck_of(tmp_path, question("trace", draw=f"[{listed}]"))
    study = person(deck).open()
    put = ask(study, TRACES)
    answer(study)
    (body,) = read_log(study, TRACED, Answered)
    assert body.drawn["parameters"] == dict(put.drawn.parameters)
    assert body.drawn["parameters"]["type"] == f"float{stride(put)}"


def test_no_parameters_are_stored_of_other_kinds(one):
    study = one.open()
    study.session.begin(Filter(kind="number"))
    answer(study)
    assert read_log(study, "pack/a-number", Answered)[0].drawn == {}


def test_asking_again_draws_the_same(one):
    study = one.open()
    first = ask(study, TRACES)
    again = ask(study)
    assert stride(again) == stride(first)
    assert again.question == first.question
    assert stride(ask(one.reopen(), TRACES)) == stride(first)


def test_asking_twice_gives_equal_values(one):
    """As `Study.next` says, and as it holds of every other kind."""
    study = one.open()
    assert ask(study, TRACES) == ask(study)


def test_each_review_draws_another_until_all_were_drawn(one, deck):
    study = one.open()
    many = len(cases(deck.question(TRACED)))
    seen = []
    for _ in range(2 * many):
        put = ask(study, TRACES)
        seen.append(stride(put))
        answer(study)
        one.clock.move(days=400)
        study = one.reopen()
    assert len(set(seen[:many])) == many
    assert seen[many:] == seen[:many]
    expected = [
        draw_trace(deck.question(TRACED), TRACED, n).parameters["stride"] for n in range(many)
    ]
    assert seen[:many] == expected
    stored = [body.drawn["parameters"]["stride"] for body in read_log(study, TRACED, Answered)]
    assert stored == seen


def test_what_was_wrong_comes_back_with_another_case(one):
    study = one.open()
    first = ask(study, TRACES)
    answer(study, correct=False)
    again = ask(study)
    assert again.entry.id == TRACED
    assert stride(again) != stride(first)


def test_after_an_undo_the_same_is_asked(one):
    study = one.open()
    first = ask(study, TRACES)
    answer(study, correct=False)
    other = ask(study)
    study.history.undo()
    assert stride(ask(study)) == stride(first)
    study.history.redo()
    assert stride(ask(study)) == stride(other) != stride(first)
    study.history.undo()
    answer(study)
    assert [b.drawn["parameters"]["stride"] for b in read_log(study, TRACED, Answered)] == [
        stride(first)
    ] * 2


def test_the_same_is_asked_of_everybody(person, deck):
    drawn = {stride(ask(person(deck).open(), TRACES)) for _ in range(3)}
    assert len(drawn) == 1


def test_an_answer_is_graded_by_what_was_drawn(one):
    study = one.open()
    put = ask(study, TRACES)
    right_one = put.question.answer
    assert study.session.grade(put, Response(value=right_one)).grade.correct
    assert not study.session.grade(put, Response(value=right_one + 1)).grade.correct
    assert compute_answer(put.question).value == right_one


# A trace that cannot be asked


BAD_LATER = question("trace", let="{over: 16 - stride}")
"""Its first case can be asked, which is all that compiling looks at; strides over 16 cannot."""


@pytest.fixture
def bad(person, tmp_path):
    """Somebody whose trace fails at the review in which a stride over 16 is drawn."""
    deck = deck_of(tmp_path / "bad", BAD_LATER + CHOICE + NUMBER)
    assert TRACED in deck.entries
    return person(deck)


def until_unaskable(bad) -> tuple:
    """Answer it until it cannot be asked; the study then, and how often it was answered."""
    study = bad.open()
    for count in range(9):
        study.session.begin(TRACES)
        try:
            study.session.next()
        except UnaskableQuestion as error:
            return study, count, error
        answer(study)
        bad.clock.move(days=400)
        study = bad.reopen()
    pytest.fail("it could always be asked")


def test_what_cannot_be_asked_says_so_and_leaves_the_queue(bad):
    study, count, error = until_unaskable(bad)
    assert count > 0
    assert TRACED in str(error)
    assert "16 - stride is -" in english(error)
    assert "quiz lint" in english(error)
    assert study.session.queue.left == 0
    assert study.session.next() is None


def test_nothing_is_lost_of_what_cannot_be_asked(bad):
    study, count, _ = until_unaskable(bad)
    assert len(read_log(study, TRACED, Answered)) == count
    memory = study.progress.card(TRACED).memory
    assert memory is not None
    assert memory.repetitions == count
    before = study.store.dump()
    study.store.rebuild()
    assert study.store.dump() == before
    mended = deck_of(bad.database.parent / "mended", TRACE + CHOICE + NUMBER)
    assert ask(bad.reopen(mended), TRACES).entry.id == TRACED
    assert bad.opened[-1].progress.card(TRACED).memory == memory


def test_the_others_are_still_asked(bad):
    study, _, _ = until_unaskable(bad)
    study.session.begin(EVERYTHING)
    done, refused = [], 0
    while True:
        try:
            if study.session.next() is None:
                break
        except UnaskableQuestion:
            refused += 1
            continue
        done.append(answer(study).turn.entry.id)
    assert refused == 1
    assert sorted(done) == ["pack/a-choice", "pack/a-number"]


def test_an_unaskable_question_can_be_looked_at_and_buried(bad):
    study, _, _ = until_unaskable(bad)
    assert details(study, TRACED, reveals=True).attempt.phase is Phase.REVEALED
    study.session.begin(EVERYTHING)
    study.marks.bury(TRACED)
    assert len(finish(study)) == 2


def test_undoing_what_came_before_an_unaskable_question(bad):
    """The undone answer is asked again with its own parameters."""
    study, count, _ = until_unaskable(bad)
    study.session.begin(EVERYTHING)
    while True:
        try:
            first = ask(study)
            break
        except UnaskableQuestion:
            continue
    answer(study)
    undone = study.history.undo()
    assert undone is not None
    assert undone.question == first.entry.id
    assert ask(study).entry.id == first.entry.id
    assert len(read_log(study, TRACED, Answered)) == count


# Exercises


def test_an_exercise_begins_with_its_starter(one):
    put = ask(one.open(), INDICES)
    assert isinstance(put.question, Index)
    assert (put.initial_text, put.draft, len(put.tried), put.drawn) == (STARTER, "", 0, None)


def test_submissions_that_fail_are_kept_in_order_and_move_nothing(one):
    study = one.open()
    put = ask(study, INDICES)
    before = {**study.store.dump(), "part_count": None}
    one.clock.move(hours=1)
    sources = [STARTER, "row +", "  row * 31 + col\n\n", "字 \x1b[2J"]
    for source in (*sources, STARTER):  # the last one is not kept a second time
        assert not study.attempts.check(ask(study), source).passed
    tried = read_log(study, INDEXED, Tried)
    assert [body.source for body in tried] == sources
    assert [body.gate for body in tried] == [
        "wavefronts: column load",
        "source",
        "one slot",
        "source",
    ]
    assert [body.ran for body in tried] == [False, False, True, False]
    for body in tried:
        assert (body.content_hash, body.rev) == (put.entry.content_hash, 1)
        assert (body.study_day, body.utc_ms, body.offset_s) == (
            TODAY,
            NOON.utc_ms + 3_600_000,
            3600,
        )
    assert {**study.store.dump(), "part_count": None} == before
    (failed,) = study.store.check_totals()  # only one submission ran
    assert (failed.check, failed.failed) == ("one slot", 1)
    assert study.progress.card(INDEXED).memory is None
    assert study.session.queue.left == 1
    assert (home(study).new, home(study).due) == (1, 0)
    assert read_log(one.reopen(), INDEXED, Tried) == tried


def test_a_submission_that_passes_is_no_failure(one):
    study = one.open()
    study.session.begin(INDICES)
    assert try_(study, SOLUTION).passed
    assert read_log(study, INDEXED, Tried) == []
    assert len(ask(study).tried) == 0


def test_failures_are_counted_over_a_restart(one):
    study = one.open()
    study.session.begin(INDICES)
    try_(study, PACKED)
    assert len(ask(study).tried) == 1
    study = one.reopen()
    study.session.begin(INDICES)
    try_(study, "row")
    assert len(ask(one.reopen(), INDICES).tried) == 2


@pytest.mark.parametrize(
    ("failures", "rating", "rule"),
    [(0, GOOD, Rule.UNAIDED), (1, GOOD, Rule.UNAIDED), (2, HARD, Rule.TWO_FAILURES)],
)
def test_two_failures_make_it_hard_even_over_a_restart(one, failures, rating, rule):
    study = one.open()
    for number in range(failures):
        study.session.begin(INDICES)
        try_(study, f"row * {30 - number} + col")
        study = one.reopen()
    turn = ask(study, INDICES)
    attempt = submit_code(study, turn, turn.begin(0, asks_confidence=True), SOLUTION)
    assert attempt.is_final
    graded = study.session.grade(turn, attempt.response)
    study.session.commit(graded)
    assert (graded.suggestion.rating, graded.suggestion.rule) == (rating, rule)
    (body,) = read_log(study, INDEXED, Answered)
    assert body.submission is UNSET
    assert (body.failures, body.correct, body.rating) == (failures, True, rating)
    assert (body.kind, body.response, body.drawn) == ("index", SOLUTION, {})


def test_what_never_ran_is_kept_and_costs_nothing_over_a_restart(one):
    study = one.open()
    study.session.begin(INDICES)
    turn = ask(study)
    attempt = turn.begin(0, asks_confidence=False)
    for source in ("row +", "row * 33 + )"):
        attempt = submit_code(study, turn, attempt, source)
    assert (attempt.phase, attempt.failed) == (Phase.ANSWERING, ())
    assert len(read_log(study, INDEXED, Tried)) == 2
    assert ask(one.reopen(), INDICES).tried == ()


def test_an_attempt_counts_what_failed_before_and_now(one):
    study = one.open()
    study.session.begin(INDICES)
    try_(study, PACKED)
    turn = ask(study)
    attempt = turn.begin(0, asks_confidence=True)
    assert (len(attempt.failed), attempt.asks_confidence) == (1, False)
    attempt = submit_code(study, turn, attempt, PACKED)
    assert len(attempt.failed) == 1  # the same once more is no further failure
    attempt = submit_code(study, turn, attempt, "row")
    assert (attempt.phase, len(attempt.failed)) == (Phase.ANSWERING, 2)
    response = attempt.response
    assert (response.text, response.effort.failures, response.credit) == ("row", 2, 0.0)


def test_an_answer_ends_the_count(one):
    study = one.open()
    study.session.begin(INDICES)
    try_(study, PACKED)
    try_(study, "row")
    answer(study, failures=2)
    one.clock.move(days=60)
    study = one.reopen()
    assert len(ask(study, INDICES).tried) == 0
    try_(study, PACKED)
    assert len(ask(study).tried) == 1
    assert [type(e.body) for e in study.store.events(INDEXED)] == [Tried, Tried, Answered, Tried]


def test_an_undo_does_not_forgive_failures(one):
    """Failed twice, solved, undone, handed in again: it must not be rated as if at once."""
    study = one.open()
    study.session.begin(INDICES)
    try_(study, PACKED)
    try_(study, "row")
    answer(study, failures=2)
    study.history.undo()
    assert len(ask(study).tried) == 2


def test_a_reset_forgives_failures(one):
    """The question is new again, and what was answered no longer counts."""
    study = one.open()
    study.session.begin(INDICES)
    answer(study)
    one.clock.move(days=60)
    study = one.reopen()
    study.session.begin(INDICES)
    try_(study, PACKED)
    try_(study, "row")
    study.marks.reset([INDEXED])
    assert len(ask(study, INDICES).tried) == 0


def test_giving_up_is_wrong_and_keeps_what_was_written(one):
    study = one.open()
    study.session.begin(INDICES)
    try_(study, PACKED)
    turn = ask(study)
    attempt = advance(turn.begin(0, asks_confidence=False), GiveUp(10))
    graded = study.session.grade(turn, attempt.response)
    study.session.commit(graded)
    assert not graded.grade.correct
    assert (graded.suggestion.rating, graded.suggestion.rule) == (AGAIN, Rule.GAVE_UP)
    (body,) = read_log(study, INDEXED, Answered)
    assert (body.gave_up, body.failures, body.correct) == (True, 1, False)
    assert ask(study).entry.id == INDEXED
    assert len(ask(study).tried) == 0


def test_giving_up_is_wrong_even_after_it_passed(one):
    study = one.open()
    put = ask(study, INDICES)
    assert not study.session.grade(put, right(put, gave_up=True)).grade.correct


def test_a_draft_is_kept_over_failures_and_a_restart_and_goes_with_the_answer(one):
    study = one.open()
    study.session.begin(INDICES)
    text = "def index(row, col):\n\n    return row"
    study.attempts.save_draft(INDEXED, text)
    try_(study, text)
    put = ask(one.reopen(), INDICES)
    assert (put.draft, put.initial_text) == (text, text)
    study = one.opened[-1]
    answer(study)
    assert study.store.draft(INDEXED) is None
    one.clock.move(days=60)
    assert ask(one.reopen(), INDICES).initial_text == STARTER


def test_failures_survive_a_rename(one, tmp_path):
    study = one.open()
    study.session.begin(INDICES)
    try_(study, PACKED)
    renamed = deck_of(tmp_path / "renamed", question("index", id="other", was="[a-index]"))
    put = ask(one.reopen(renamed), INDICES)
    assert (put.entry.id, len(put.tried)) == ("pack/other", 1)


def test_an_undo_takes_back_an_answer_and_no_failed_submission(one):
    study = one.open()
    study.session.begin(Filter(kind="number"))
    answer(study)
    study.session.begin(INDICES)
    try_(study, PACKED)
    undone = study.history.undo()
    assert undone is not None
    assert undone.question == "pack/a-number"
    assert study.history.undo() is None
    assert len(read_log(study, INDEXED, Tried)) == 1


def test_rebuild_and_dump_agree_with_such_events(one):
    study = one.open()
    study.session.begin(EVERYTHING)
    while (put := study.session.next()) is not None:
        if put.entry.id == INDEXED:
            study.attempts.check(put, PACKED)
        answer(study, correct=put.entry.id != TRACED or put.position > 5)
        if put.entry.id == INDEXED:
            study.history.undo()
            study.history.redo()
    study.attempts.check(ask_again(one), PACKED)
    before = study.store.dump()
    assert {row["question"] for row in before["card"]} == set(study.deck.entries)
    study.store.rebuild()
    assert study.store.dump() == before
    assert one.reopen().store.dump() == before


def ask_again(one):
    """The exercise, as it comes at its next review."""
    one.clock.move(days=90)
    return ask(one.open(), INDICES)


def test_a_failed_submission_that_cannot_be_stored_is_stored_once_when_tried_again(one):
    one.open().store.close()
    study = Study(one.deck, FullOnce.open(one.database), one.settings, one.clock, lambda: ALL_OWN)
    one.opened.append(study)
    study.session.begin(INDICES)
    with pytest.raises(StoreFull):
        try_(study, PACKED)
    assert len(ask(study).tried) == 0
    assert try_(study, SOLUTION).passed
    try_(study, PACKED)
    assert len(read_log(study, INDEXED, Tried)) == 1


def test_a_new_text_of_the_exercise_is_noted_with_each_submission(one, tmp_path):
    study = one.open()
    put = ask(study, INDICES)
    study.attempts.check(put, PACKED)
    changed = deck_of(tmp_path / "changed", question("index", prompt="Another.", rev="2"))
    study = one.reopen(changed)
    study.attempts.check(ask(study, INDICES), "row")
    first, second = read_log(study, INDEXED, Tried)
    assert first.content_hash != second.content_hash
    assert (first.rev, second.rev) == (1, 2)


# Both beside the others


def test_a_whole_day_with_all_kinds(one):
    study = one.open()
    done = finish(study, EVERYTHING)
    assert {g.turn.entry.kind for g in done} == {"trace", "index", "choice", "number"}
    assert all(g.grade.correct for g in done)
    one.clock.move(days=30)
    assert len(finish(one.reopen(), EVERYTHING)) == 4


# Browsing


def test_a_trace_is_laid_open_with_its_first_case(deck, one):
    study = one.open()
    shown = reveal(deck.entries[TRACED], deck.question(TRACED), study.progress.card(TRACED))
    assert shown.attempt.phase is Phase.REVEALED
    assert shown.turn.drawn is not None
    assert stride(shown.turn) == 1
    assert shown.turn.question.prompt.startswith("A warp reads `data[threadIdx.x * 1]`")
    assert compute_answer(shown.turn.question).value == 1
    assert shown.attempt.submission is None


def test_an_exercise_is_laid_open_with_its_solution_graded(deck, one):
    study = one.open()
    study.session.begin(INDICES)
    try_(study, PACKED)
    opened = details(study, INDEXED, reveals=True)
    attempt = opened.attempt
    assert (attempt.phase, attempt.assessment) == (Phase.REVEALED, None)
    assert attempt.submission is not None
    assert attempt.submission.passed
    assert attempt.submission.source == deck.question(INDEXED).solution
    assert len(attempt.failed) == 0
    assert opened.history == ()
    assert len(read_log(study, INDEXED, Tried)) == 1  # looking stores nothing


def test_both_kinds_are_listed_and_found(one):
    study = one.open()
    rows = list_questions(study)
    texts = read_texts(study.deck)
    assert {row.entry.id for row in match(rows, texts, "warp reads")} == {TRACED}
    assert {row.entry.id for row in match(rows, texts, "place a tile")} == {INDEXED}


def test_the_compiled_deck_gives_the_same_questions(tmp_path):
    """Written, read back and decoded: tuples, unions and defaults included."""
    write(tmp_path, "pack/a.yaml", TRACE + INDEX)
    paths = ([str(tmp_path)], str(tmp_path / "cache" / "deck"))
    first, second = load(*paths), load(*paths)
    for name in (TRACED, INDEXED):
        assert first.question(name) == second.question(name)
        assert first.entries[name] == second.entries[name]


# Hints


@pytest.fixture
def hinted(person, tmp_path):
    text = question("index", hints="[Look at the bank.]")
    return person(deck_of(tmp_path / "hinted", text))


def test_a_hint_that_was_shown_counts_after_a_restart(hinted):
    """Looking, leaving and coming back must not be rated as unaided."""
    study = hinted.open()
    put = ask(study, INDICES)
    study.attempts.show_hint(put, 1)
    put = ask(hinted.reopen(), INDICES)
    assert put.hints == 1
    study = hinted.opened[-1]
    attempt = submit_code(study, put, put.begin(0, asks_confidence=True), SOLUTION)
    graded = study.session.grade(put, attempt.response)
    assert (graded.suggestion.rating, graded.suggestion.rule) == (HARD, Rule.HINT_USED)


def test_an_answer_ends_the_count_of_hints(hinted):
    study = hinted.open()
    study.attempts.show_hint(ask(study, INDICES), 1)
    answer(study, hints=1)
    hinted.clock.move(days=60)
    study = hinted.reopen()
    assert ask(study, INDICES).hints == 0


def test_an_undo_brings_the_hints_and_the_submission_back(hinted):
    study = hinted.open()
    study.attempts.show_hint(ask(study, INDICES), 1)
    answer(study, hints=1)
    study.history.undo()
    put = ask(study)
    assert (put.hints, put.draft) == (1, put.question.solution)
