"""docs/emulator.md says what the typed program is: its nodes, and its text."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from textwrap import dedent

import pytest

from grader.simt import read
from grader.simt.launches.launching import compile_for_types
from grader.simt.program import nodes
from grader.simt.program.printing import print_program
from grader.simt.program.types import FLOAT32, Array
from tests.grader.simt.test_program_text import node_types

PAGE = (Path(__file__).parents[3] / "docs" / "emulator.md").read_text("utf-8")
PARTS = {"expression": nodes.Expression, "place": nodes.Place, "statement": nodes.Statement}
ROWS = {
    name: (part, text)
    for part, name, text in re.findall(
        r"^\| (expression|place|operation|statement) \| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE
    )
}
SCALE = """
from numba import cuda
def scale(a, f):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= f * 0.5
"""


def test_the_table_has_every_node():
    assert set(ROWS) == {kind.__name__ for kind in node_types()}


@pytest.mark.parametrize("kind", node_types(), ids=lambda kind: kind.__name__)
def test_a_row_says_what_the_node_is(kind: type):
    part, text = ROWS[kind.__name__]
    assert issubclass(kind, PARTS.get(part, object))
    assert part != "operation" or kind in nodes.Operation.__args__
    said, *_ = (inspect.getdoc(kind) or "").split("\n\n")
    assert text == " ".join(said.split())


def test_the_program_on_the_page_is_that_of_its_kernel():
    (shown,) = re.findall(r"^    kernel scale.*\n(?:     .*\n)+", PAGE, re.MULTILINE)
    ready = compile_for_types(read(SCALE), (Array(FLOAT32, 1, "global"), FLOAT32))
    assert print_program(ready.compiled.lowered) == dedent(shown)
