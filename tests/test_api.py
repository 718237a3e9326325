"""docs/api.md: its examples run, and it shows every public name of `grader`."""

from __future__ import annotations

import re
from pathlib import Path

import grader

PAGE = (Path(__file__).parents[1] / "docs/api.md").read_text("utf-8")
EXAMPLES = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))


def test_every_example_runs():
    assert EXAMPLES.count("assert") > 10
    exec(compile(EXAMPLES, "docs/api.md", "exec"), {"__name__": "example"})


def test_the_page_shows_every_public_name():
    shown = set(re.findall(r"\w+", PAGE))
    assert [name for name in grader.__all__ if name not in shown] == []


def test_every_public_name_is_there_and_documented():
    assert sorted(dir(grader)) == sorted(grader.__all__)
    for name in grader.__all__:
        assert getattr(grader, name).__doc__, name
