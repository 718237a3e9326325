"""What all tests of the screens share."""

from __future__ import annotations

import gc

import pytest
from textual.notifications import Notification

from tests.compiled_content import compile_once
from tests.created_database import create_once
from tests.tui.at_rest import rest_at_once
from tests.tui.parsed_styles import parse_once
from tests.tui.unpainted import paint_nothing


@pytest.fixture(autouse=True)
def made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is the same in each test: the compiled content, a new database, the parsed styles."""
    compile_once(monkeypatch)
    paint_nothing(monkeypatch)
    create_once(monkeypatch)
    parse_once(monkeypatch)


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """No application is kept from the garbage collector: 3 MB for each that had been at home."""
    monkeypatch.setattr(gc, "freeze", lambda: None)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is done when nothing is left to do."""
    rest_at_once(monkeypatch)


@pytest.fixture(autouse=True)
def lasting_toasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No toast ends by the clock: on a busy machine a key may take longer than a toast lasts."""
    monkeypatch.setattr(Notification, "time_left", 3600.0)
