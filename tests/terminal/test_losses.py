"""No answer is lost: killed at any moment, two programs at once, a full disk, another zone."""

from __future__ import annotations

import resource
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from random import Random

import pytest

from quizapp.domain.days import as_date
from quizapp.domain.log.events import Answered
from quizapp.store.store import Store
from tests.compiled_content import compile_at
from tests.file_systems import mount
from tests.terminal.program import (
    HOME,
    NEXT,
    PROMPTS,
    SURE,
    TOPIC,
    Start,
    answers,
    drafts,
    events,
)
from tests.terminal.screen import Screen, program
from tests.terminal.steps import answer_number, answer_verbatim, row_of
from tests.waiting import until

MANY = """
- id: many-{n}
  kind: choice
  topic: many
  concept: many-{n}
  difficulty: 1
  prompt: "Question <{n}>: which?"
  options:
    - {{text: right, correct: true}}
    - {{text: wrong, why: It is.}}
  explanation: So it is.
  sources: [own]
"""


@pytest.fixture
def many(home: Path) -> tuple[str, ...]:
    """Questions on a topic of their own, no confidence asked: three keys each."""
    path = home / "content" / "mine" / "many.yaml"
    path.write_text("".join(MANY.format(n=n) for n in range(200)), "utf-8")
    (home / "config.toml").write_text("welcomed = true\nconfidence = false\n", "utf-8")
    compile_at(home)
    return ("--topic", "many", "--new", "200")


def find_number(screen: Screen) -> str:
    """The number of the question that stands there."""
    return screen.text().partition("<")[2].partition(">")[0]


def answer_one(screen: Screen) -> str:
    """Answer what is asked and see the verdict; which it was."""
    screen.wait_for("Question <", "enter answer")
    number = find_number(screen)
    screen.keys(row_of(screen, " right"), "Enter")
    screen.wait_for("✓ right", NEXT)
    return f"many-{number}"


def sound(home: Path) -> None:
    """The database opens and its own check finds nothing."""
    with Store.open(home / "progress.db") as store:
        assert store.check() == []


def kill_often(start: Start, home: Path, many: tuple[str, ...], times: int) -> None:
    """Answer, kill somewhere in the next answer, start again; every answer passed on is there."""
    random = Random(times)
    seen: list[str] = []
    for _ in range(times):
        screen = start.at_home(*many)
        screen.keys("Enter")
        done = answer_one(screen)
        screen.keys("Enter")
        # The next question shows only when the answer is stored.
        screen.wait_for("Question <", "enter answer")
        seen.append(done)
        digit = row_of(screen, " right")
        screen.keys(*random.choice([(), (digit,), (digit, "Enter"), (digit, "Enter", "Enter")]))
        for _ in range(random.randrange(0, 30)):
            screen.text()  # a few milliseconds
        screen.signal(signal.SIGKILL)
        assert screen.exit_status() == 137
        screen.close()
        sound(home)
    logged = Counter(answers(home))
    assert set(seen) <= set(logged)
    assert set(logged.values()) == {1}
    assert len(logged) <= len(seen) + times


def test_killed_again_and_again_nothing_answered_is_lost(
    start: Start, home: Path, many: tuple[str, ...]
):
    kill_often(start, home, many, 4)


@pytest.mark.long
def test_killed_often_nothing_answered_is_lost(start: Start, home: Path, many: tuple[str, ...]):
    kill_often(start, home, many, 60)


def test_a_draft_is_offered_after_a_kill(start: Start, home: Path):
    screen = start.at_home("--topic", "terminal", "--kind", "recall")
    screen.keys("Enter")
    screen.wait_for(PROMPTS[2], "enter answer")
    screen.keys("i")
    screen.wait_for("esc other keys")
    screen.type("half a sentence")
    screen.wait_for("half a sentence")
    until(lambda: drafts(home), lambda: "no draft")
    screen.signal(signal.SIGKILL)
    assert screen.exit_status() == 137
    again = start.at_home("--topic", "terminal", "--kind", "recall")
    again.wait_for("a half-written answer is kept")
    again.keys("Enter")
    again.wait_for(PROMPTS[2], "half a sentence", "From last time")


