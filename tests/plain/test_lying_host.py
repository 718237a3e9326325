"""A GPU host that lies, stalls and floods: no lie ends the program, and no submission is lost."""

from __future__ import annotations

import pytest

from quizapp.deck.deck import load
from quizapp.domain.errors import OK
from quizapp.domain.log.events import Answered, LogEntry, Submitted, Tried
from quizapp.report.words import Words
from quizapp.study.examiner import Examiner
from quizapp.study.home_values import Filter
from quizapp.system.config import GpuSettings
from tests.deck.tools import KERNEL_FILES, kernel_folder, question
from tests.examining import EXAMINER
from tests.lying_host import LIES
from tests.lying_hosts import install_lying_gpu
from tests.plain.person import Played, Stage
from tests.remote_gpu import HOST, far_gpu

KERNELED = "pack/a-kernel"
KERNELS = Filter(kind="kernel")
SOLUTION = KERNEL_FILES["solution.py"].splitlines()
FAR = GpuSettings(host=HOST)
EN, ZH = Words("en"), Words("zh")
RATIO = "graded.speed.ratio"


class Died(BaseException):
    """The program is killed."""


@pytest.fixture(scope="session")
def deck(tmp_path_factory):
    root = tmp_path_factory.mktemp("timed")
    kernel_folder(
        root, question("kernel", gpu="{shape: {n: 4096}}"), baseline=KERNEL_FILES["solution.py"]
    )
    return load([str(root)], str(root / "cache" / "deck"))


@pytest.fixture
def stage(stage):
    """The stage, with the process that other tests use for the emulator: one takes 0.3 s."""
    made = stage.study

    def study(*arguments, **settings):
        one = made(*arguments, **settings)
        one.examiner._referee = EXAMINER._ready()
        return one

    stage.study = study
    yield stage
    for one in stage.opened:
        one.examiner._referee = None


def read_log(played: Played) -> list[LogEntry]:
    """What the log holds of the kernel, in order."""
    return played.study.store.events(KERNELED)


def find_only(played: Played, kind: type) -> LogEntry:
    (one,) = (event for event in read_log(played) if isinstance(event.body, kind))
    return one


@pytest.mark.parametrize(
    ("lie", "at"),
    [
        pytest.param(lie, at, marks=[pytest.mark.long] if (number + later) % 2 else [])
        for number, lie in enumerate(LIES)
        for later, at in enumerate(("start", "grade"))
    ],
)
def test_no_lie_ends_the_program_or_loses_a_submission(stage, tmp_path, monkeypatch, lie, at):
    install_lying_gpu(tmp_path, monkeypatch, lie, at)
    # Starting the GPU's process before it is needed would take its turn first.
    monkeypatch.setattr(Examiner, "open_gpu", lambda _: None)
    played = stage.play(*SOLUTION, ".", "", narrowed=KERNELS, gpu=FAR)
    assert played.status == OK
    assert (lie == "stderr") or "no answer within" not in played.said
    silent = (lie, at) == ("stderr", "grade")  # as is a kernel that goes on and on
    assert silent or "speedup not measured" in played.said
    submitted = find_only(played, Submitted)
    assert submitted.body.source == "\n".join(SOLUTION)
    assert set(submitted.body.gates.values()) == {"passed"}
    last = find_only(played, Tried if silent else Answered).body
    assert last.submission == submitted.id
    assert silent or last.correct


@pytest.mark.parametrize(
    "lie",
    [
        f"set:{RATIO}={{}}",
        f'set:{RATIO}={{"median": -1, "low": -2, "high": 0}}',
        f'set:{RATIO}={{"median": 2, "low": 3, "high": 1}}',
        "set:graded.speed.seconds=NaN",
        "set:graded.verdict.gates=[]",
        "set:graded.resources.limiter=7",
        'set:graded.standing="perfect"',
    ],
)
def test_no_field_of_a_verdict_does(stage, tmp_path, monkeypatch, lie):
    install_lying_gpu(tmp_path, monkeypatch, lie)
    played = stage.play(*SOLUTION, ".", "", narrowed=KERNELS, gpu=FAR)
    assert "speedup not measured: the GPU worker on person@far answered" in played.said
    assert "make sure that you trust that machine" in played.said
    assert find_only(played, Answered).body.submission == find_only(played, Submitted).id


