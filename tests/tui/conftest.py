"""What all tests of the screens share."""

from __future__ import annotations

import pytest

from tests.compiled_content import compile_once


@pytest.fixture(autouse=True)
def compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shipped content is compiled once, not for each test's home."""
    compile_once(monkeypatch)
