"""The program killed in the middle of the GPU's turn: the next start offers what was handed in."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.domain.errors import OK
from quizapp.domain.log.events import Answered, Body, Submitted
from quizapp.domain.question import Kernel
from quizapp.report.words import Words
from quizapp.study.home_values import Filter
from quizapp.study.opening import open_study
from quizapp.system.config import Settings
from quizapp.system.paths import find_paths
from tests.lying_hosts import install_lying_gpu

ARGUMENTS = ("start", "--plain", "--kind", "kernel", "--limit", "1")
SAY = Words("en")


@pytest.fixture
def first(inside: Callable, home: Path) -> Kernel:
    """The kernel that is asked first."""
    with open_study(find_paths(), Settings()) as study:
        study.session.begin(Filter(kind="kernel"))
        asked = study.session.next()
        assert asked is not None
        assert isinstance(asked.question, Kernel)
        assert asked.question.gpu is not None
        return asked.question


def read_log(first: Kernel) -> list[tuple[str, Body]]:
    with open_study(find_paths(), Settings()) as study:
        (name,) = (name for name in study.deck.entries if name.endswith(f"/{first.id}"))
        return [(event.id, event.body) for event in study.store.events(name)]


def test_what_was_handed_in_is_kept_offered_and_counted(quiz, first, tmp_path, monkeypatch):
    source = (first.solution or "").rstrip("\n")
    host = install_lying_gpu(tmp_path, monkeypatch, "asleep")
    with quiz.start(*ARGUMENTS, QUIZ_GPU_HOST=host) as program:
        program.stdin.write(f"{source}\n.\n")
        program.stdin.flush()
        while SAY("plain.on-gpu") not in program.stdout.readline():
            pass
        program.send_signal(signal.SIGKILL)
    ((submitted, body),) = read_log(first)
    assert isinstance(body, Submitted)
    assert body.source == source
    done = quiz(*ARGUMENTS, typed=":e\n3\n", QUIZ_GPU_HOST=host)
    assert (done.returncode, done.stderr) == (OK, "")
    assert SAY("plain.pending") in done.stdout
    (answer,) = (body for _, body in read_log(first) if isinstance(body, Answered))
    assert (answer.correct, answer.submission, answer.response) == (True, submitted, source)
