"""`raises`: an error whose sentence a test is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.sentences import english


@contextmanager
def raises(kind: type[Exception], pattern: str) -> Iterator[pytest.ExceptionInfo[Any]]:
    """Check that an error is raised whose English sentence matches a pattern."""
    with pytest.raises(kind) as error:
        yield error
    assert re.search(pattern, english(error.value)), english(error.value)