def test_an_honest_one_is_believed(stage, tmp_path, monkeypatch):
    install_lying_gpu(tmp_path, monkeypatch, "none")
    played = stage.play(*SOLUTION, ".", "", narrowed=KERNELS, gpu=FAR)
    assert "right on Emulated" in played.said
    assert find_only(played, Answered).body.submission == find_only(played, Submitted).id


# Killed in the middle of the GPU's turn


@pytest.fixture
def cut_short(stage, tmp_path, monkeypatch) -> Stage:
    """A session whose program ended while the GPU had its turn."""

    def dies(*_: object) -> None:
        raise Died

    far_gpu(tmp_path, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(Examiner, "measure", dies)
        with pytest.raises(Died):
            stage.play(*SOLUTION, ".", narrowed=KERNELS, gpu=FAR)
    return stage


def test_the_next_start_offers_it_and_the_emulator_s_verdict_can_be_taken(cut_short, monkeypatch):
    monkeypatch.setattr(Examiner, "measure", None)  # nobody is asked
    played = cut_short.play(":e", "", narrowed=KERNELS, gpu=FAR)
    assert EN("plain.pending") in played.said
    assert "✓ right at 2 shapes" in played.said
    assert "speedup not measured: it was skipped" in played.said
    answer = find_only(played, Answered).body
    assert (answer.correct, answer.failures) == (True, 0)
    assert answer.response == "\n".join(SOLUTION)
    assert answer.submission == find_only(played, Submitted).id


def test_or_it_is_handed_in_again_and_kept_once(cut_short):
    played = cut_short.play(".", "", narrowed=KERNELS, gpu=FAR, language="zh")
    assert ZH("plain.pending") in played.said
    assert "在 Emulated 上结果" in played.said
    assert find_only(played, Answered).body.submission == find_only(played, Submitted).id


def test_something_else_may_be_handed_in(cut_short):
    other = ["# another", *SOLUTION]
    played = cut_short.play(":x", *other, ".", "", narrowed=KERNELS, gpu=FAR)
    first, second = (event for event in read_log(played) if isinstance(event.body, Submitted))
    assert find_only(played, Answered).body.submission == second.id
    assert first.body.source != second.body.source


def test_once_it_is_answered_it_is_offered_no_more(cut_short):
    said = cut_short.play(":e", "", ":u", narrowed=KERNELS, gpu=FAR).said
    assert EN("plain.pending") in said
    cut_short.clock.utc_ms += 40 * 86_400_000
    said = cut_short.play(":e", narrowed=KERNELS, gpu=FAR).said
    assert EN("plain.pending") not in said
    assert EN("plain.no_pending") in said


def test_an_answer_that_is_undone_has_had_its_verdict(cut_short):
    cut_short.play(":e", "", narrowed=KERNELS, gpu=FAR)
    study = cut_short.study(gpu=FAR)
    study.session.begin(KERNELS)
    assert study.history.undo() is not None
    asked = study.session.next()
    assert (asked.pending, asked.draft) == ("", "\n".join(SOLUTION))
    assert study.history.redo() is not None


def test_a_gpu_that_fails_it_ends_its_turn(cut_short, monkeypatch):
    study = cut_short.study(gpu=FAR)
    study.session.begin(KERNELS)
    asked = study.session.next()
    assert asked.pending
    checked = EXAMINER.check(asked.question, asked.pending)
    monkeypatch.setattr(type(checked), "passed", property(lambda _: False))
    monkeypatch.setattr(type(checked), "gate", property(lambda _: "gpu speedup"))
    for _ in range(2):
        study.attempts.store_failure(asked, checked)
    (failed,) = (e for e in study.store.events(KERNELED) if isinstance(e.body, Tried))
    assert failed.body.submission
    assert study.session.next().pending == ""


def test_it_is_asked_first(cut_short):
    """Before what is due longer, whatever the order of the day is."""
    study = cut_short.study(gpu=FAR)
    first = study.session.begin(Filter())
    assert first.returning[0][1].question == KERNELED


def test_giving_up_ends_it(cut_short):
    played = cut_short.play(":g", "", narrowed=KERNELS, gpu=FAR)
    answer = find_only(played, Answered).body
    assert answer.gave_up
    assert not answer.submission
