"""What every test may use. Owns the one rule for skipping: a missing system program, by name."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest

REQUIRE_PROGRAMS = "QUIZ_REQUIRE_PROGRAMS"
"""Set by .ci/run, which installs the programs: there a skip would hide a test that must run."""


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