def test_two_programs_on_one_database(start: Start, home: Path, many: tuple[str, ...]):
    """Each has its queue; what one has answered the other asks again, and the log tells which."""
    screens = [start.at_home(*many), start.at_home(*many)]
    for screen in screens:
        screen.keys("Enter")
    seen: list[str] = []
    for turn in range(20):
        screen = screens[turn % 2]
        seen.append(answer_one(screen))
        assert "locked" not in screen.text()
        screen.keys("Enter")
        screen.wait_for("enter answer")
    for screen in screens:
        screen.keys("Escape")
        screen.wait_for(HOME)
        screen.keys("q")
        assert screen.exit_status() == 0
    assert Counter(answers(home)) == Counter(seen)
    sound(home)
    with Store.open(home / "progress.db") as store:
        day = store.latest_day()
        assert day is not None
        assert store.totals_of_day(day).new == len(set(seen))
        assert store.answers_by_day(day, day) == {day: len(set(seen))}


def test_one_card_in_both_the_earlier_answer_counts(start: Start, home: Path):
    first, second = start.at_home(*TOPIC), start.at_home(*TOPIC)
    for screen in (first, second):
        screen.keys("Enter")
        screen.wait_for(PROMPTS[0], "h hint")
    answer_verbatim(first, right=False)
    answer_verbatim(second, right=True)
    for screen in (first, second):
        screen.keys("C-c")
        assert screen.exit_status() == 130
    bodies = [event.body for event in events(home) if isinstance(event.body, Answered)]
    assert [body.correct for body in bodies] == [False, True]
    with Store.open(home / "progress.db") as store:
        card = store.card("mine/verbatim")
        assert card is not None
        assert card.memory is not None
        assert card.memory.repetitions == 1
        counted = [fact for fact in store.answer_facts() if fact.counts]
        assert [fact.correct for fact in counted] == [False]


@pytest.mark.long
def test_two_first_starts_at_once(start: Start, home: Path):
    screens = [start(*TOPIC) for _ in range(3)]
    for screen in screens:
        screen.wait_for(HOME)
    for screen in screens:
        screen.keys("q")
        assert screen.exit_status() == 0
    sound(home)


@contextmanager
def small_disk(home: Path) -> Iterator[None]:
    """QUIZ_HOME with what it holds on a file system of little more."""
    kept = home.with_name("kept")
    shutil.copytree(home, kept)
    with mount(home, "-t", "tmpfs", "-o", "size=16m", "none"):
        shutil.copytree(kept, home, dirs_exist_ok=True)
        yield


