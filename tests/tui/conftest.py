"""What all tests of the screens share."""

from __future__ import annotations

import pytest
from textual.notifications import Notification

from tests.compiled_content import compile_once


@pytest.fixture(autouse=True)
def compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped content is compiled once, not for each test's home."""
    compile_once(monkeypatch)


@pytest.fixture(autouse=True)
def lasting_toasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No toast ends by the clock: on a busy machine a key may take longer than a toast lasts."""
    monkeypatch.setattr(Notification, "time_left", 3600.0)
