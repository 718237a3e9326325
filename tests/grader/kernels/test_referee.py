"""The process that grades: whatever a reference does there, the next submission is graded."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from grader import kernel_worker
from grader.kernels import (
    Argument,
    InvalidProblem,
    KernelGrade,
    Problem,
    Referee,
    RefereeFailed,
    ReferenceOutputs,
)
from grader.kernels.reference import ReferenceFailed
from grader.simt import Moment
from tests.grader.kernels.tools import FIRST, GOOD, OUT, kernel, problem
from tests.sentences import english, expect_error
from tests.waiting import BEGUN, PATIENCE_S, WatchedLock, until, until_begun, until_ended

HEAD = "def reference(a):\n"


def asked(*lines: str) -> Problem:
    """The problem with a reference of these statements."""
    return problem(reference=HEAD + "".join(f"    {line}\n" for line in lines))


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with Referee() as one:
        yield one


def test_a_process_that_was_started_before_is_the_one_that_grades():
    started = kernel_worker.start()
    with Referee(process=started) as one:
        assert one.grade(problem(), GOOD).passed
        assert one._process is started
    assert not started.alive


def goes_on(referee: Referee) -> None:
    """The next submission has a verdict."""
    assert referee.grade(problem(), GOOD).passed
    assert not referee.grade(problem(), kernel("return")).passed


def test_a_kernel_that_fails_only_where_no_screen_looks_has_a_verdict(referee):
    """It tells the listed shapes by their sizes."""
    source = kernel("if i < out.size and out.size in (64, 100):", "    out[i] = 2 * a[i]")
    found = referee.grade(problem(confirm=({"n": (70, 90)},)), source)
    assert found.verdict.failed_at == "result"
    assert [run.confirms for run in found.runs] == [False, False, True]


def test_what_is_right_is_told(referee):
    (out,) = referee.reference_outputs(problem())
    (expected,) = ReferenceOutputs(problem()).for_run(0)
    assert out.dtype == expected.dtype
    np.testing.assert_array_equal(out, expected)
    (flags,) = referee.reference_outputs(asked("return a > 0"))
    assert flags.dtype == bool


def test_a_pass_that_is_not_confirmed_is_a_verdict_like_others(referee):
    knows = kernel("if i < out.size:", "    out[i] = (2 if out.size in (64, 100) else 3) * a[i]")
    found = referee.grade(problem(confirm=({"n": (101, 200)},)), knows)
    assert found.verdict.failed_at == "result"
    assert len(found.runs) == 3


# References that say what is wrong


FAULTS = {
    "raises": (asked("b = a", "return b / None"), 3, "TypeError: unsupported operand"),
    "raises below": (
        problem(reference="def deep(a):\n    return a[99]\n\n" + HEAD + "    return deep(a)\n"),
        2, "IndexError: index 99"),
    "is not Python": (problem(reference=HEAD + "return a\n"), 2, "is not Python: expected an"),
    "is no function": (problem(reference="reference = 3\n"), 0, "there is no function `ref"),
    "raises at its top": (problem(reference="import numpyy\n"), 1, "ModuleNotFoundError"),
    "takes other arguments": (
        problem(reference="def reference(b):\n    return b\n"), 0, "TypeError: reference() got"),
    "returns another shape": (
        asked("return a[:-1]"), 0, "returned the shape (63,) instead of (64,)"),
    "returns nothing": (asked("return None"), 0, "returned the shape () instead of (64,)"),
    "returns two": (asked("return a, a"), 0, "returned 2 arrays, but there are 1 outputs"),
    "wants too much": (asked("return np.ones(10 ** 12)"), 2, "MemoryError: Unable to allocate"),
    "takes all memory": (
        asked("held = []", "while True:", "    held.append(np.empty(1 << 24))"), 4, "MemoryError"),
    "calls itself": (asked("return reference(a)"), 2, "RecursionError"),
    "leaves a file": (asked("open('/tmp/left', 'w').write('x' * 10 ** 5)"), 2, "PermissionError"),
}  # fmt: skip


@pytest.mark.parametrize(("question", "line", "says"), FAULTS.values(), ids=FAULTS.keys())
def test_a_reference_that_fails_is_named_with_its_line(referee, question, line, says):
    asks = (referee.prepare, referee.reference_outputs, lambda one: referee.grade(one, GOOD))
    for ask in asks:
        with pytest.raises(ReferenceFailed) as raised:
            ask(question)
        assert raised.value.line == line
        assert says in english(raised.value)
    goes_on(referee)


def test_what_a_reference_prints_stays_away_from_the_answers(referee):
    """A megabyte through Python, and another past it."""
    loud = asked("import os", "print('{' * 10 ** 6)", "os.write(1, b'}' * 10 ** 6)", "return 2 * a")
    for _ in range(2):
        assert referee.grade(loud, GOOD).passed
    goes_on(referee)


def test_an_error_of_a_thousand_lines_is_an_error(referee):
    with pytest.raises(ReferenceFailed):
        referee.prepare(asked("raise ValueError('no\\n' * 1000)"))
    goes_on(referee)


def test_a_reference_does_not_change_what_the_kernel_is_given(referee):
    assert referee.grade(asked("b = 2 * a", "a[:] = 7", "return b"), GOOD).passed


def test_a_problem_that_cannot_be_is_named_by_its_field(referee):
    nameless = Problem("double", (Argument("a", "float31", ("n",)), OUT), ({"n": 64},), (2,), (32,))
    with pytest.raises(InvalidProblem) as raised:
        referee.grade(nameless, GOOD)
    assert raised.value.path == ("arguments", 0, "dtype")
    goes_on(referee)


# References that end the process


ENDS = {
    "exits": ("import sys", "sys.exit(3)"),
    "exits at once": ("import os", "os._exit(3)"),
    "is killed": ("import os, signal", "os.kill(os.getpid(), signal.SIGKILL)"),
    "aborts": ("import os", "os.abort()"),
    "closes its input": ("import os", "os.close(0)", "os._exit(0)"),
    "says something last": ("import os", "os.write(2, b'out of luck')", "os._exit(1)"),
}


@pytest.mark.parametrize("lines", ENDS.values(), ids=ENDS.keys())
def test_a_process_that_ended_is_replaced(referee, lines):
    with pytest.raises(RefereeFailed) as raised:
        referee.prepare(asked(*lines))
    assert not raised.value.cancelled
    assert english(raised.value).startswith("the grading process ")
    assert "\n" not in english(raised.value)
    goes_on(referee)


def test_what_it_said_last_is_told(referee):
    with expect_error(RefereeFailed, r"ended with status 1: out of luck$"):
        referee.grade(asked(*ENDS["says something last"]), GOOD)


@pytest.mark.parametrize(
    "lines",
    [
        ("while True:", "    pass"),
        ("import time", "time.sleep(1000)"),
        ("import signal", "signal.signal(15, signal.SIG_IGN)", "while True:", "    pass"),
        ("while True:", "    try:", "        while True: pass", "    except BaseException: pass"),
    ],
    ids=["loops", "sleeps", "ignores signals", "catches everything"],
)
def test_a_reference_without_an_end_is_ended(referee, monkeypatch, lines):
    with monkeypatch.context() as patch:
        patch.setattr(referee, "_seconds", 0.5)
        with expect_error(RefereeFailed, r"grading took longer than 0\.5 s and was ended"):
            referee.prepare(asked(*lines))
    goes_on(referee)


def test_a_reference_starts_nothing(referee):
    starts = ("import subprocess", "subprocess.Popen(['sleep', '600'])", "return 2 * a")
    with expect_error(ReferenceFailed, "PermissionError"):
        referee.prepare(asked(*starts))
    goes_on(referee)


# Cancelling


ENDLESS = asked("import os", BEGUN, "while True: pass")


def waiting(work: Callable[[], object]) -> tuple[threading.Thread, list[BaseException | object]]:
    """A thread that grades, and what came of it."""
    came: list[BaseException | object] = []

    def run() -> None:
        try:
            came.append(work())
        except RefereeFailed as error:
            came.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, came


def cancelled(came: list[BaseException | object]) -> bool:
    (one,) = came
    return isinstance(one, RefereeFailed) and one.cancelled


def test_another_thread_may_cancel_what_has_begun(referee):
    thread, came = waiting(lambda: referee.grade(ENDLESS, GOOD))
    until_begun(referee)
    referee.cancel()
    thread.join(PATIENCE_S)
    assert cancelled(came)
    goes_on(referee)


def test_another_thread_may_cancel_at_any_moment(referee):
    thread, came = waiting(lambda: referee.grade(ENDLESS, GOOD))
    while thread.is_alive():
        referee.cancel()
        thread.join(0.01)
    assert cancelled(came)
    goes_on(referee)


def test_who_waits_for_a_turn_is_cancelled_too(referee, monkeypatch):
    """Preparing an endless question holds the process when the person hands in, then cancels."""
    goes_on(referee)
    lock = WatchedLock()
    monkeypatch.setattr(referee, "_lock", lock)
    first, came = waiting(lambda: referee.prepare(ENDLESS))
    until_begun(referee)
    second, later = waiting(lambda: referee.grade(ENDLESS, GOOD))
    until(lambda: len(lock.asked) == 2)
    referee.cancel()
    first.join(PATIENCE_S)
    second.join(PATIENCE_S)
    assert cancelled(came)
    assert cancelled(later)
    goes_on(referee)


def test_closing_ends_what_goes_on_and_leaves_no_process(monkeypatch):
    one, lock = Referee(), WatchedLock()
    goes_on(one)
    assert one._process is not None
    process = one._process.id
    monkeypatch.setattr(one, "_lock", lock)
    thread, came = waiting(lambda: one.grade(ENDLESS, GOOD))
    until_begun(one)
    later, also = waiting(lambda: one.grade(ENDLESS, GOOD))
    until(lambda: len(lock.asked) == 2)
    one.close()
    thread.join(PATIENCE_S)
    later.join(PATIENCE_S)
    assert cancelled(came)
    assert cancelled(also)
    until_ended(process)
    assert one._process is None


def test_cancelling_when_nothing_goes_on_is_harmless():
    with Referee() as one:
        one.cancel()
        goes_on(one)
        one.cancel()
        goes_on(one)
        one.close()
        one.close()
        goes_on(one)


def test_threads_take_turns_and_each_has_its_own_verdict(referee):
    sources = [GOOD, kernel("return"), GOOD.replace("2 *", "3 *")] * 3
    found: dict[int, KernelGrade] = {}

    def work(number: int) -> None:
        found[number] = referee.grade(problem(), sources[number])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(sources))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert [found[n].source for n in range(len(sources))] == sources
    assert [found[n].passed for n in range(len(sources))] == [True, False, False] * 3


def test_a_process_that_was_killed_in_between_is_replaced(referee):
    goes_on(referee)
    assert referee._process is not None
    os.kill(referee._process.id, 9)
    until_ended(referee._process.id)
    assert referee.grade(problem(), GOOD).passed


def test_one_thread_is_looked_at_in_the_process(referee):
    source = kernel("x = 2 * i", "out[i] = x")
    seen = referee.record(problem(), source, Moment(FIRST, (1, 0, 0), (3, 0, 0)), run=0)
    assert seen is not None
    assert [(v.name, v.dtype, v.value) for v in seen.variables] == [
        ("i", "int64", "35"), ("x", "int64", "70"),
    ]  # fmt: skip
    assert (seen.occurrences, seen.arrays) == (1, ())


def test_a_tile_crosses_the_pipe_with_its_states(referee):
    source = kernel(
        "s = cuda.shared.array((4, 8), float32)",
        "t = cuda.threadIdx.x",
        "if t < 16:",
        "    s[t // 8, t % 8] = t / 2",
        "if t < 4:",
        "    s[0, t] = 1 / 3",
        "out[i] = s[0, 0]",
    )
    seen = referee.record(problem(), source, Moment(FIRST + 5, (0, 0, 0), (0, 0, 0)))
    assert seen is not None
    (tile,) = seen.arrays
    assert (tile.name, tile.shape, tile.columns, tile.dtype) == ("s", (4, 8), 8, "float32")
    assert tile.cells[:6] == ("0.333", "0.333", "0.333", "0.333", "2", "2.5")
    assert tile.states == ("here",) * 4 + ("earlier",) * 12 + ("never",) * 16


@pytest.mark.parametrize("source", ["", "x = (", kernel("out[i] = nothing")])
def test_of_what_cannot_be_run_nothing_is_seen(referee, source):
    assert referee.record(problem(), source, Moment(1, (0, 0, 0), (0, 0, 0))) is None


def test_a_reference_judges_only_what_its_author_wrote():
    """It replaces what compares, which then finds no difference, in its own process alone."""
    lying = asked(
        "import sys, numpy",
        "from grader.comparing import Comparison",
        "none = lambda got, *_, **__: Comparison(numpy.empty((0, numpy.ndim(got)), int), 0.0, 0.0)",
        "for module in list(sys.modules.values()):",
        "    if getattr(module, '__name__', '').startswith('grader.kernels'):",
        "        module.compare = none",
        "return a * 0",
    )
    with Referee() as one:
        assert one.grade(lying, GOOD).passed  # it is its own question
        assert not one.grade(problem(), kernel("return")).passed
        assert one.grade(problem(), GOOD).passed
        one.author = "pack"
        processes = set()
        for asking in (problem(), asked("return 2 * a"), problem()):
            one.grade(asking, GOOD)
            processes.add(one._process.id)
        assert len(processes) == 1
        one.author = "another"
        one.grade(problem(), GOOD)
        assert one._process.id not in processes