def fill(home: Path) -> Path:
    """Leave no room on the disk; the file that does so."""
    path = home / "filler"
    with path.open("wb", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                pass
    return path


def test_a_full_disk_in_the_middle_of_a_session(start: Start, home: Path):
    with small_disk(home):
        screen = start.at_home(*TOPIC)
        screen.keys("Enter")
        screen.wait_for(PROMPTS[0], "h hint")
        filler = fill(home)
        screen.keys(row_of(screen, "c[j]"), "Enter")
        screen.wait_for(SURE)
        screen.keys("2")
        screen.wait_for("✓ right", "! Not saved:", "full")
        screen.keys("Enter", "r", "3", "q")
        screen.wait_for("Leave without saving this answer?")
        screen.keys("n", "n")  # the second one comes too quickly, and takes no screen away
        screen.wait_for("! Not saved:", gone="Leave without saving")
        screen.keys("d")
        screen.wait_for("own book", "! Not saved:")
        filler.unlink()
        screen.keys("r")
        screen.wait_for("saved", gone="Not saved")
        screen.keys("Enter")
        answer_number(screen, "32")
        screen.keys("Enter")
        screen.wait_for(PROMPTS[2], "enter answer")
        screen.keys("q")
        screen.wait_for(HOME)
        screen.keys("q")
        assert screen.exit_status() == 0
        assert answers(home) == ["verbatim", "number"]
        sound(home)


@pytest.mark.parametrize("way", ["C-c", "SIGTERM"])
def test_what_could_not_be_stored_is_tried_once_more_on_the_way_out(
    start: Start, home: Path, way: str
):
    with small_disk(home):
        screen = start.at_home(*TOPIC)
        screen.keys("Enter")
        screen.wait_for(PROMPTS[0], "h hint")
        filler = fill(home)
        screen.keys("g")
        screen.wait_for("given up", "! Not saved:")
        filler.unlink()
        if way == "SIGTERM":
            screen.signal(signal.SIGTERM)
        else:
            screen.keys(way)
        assert screen.exit_status() == {"SIGTERM": 143, "C-c": 130}[way]
        assert answers(home) == ["verbatim"]


def test_a_full_disk_and_a_draft_or_a_mark(start: Start, home: Path):
    """What cannot be stored is said; the program stays, and what is on the screen too."""
    with small_disk(home):
        screen = start.at_home(*TOPIC)
        screen.keys("Enter")
        screen.wait_for(PROMPTS[0], "h hint")
        filler = fill(home)
        for key in ("f", "-", "@"):
            screen.keys(key)
            screen.click("is full")  # the next would cover the question with it
            screen.wait_for(PROMPTS[0], "h hint", gone="full")
        screen.keys("q")
        screen.wait_for(HOME)
        filler.unlink()
        screen.keys("q")
        assert screen.exit_status() == 0
        assert answers(home) == []


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from quizapp.cli import main
sys.exit(main())
"""


def test_a_write_that_the_kernel_refuses(start: Start, home: Path):
    """The same without a mount: no file may grow beyond a size that is raised afterwards."""
    screen = start(command=[sys.executable, "-c", LIMITED, "start", *TOPIC])
    screen.wait_for(HOME)
    screen.keys("Enter")
    screen.wait_for(PROMPTS[0], "h hint")
    _, hard = resource.prlimit(screen.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(screen.pid, resource.RLIMIT_FSIZE, (1024, hard))
    screen.keys(row_of(screen, "c[j]"), "Enter")
    screen.wait_for(SURE)
    screen.keys("2")
    screen.wait_for("✓ right", "! Not saved:")
    resource.prlimit(screen.pid, resource.RLIMIT_FSIZE, (hard, hard))
    screen.keys("r")
    screen.wait_for("saved", gone="Not saved")
    screen.keys("q")
    screen.wait_for(HOME)
    screen.keys("q")
    assert screen.exit_status() == 0
    assert answers(home) == ["verbatim"]


def test_another_time_zone_between_two_runs(start: Start, home: Path):
    """The log keeps each answer's offset, and no answer moves to another day."""
    offsets = {"Asia/Tokyo": 9 * 3600, "America/Los_Angeles": None}
    for zone, step in zip(offsets, (answer_verbatim, None), strict=True):
        screen = start.at_home(*TOPIC, TZ=zone)
        screen.keys("Enter")
        if step is not None:
            step(screen)
        else:
            answer_number(screen, "32")
        screen.keys("C-c")
        assert screen.exit_status() == 130
    bodies = [event.body for event in events(home) if isinstance(event.body, Answered)]
    assert bodies[0].offset_s == 9 * 3600
    assert bodies[1].offset_s in (-7 * 3600, -8 * 3600)
    assert bodies[1].study_day >= bodies[0].study_day
    assert bodies[1].study_day - bodies[0].study_day <= 1


@pytest.mark.parametrize(
    ("then", "day"),
    [
        # Hours: the wall clock repeats a day, and the log stays on its latest.
        ("2030-05-06 20:00:00", date(2030, 5, 7)),
        # Days: the clock was wrong before, and holding on to it would stop the calendar.
        pytest.param("2030-05-04 12:00:00", date(2030, 5, 4), marks=pytest.mark.long),
    ],
)
def test_the_clock_set_back_between_two_runs(
    start: Start, home: Path, needs_program: Callable[[str], str], then: str, day: date
):
    faketime = needs_program("faketime")
    for when, step in (
        ("2030-05-07 12:00:00", answer_verbatim),
        (then, partial(answer_number, text="32")),
    ):
        command = [faketime, "-f", f"@{when}", *program(), "start", *TOPIC]
        screen = start(command=command, TZ="UTC")
        screen.wait_for(HOME)
        screen.keys("Enter")
        step(screen)
        screen.keys("C-c")
        assert screen.exit_status() == 130
    days = [event.body.study_day for event in events(home) if isinstance(event.body, Answered)]
    assert [as_date(number) for number in days] == [date(2030, 5, 7), day]
    sound(home)
