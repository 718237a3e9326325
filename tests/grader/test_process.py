"""A process that answers: through real pipes, with real ends, and none that is left over."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from grader.process import (
    MOST_PRINTED,
    Process,
    ProcessEnded,
    ProcessGarbled,
    ProcessSlow,
    python,
)
from grader.wire import MOST_BYTES, MOST_TEXT, Reply, Request, cut_texts
from tests.sentences import english, expect_error
from tests.waiting import PATIENCE_S, until_ended

ECHO = """
import os, sys, time
sys.path.insert(0, {root!r})
from typing import Any
from grader.request_loop import serve
from grader.wire import Reply, Request

class Do(Request, tag="do"):
    run: str = ""
    give: str = "request.say"
    say: Any = None

class Said(Reply):
    said: Any = None

def answer(request):
    print("by the way")
    exec(request.run)
    return Said(said=eval(request.give))

serve(answer, Do)
"""
ROOT = str(Path(__file__).parents[2])


class Do(Request, frozen=True, kw_only=True, tag="do"):
    """The child executes `run` and answers what `give` is."""

    run: str = ""
    give: str = "request.say"
    say: Any = None


class Said(Reply, frozen=True, kw_only=True):
    said: Any = None


def command() -> list[str]:
    return [sys.executable, "-c", ECHO.format(root=ROOT)]


@pytest.fixture
def child() -> Iterator[Process]:
    one = Process(command())
    yield one
    one.close()


def test_answers_belong_to_their_questions(child):
    for say in ("a", "字 \u2028 \x00", None, {"many": list(range(1000))}):
        assert child.ask(Do(say=say), PATIENCE_S, Said).said == say


def test_a_long_question_has_a_long_answer(child):
    text = ["0123456789" * 100] * 3_000
    assert child.ask(Do(say=text), PATIENCE_S, Said, most=4_000_000).said == text


def test_what_is_printed_is_kept_apart_and_cut(child):
    child.ask(Do(run="os.write(1, b'x' * 10 ** 6)"), PATIENCE_S, Said)
    with expect_error(ProcessEnded, "ended with status 4") as raised:
        child.ask(Do(run="os.write(2, b'the end'); os._exit(4)"), PATIENCE_S, Said)
    assert raised.value.printed.endswith("the end")
    assert len(raised.value.printed) <= MOST_PRINTED
    assert not child.alive


@pytest.mark.parametrize(("number", "name"), [(9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM")])
def test_an_end_by_a_signal_is_named(child, number, name):
    with expect_error(ProcessEnded, f"ended by {name}"):
        child.ask(Do(run=f"os.kill(os.getpid(), {number})"), PATIENCE_S, Said)


def test_what_it_started_ends_with_it(child, tmp_path):
    told = tmp_path / "pid"
    starts = "import pathlib, subprocess; started = subprocess.Popen(['sleep', '600'])"
    child.ask(
        Do(run=f"{starts}; pathlib.Path({str(told)!r}).write_text(str(started.pid))"),
        PATIENCE_S,
        Said,
    )
    child.end()
    until_ended(int(told.read_text()))


def test_its_end_is_seen_though_what_it_started_holds_its_pipe(child, tmp_path):
    """A process of another session, as an ssh may leave one: `end` does not reach it."""
    told = tmp_path / "pid"
    starts = (
        "import pathlib, subprocess; started = subprocess.Popen(['sleep', '600'], "
        "start_new_session=True, stderr=subprocess.DEVNULL)"
    )
    tells = f"pathlib.Path({str(told)!r}).write_text(str(started.pid))"
    with expect_error(ProcessEnded, "ended by SIGKILL"):
        child.ask(Do(run=f"{starts}; {tells}; os.kill(os.getpid(), 9)"), PATIENCE_S, Said)
    os.kill(int(told.read_text()), signal.SIGKILL)


def test_no_answer_in_time_ends_it(child):
    assert child.ask(Do(say=1), PATIENCE_S, Said).said == 1
    with expect_error(ProcessSlow, r"no answer within 0\.2 s"):
        child.ask(Do(run="time.sleep(60)"), 0.2, Said)
    assert not child.alive


# Processes that lie, stall and flood


@pytest.fixture
def liar() -> Iterator[Callable[[str], Process]]:
    """A program that runs statements; `line` is the request it has read."""
    with ExitStack() as stack:

        def start(body: str) -> Process:
            head = "import os, sys, time\nline = sys.stdin.buffer.readline()\n"
            one = Process([sys.executable, "-c", head + body])
            stack.callback(one.close)
            return one

        yield start


FLOODS = {
    "a line without an end": "while True: os.write(1, b'x' * 65536)",
    "wrong ids": "while True: os.write(1, b'{\"id\": -1}\\n' * 4096)",
    "empty lines": "while True: os.write(1, b'\\n' * 65536)",
    "deeply nested": "os.write(1, b'[' * 200_000 + b'\\n'); time.sleep(600)",
    "nested in a part nobody reads": (
        "os.write(1, b'{\"id\": 1, \"x\": ' + b'[' * 200_000 + b'\\n'); time.sleep(600)"
    ),
    "no UTF-8": "os.write(1, b'\\xff\\xfe\\n'); time.sleep(600)",
    "a NUL": "os.write(1, b'\\0\\0\\n'); time.sleep(600)",
    "a huge number": "os.write(1, b'{\"id\": ' + b'9' * 5000 + b'}\\n'); time.sleep(600)",
    "a list": "os.write(1, b'[]\\n'); time.sleep(600)",
    "an answer before it was asked": "os.write(1, b'{\"id\": 2}\\n'); time.sleep(600)",
}


@pytest.mark.parametrize("body", FLOODS.values(), ids=FLOODS.keys())
def test_what_is_no_answer_ends_it_before_the_limit_and_takes_no_memory(liar, body):
    one, before = liar(body), peak_kb()
    with pytest.raises(ProcessGarbled) as raised:
        one.ask(Do(), PATIENCE_S, Reply)
    assert "does not end" not in english(raised.value), "as is said at the limit"
    assert len(raised.value.said) <= 60
    assert not one.alive
    assert peak_kb() - before < 40_000


FLOOD = "os.write(2, b'y' * 65536)"


@pytest.mark.parametrize(
    "body",
    [
        f"for _ in range(1000): {FLOOD}\n{{answer}}\nwhile True: {FLOOD}",
        "{answer}; time.sleep(600)",
        "os.close(2); {answer}; time.sleep(600)",
    ],
    ids=["endless stderr", "silence", "closed stderr"],
)
def test_what_says_nothing_more_ends_at_the_limit(liar, body):
    one, before = liar(body.format(answer="os.write(1, b'{\"id\": 1}\\n')")), peak_kb()
    one.ask(Do(), PATIENCE_S, Reply)
    with pytest.raises(ProcessSlow) as raised:
        one.ask(Do(), 0.2, Reply)
    assert len(raised.value.last_line) <= 300
    assert peak_kb() - before < 40_000


def test_what_never_reads_ends_at_the_limit():
    one = Process([sys.executable, "-c", "import time; time.sleep(600)"])
    with pytest.raises(ProcessSlow):
        one.ask(Do(say="x" * 1_000_000), 0.2, Reply)
    one.close()


@pytest.mark.parametrize(
    "body",
    ["time.sleep(600)", "while True: os.write(1, b'x'); time.sleep(0.05)"],
    ids=["half an answer", "a byte now and then"],
)
def test_a_line_without_an_end_ends_it_at_the_limit(liar, body):
    one = liar('os.write(1, b\'{"id": 1}\\n{"id": 2\')\n' + body)
    one.ask(Do(), PATIENCE_S, Reply)
    with expect_error(ProcessGarbled, "a line that does not end"):
        one.ask(Do(), 0.2, Reply)
    assert not one.alive


def test_an_answer_may_have_so_many_bytes_and_no_more(child):
    empty = len('{"id":1,"said":[]}')
    most = 100_000
    fits = Do(give=f"['x'] * {(most - empty) // 4}")
    assert child.ask(fits, PATIENCE_S, Said, most).said
    with expect_error(ProcessGarbled, r"more than 100,000 bytes"):
        child.ask(Do(give=f"['x'] * {most // 4 + 1}"), PATIENCE_S, Said, most)
    assert not child.alive


def test_a_long_text_is_cut_where_it_is_sent(child):
    said = child.ask(Do(give="['x' * 10 ** 7, '\\udce4']"), PATIENCE_S, Said).said
    assert said == ["x" * (MOST_TEXT - 1) + "…", "?"]
    assert cut_texts({"a": ("ä" * MOST_TEXT, 1, None)}) == {"a": ["ä" * MOST_TEXT, 1, None]}
    assert MOST_TEXT < MOST_BYTES


def test_an_end_by_a_signal_without_a_name(child):
    with expect_error(ProcessEnded, "ended by signal 40"):
        child.ask(Do(run="os.kill(os.getpid(), 40)"), PATIENCE_S, Said)


def peak_kb() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_asking_one_that_has_ended_says_so(child):
    child.end()
    for _ in range(2):
        with pytest.raises(ProcessEnded):
            child.ask(Do(say="x" * 10**6), PATIENCE_S, Said)
    child.end()


def test_it_has_little_of_the_environment():
    os.environ["QUIZ_SECRET"] = "x"
    one = Process(command(), {"GIVEN": "1"})
    try:
        assert one.ask(Do(run="assert os.environ['GIVEN'] == '1'"), PATIENCE_S, Said)
        assert one.ask(Do(run="assert 'QUIZ_SECRET' not in os.environ"), PATIENCE_S, Said)
    finally:
        del os.environ["QUIZ_SECRET"]
        one.close()


def test_a_module_of_ours_is_found_wherever_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit('a file of the person was imported')")
    one = Process(python("grader.kernels.worker"))
    try:
        with expect_error(ProcessEnded, "ended with status 1") as raised:
            one.ask(Do(), PATIENCE_S, Reply)
        assert "ValidationError: Invalid value 'do' - at `$.do`" in raised.value.printed
    finally:
        one.close()


def test_requests_that_are_piped_in_are_all_answered():
    said = subprocess.run(
        command(),
        input="".join(f'{{"do": "do", "id": {n}, "seconds": 9, "say": {n}}}\n' for n in (1, 2)),
        capture_output=True, text=True, check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert said.stdout == '{"said":1,"id":1}\n{"said":2,"id":2}\n'
    assert said.stderr == "by the way\n" * 2


PARENT = """
import os, sys
sys.path.insert(0, {root!r})
from grader.process import Process
from grader.wire import Reply, Request

class Do(Request, tag="do"):
    run: str = ""

child = Process({command!r})
child.ask(Do(), 20, Reply)
print(child.id, flush=True)
{then}
"""
ASKED = "child.ask(Do(run='os.kill(os.getppid(), 9); ' {doing!r}), 1, Reply)"


@pytest.mark.parametrize(
    "then",
    [
        pytest.param(ASKED.format(doing="exec('while 1: 0')"), id="loops", marks=pytest.mark.long),
        pytest.param(ASKED.format(doing="time.sleep(600)"), id="waits", marks=pytest.mark.long),
        pytest.param("os.kill(os.getpid(), 9)", id="idle"),
    ],
)
def test_it_ends_when_the_program_that_started_it_is_killed(then):
    text = PARENT.format(root=ROOT, command=command(), then=then)
    parent = subprocess.run([sys.executable, "-c", text], capture_output=True, check=False)
    assert parent.returncode == -signal.SIGKILL
    until_ended(int(parent.stdout))
