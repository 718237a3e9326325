"""Rules for every test: when to skip, which signals programs get, which examples are drawn."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

from quizapp.cli import MOST_GARBAGE
from quizapp.deck.deck import Deck
from tests.collected_once import pytest_addoption, pytest_runtestloop  # noqa: F401 - hooks
from tests.compiled_content import compile_once, share_folder, shipped_deck
from tests.compiled_modules import compile_part
from tests.forked_workers import fork_workers

REQUIRE_PROGRAMS = "QUIZ_REQUIRE_PROGRAMS"
"""Set by .ci/run, which installs the programs: there a skip would hide a test that must run."""


def pytest_configure(config: pytest.Config) -> None:
    """Draw the same few examples in each ordinary run; the long one looks for many new ones.

    No example fails for its time: a machine that does something else as well is slow.
    """
    ordinary = "not long" in config.option.markexpr
    settings.register_profile(
        "any machine",
        derandomize=ordinary,
        max_examples=50 if ordinary else 100,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("any machine")
    fork_workers()
    share_folder()
    compile_part(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Compile shipped content once for all the tables of tests that are made of it, not six times.

    That took 0.6 s for each time. What has been collected stays: the garbage collector need not
    look at it again and again. Afterwards it looks as seldom as in the program: at Python's own
    700 objects it took a tenth to a sixth of the tests' time.
    """
    gc.disable()
    try:
        with pytest.MonkeyPatch.context() as patch:
            compile_once(patch)
            return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(MOST_GARBAGE, 5, 5)  # an application that has ended is 3 MB
        gc.enable()


@pytest.fixture(scope="session")
def deck() -> Deck:
    """The deck of shipped content."""
    return shipped_deck()


_LATE = ("tests/domain/", "tests/report/", "tests/deck/", "tests/grader/")
"""Folders of files that take a second each and wait for nothing."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest or wait most, so that no worker is alone at the end.

    And give a test marked `long` all the time that it takes, unless it says how much. The timeout
    of other tests, 180 s, is for those that take seconds.
    """
    items.sort(key=lambda item: item.nodeid.startswith(_LATE))
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(0))


def restore_signals() -> None:
    """Give programs that the tests start default signals, even if the tests ignore some.

    What a shell starts in the background ignores ctrl-c, and what `nohup` starts ignores a hangup;
    programs inherit that. A signal that has a handler is at its default again in a new program.
    """
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


restore_signals()


def _needs_program(name: str) -> str:
    path = shutil.which(name)
    if path is not None:
        return path
    reason = f"{name} is not installed"
    if os.environ.get(REQUIRE_PROGRAMS):
        pytest.fail(f"{reason}, and {REQUIRE_PROGRAMS} is set: nothing may be skipped for it")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def needs_program() -> Callable[[str], str]:
    """Call it with a program's name: its path, or the test is skipped (with us, it fails)."""
    return _needs_program
