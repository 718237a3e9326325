"""docs/layouts.md lists what there is."""

from __future__ import annotations

import re
from pathlib import Path

from grader.layouts import GATES, Tile, grade, layouts
from grader.layouts.python.refused import BUILTINS
from grader.layouts.python.values import DEEPEST_CALL
from grader.layouts.source import LONGEST
from tests.grader.layouts.tools import EXERCISE, value

TEXT = (Path(__file__).parents[3] / "docs" / "layouts.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> list[str]:
    """Of a section's table, without its head."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [cell.strip("` ") for cell in re.findall(r"^\| (.+?) \|", section, re.MULTILINE)[2:]]


def test_gates_and_families_are_those_there_are():
    assert tuple(first_cells("The checks")) == GATES
    assert first_cells("The search") == list(dict.fromkeys(x.family for x in layouts(Tile(32, 32))))


def test_functions_names_and_bounds_are_those_there_are():
    row = next(line for line in TEXT.split("\n") if line.startswith("| functions |"))
    c, python = row.split("|")[2:4]
    for name in re.findall(r"`(\w+)`", c):
        other = ", col" if name in {"min", "max"} else ""
        assert isinstance(value(f"{name}(row{other})", 3), int)
    assert re.findall(r"`(\w+)`", python) == list(BUILTINS)
    names = next(line for line in TEXT.split("\n") if line.startswith("| names |"))
    assert all(f"`{name.partition('.')[0]}" in names for name in EXERCISE.names)
    assert f"{LONGEST:,} characters" in TEXT
    assert f"nested {DEEPEST_CALL} deep" in TEXT


def test_the_example_is_true():
    assert grade("row * 32 + (col ^ row)", EXERCISE).verdict.passed
    assert grade("row * 33 + col", EXERCISE).extra_elements == 31
