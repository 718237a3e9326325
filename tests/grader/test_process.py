"""A process that answers: through real pipes, with real ends, and none that is left over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.process import MOST_PRINTED, Process, ProcessEnded, ProcessSlow, python
from tests.grader.kernels.test_referee import ended

PATIENCE_S = 20.0
ECHO = """
import os, sys, time
sys.path.insert(0, {root!r})
from grader.answering import serve

def answer(request):
    print("by the way")
    exec(request.get("run", ""))
    return {{"said": request.get("say")}}

serve(answer)
"""
ROOT = str(Path(__file__).parents[2])


def command() -> list[str]:
    return [sys.executable, "-c", ECHO.format(root=ROOT)]


@pytest.fixture
def child() -> Iterator[Process]:
    one = Process(command())
    yield one
    one.close()


def test_answers_belong_to_their_questions(child):
    for say in ("a", "字 \u2028 \x00", None, {"many": list(range(1000))}):
        assert child.ask({"say": say}, PATIENCE_S)["said"] == say


def test_a_long_question_has_a_long_answer(child):
    text = "0123456789" * 300_000
    assert child.ask({"say": text}, PATIENCE_S)["said"] == text


def test_what_is_printed_is_kept_apart_and_cut(child):
    child.ask({"run": "os.write(1, b'x' * 10 ** 6)"}, PATIENCE_S)
    with pytest.raises(ProcessEnded, match="ended with status 4") as raised:
        child.ask({"run": "os.write(2, b'the end'); os._exit(4)"}, PATIENCE_S)
    assert raised.value.printed.endswith("the end")
    assert len(raised.value.printed) <= MOST_PRINTED
    assert not child.alive


@pytest.mark.parametrize(("number", "name"), [(9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM")])
def test_an_end_by_a_signal_is_named(child, number, name):
    with pytest.raises(ProcessEnded, match=f"ended by {name}"):
        child.ask({"run": f"os.kill(os.getpid(), {number})"}, PATIENCE_S)


def test_its_end_is_seen_though_what_it_started_holds_its_pipe():
    """A process of another session, as an ssh may leave one: `end` does not reach it."""
    one = Process(["sh", "-c", "setsid sleep 10 2>/dev/null & exec sleep 60"])
    threading.Timer(0.3, one.end).start()
    began = time.monotonic()
    with pytest.raises(ProcessEnded, match="ended by SIGKILL"):
        one.ask({}, PATIENCE_S)
    assert time.monotonic() - began < 5
    one.close()


def test_no_answer_in_time_ends_it(child):
    assert child.ask({"say": 1}, PATIENCE_S)["said"] == 1
    with pytest.raises(ProcessSlow, match=r"no answer within 0\.2 s"):
        child.ask({"run": "time.sleep(60)"}, 0.2)
    assert not child.alive


def test_asking_one_that_has_ended_says_so(child):
    child.end()
    for _ in range(2):
        with pytest.raises(ProcessEnded):
            child.ask({"say": "x" * 10**6}, PATIENCE_S)
    child.end()


def test_it_has_little_of_the_environment():
    os.environ["QUIZ_SECRET"] = "x"
    one = Process(command(), {"GIVEN": "1"})
    try:
        assert one.ask({"run": "assert os.environ['GIVEN'] == '1'"}, PATIENCE_S)
        assert one.ask({"run": "assert 'QUIZ_SECRET' not in os.environ"}, PATIENCE_S)
    finally:
        del os.environ["QUIZ_SECRET"]
        one.close()


def test_a_module_of_ours_is_found_wherever_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit('a file of the person was imported')")
    one = Process(python("grader.kernels.worker"))
    try:
        with pytest.raises(ProcessEnded, match="ended with status 1") as raised:
            one.ask({"nonsense": 1}, PATIENCE_S)
        assert "KeyError: 'problem'" in raised.value.printed
    finally:
        one.close()


def test_requests_that_are_piped_in_are_all_answered():
    said = subprocess.run(
        command(), input="".join(f'{{"id": {n}, "seconds": 9, "say": {n}}}\n' for n in (1, 2)),
        capture_output=True, text=True, check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert said.stdout == '{"id": 1, "said": 1}\n{"id": 2, "said": 2}\n'
    assert said.stderr == "by the way\n" * 2


PARENT = """
import sys
sys.path.insert(0, {root!r})
from grader.process import Process

child = Process({command!r})
child.ask({{"say": "here"}}, 20)
print(child.id, flush=True)
child.ask({{"run": {doing!r}}}, 0.5)
"""


@pytest.mark.parametrize(
    "doing",
    [
        pytest.param("while True: pass", id="loops", marks=pytest.mark.long),
        pytest.param("time.sleep(600)", id="waits", marks=pytest.mark.long),
        pytest.param("time.sleep(0)", id="idle"),
    ],
)
def test_it_ends_when_the_program_that_started_it_is_killed(doing):
    text = PARENT.format(root=ROOT, command=command(), doing=doing)
    with subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.2)  # it has been asked by then
        parent.send_signal(signal.SIGKILL)
    assert ended(child)
