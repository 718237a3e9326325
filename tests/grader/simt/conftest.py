"""Every typed program that a test here runs is checked before."""

from __future__ import annotations

import pytest

from grader.simt.lockstep import functions
from tests.grader.simt.checking import check_program


@pytest.fixture(autouse=True)
def checked(monkeypatch):
    build = functions.build_block

    def check_and_build(block, scope):
        check_program(scope.function)
        return build(block, scope)

    monkeypatch.setattr(functions, "build_block", check_and_build)
