"""A kernel question in two languages: one schedule, a draft of each, and what the log says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quizapp.deck.deck import load
from quizapp.domain.attempt import Response
from quizapp.domain.log.events import Answered, Tried
from quizapp.report.content.question_text import explain_kind
from quizapp.report.words import Words
from quizapp.study.home_values import Filter
from quizapp.system.config import Settings
from tests.deck.tools import CUDA_FILES, KERNEL_FILES, NUMBER, add_cuda, kernel_folder, write
from tests.study.tools import answer, respond

NAME = "pack/a-kernel"
KERNELS = Filter(kind="kernel")
CUDA, PYTHON = CUDA_FILES["solution.cu"], KERNEL_FILES["solution.py"]


@pytest.fixture
def one(person, tmp_path):
    add_cuda(kernel_folder(tmp_path / "content"))
    write(tmp_path / "content", "pack/b.yaml", NUMBER)
    return person(load([str(tmp_path / "content")], str(tmp_path / "cache" / "deck")))


def ask(study, narrowed: Filter | None = KERNELS):
    if narrowed is not None:
        study.session.begin(narrowed)
    return study.session.next()


def read_log(study, kind: type) -> list:
    return [event.body for event in study.store.events(NAME) if isinstance(event.body, kind)]


def test_the_setting_says_which_language_comes_first(one):
    turn = ask(one.open())
    assert (turn.language, turn.other_language) == ("python", "cuda")
    assert turn.initial_text == KERNEL_FILES["starter.py"]
    assert "write it in Numba or CUDA C++;" in explain_kind(turn, Words("en"))
    alone = replace(turn, languages=("python",))
    assert "用 Numba 编写；" in explain_kind(alone, Words("zh"))
    one.settings = Settings(code_language="cuda")
    turn = ask(one.reopen())
    assert (turn.language, turn.other_language) == ("cuda", "python")
    assert turn.initial_text == CUDA_FILES["starter.cu"]


def test_other_kinds_cannot_be_switched(one):
    study = one.open()
    turn = ask(study, Filter(kind="number"))
    assert (turn.languages, turn.other_language) == ((), None)
    study.session.switch_language(turn)
    assert study.session.next() == turn


def test_a_switch_keeps_what_was_written_in_each(one):
    study = one.open()
    turn = ask(study)
    study.attempts.save_draft(NAME, "# half", turn.language)
    study.session.switch_language(turn)
    turn = study.session.next()
    assert (turn.language, turn.draft) == ("cuda", "")
    study.attempts.save_draft(NAME, "// half", turn.language)
    study.session.switch_language(turn)
    turn = study.session.next()
    assert (turn.language, turn.draft) == ("python", "# half")
    study.session.switch_language(turn)
    assert study.session.next().draft == "// half"
    assert len(study.store.drafts()) == 1


def test_the_latest_draft_says_the_language_after_a_restart(one):
    study = one.open()
    study.attempts.save_draft(NAME, "# half", "python")
    one.clock.move(hours=1)
    study.attempts.save_draft(NAME, "// half", "cuda")
    turn = ask(one.reopen())
    assert (turn.language, turn.draft) == ("cuda", "// half")


@pytest.mark.parametrize(("language", "solution"), [("python", PYTHON), ("cuda", CUDA)])
def test_an_answer_in_either_language_is_the_answer(one, language, solution):
    one.settings = Settings(code_language=language)
    study = one.open()
    turn = ask(study)
    checked = study.examiner.check(turn.question, solution)
    assert checked.passed
    study.session.commit(study.session.grade(turn, respond(text=solution, credit=1.0)))
    (stored,) = read_log(study, Answered)
    assert (stored.language, stored.response, stored.correct) == (language, solution, True)
    assert study.progress.card(NAME).memory.repetitions == 1
    assert ask(study) is None


def test_a_failure_says_its_language_and_counts_in_both(one):
    study = one.open()
    turn = ask(study)
    wrong = turn.question.wrong[0].source
    study.attempts.store_failure(turn, study.examiner.check(turn.question, wrong))
    study.session.switch_language(turn)
    turn = study.session.next()
    wrong_in_cuda = turn.question.wrong[0].source
    checked = study.examiner.check(turn.question, wrong_in_cuda)
    assert checked.mistake == turn.question.wrong[0]
    study.attempts.store_failure(turn, checked)
    assert [tried.language for tried in read_log(study, Tried)] == ["python", "cuda"]
    assert ask(one.reopen()).tried == (wrong, wrong_in_cuda)


def test_an_undo_brings_the_code_back_in_its_language(one):
    one.settings = Settings(code_language="cuda")
    study = one.open()
    turn = ask(study)
    study.attempts.save_draft(NAME, "# in the other", "python")
    study.session.commit(study.session.grade(turn, respond(text=CUDA, credit=1.0)))
    assert study.store.draft(NAME, "cuda") is None
    assert study.store.draft(NAME, "python") is None  # it is solved
    study.history.undo()
    assert study.store.draft(NAME, "cuda") == CUDA
    study.history.redo()
    assert study.attempts.half_written() == {}
    study.history.undo()
    study.attempts.save_draft(NAME, f"{CUDA}// changed", "cuda")
    study.history.redo()
    assert study.store.draft(NAME, "cuda") == f"{CUDA}// changed"


def test_an_answer_of_another_kind_names_no_language(one):
    study = one.open()
    ask(study, Filter(kind="number"))
    answer(study)
    bodies = [event.body for event in study.store.events("pack/a-number")]
    assert '"language"' not in repr(bodies)
    assert [getattr(body, "language", None) for body in bodies if isinstance(body, Answered)]


def test_giving_up_shows_the_other_solution_too(one):
    study = one.open()
    turn = ask(study)
    graded = study.session.grade(turn, Response(effort=respond(gave_up=True).effort))
    assert not graded.grade.correct
    assert turn.question.twin.solution == CUDA
