"""Known mistakes as edits: applied, written, and refused with their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.deck.edits import EditFault, apply_edit, write_edit
from quizapp.deck.linting.lint import lint
from tests.deck.tools import KERNEL, kernel_folder
from tests.sentences import english, sentence

SOLUTION = "def k(a):\n    i = 0\n\n    a[i] = 1\n    a[i] += 1\n    sync()\n    sync()\n"


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        ("@@\n-    i = 0\n+    i = 1\n", "i = 0", "i = 1"),
        ("@@\n-    a[i] = 1", "    a[i] = 1\n", ""),
        ("@@\n     a[i] += 1\n+    b()", "+= 1\n", "+= 1\n    b()\n"),
        ("@@\n     i = 0\n\n-    a[i] = 1\n+    pass", "a[i] = 1", "pass"),
        ("@@ solution\n     a[i] += 1\n-    sync()", "+= 1\n    sync()\n", "+= 1\n"),
    ],
)
def test_an_edit_changes_one_place(edit, old, new):
    assert SOLUTION.count(old) == 1
    wanted = SOLUTION.replace(old, new)
    assert apply_edit(edit, {"solution": SOLUTION}) == wanted
    assert apply_edit(edit, {"solution": SOLUTION.replace("\n", "\r\n")}) == wanted


def test_several_changes_may_stand_in_any_order_and_be_of_another_kernel():
    edit = "@@ starter\n-c\n+d\n@@\n-a\n"
    assert apply_edit(edit, {"solution": "x\n", "starter": "a\nb\nc\n"}) == "b\nd\n"


@pytest.mark.parametrize(
    ("edit", "line", "says"),
    [
        ("-    i = 0", 1, "`-    i = 0` begins with neither"),
        ("@@\n-    i = 0\nj = 1", 3, "`j = 1` begins with neither"),
        ("@@ baseline\n-x", 1, "there is no `baseline` to edit; what can be edited: solution"),
        ("@@\n-    i = 0\n@@ starter\n-x", 3, "only the first `@@` names"),
        ("@@\n+    j = 0", 1, "nothing says where this belongs"),
        ("@@\n-    i = 7", 1, "the solution does not have `i = 7` at a place"),
        ("@@\n     i = 0\n-    sync()", 1, "the solution does not have `i = 0` at a place"),
        ("@@\n-    sync()", 1, "`sync()` fits 2 places of the solution"),
        ("@@\n-    i = 0\n@@\n     i = 0\n-\n", 3, "overlaps the one at line 1"),
    ],
)
def test_an_edit_that_fits_no_place_or_several_is_refused_at_its_line(edit, line, says):
    with pytest.raises(EditFault) as raised:
        apply_edit(edit, {"solution": SOLUTION})
    assert raised.value.line == line
    assert says in english(raised.value)


LINES = st.lists(st.sampled_from(["a", "b", "  c", "", "-", "@@"]), max_size=12)


@given(LINES, LINES)
def test_what_is_written_makes_the_same_kernel(before, after):
    source, kernels = "\n".join([*after, ""]), {"solution": "\n".join([*before, ""])}
    edit = write_edit(source, kernels)
    if edit:  # of which YAML keeps no blank line at its end
        assert apply_edit(edit.rstrip("\n"), kernels) == source


def test_an_edit_whose_solution_moved_away_is_a_problem_at_its_field(tmp_path):
    edit = "    - file: no-guard\n      edit: |\n        @@\n        -    if i < a.size:\n"
    text = KERNEL.replace("    - file: no-guard\n", edit)
    folder = kernel_folder(tmp_path, text, wrong_no_guard=None)
    first, *_ = lint([], [str(tmp_path)]).problems
    line = text[: text.index("edit: |")].count("\n") + 1
    assert (first.file, first.line) == (str(folder / "question.yaml"), line)
    assert "line 1 of the edit: the solution does not have `if i < a.size:`" in sentence(first.what)


def test_an_edit_and_a_file_are_one_too_many(tmp_path):
    text = KERNEL.replace("    - file: no-guard\n", "    - file: no-guard\n      edit: '@@'\n")
    kernel_folder(tmp_path, text)
    assert "an edit or a file, not both" in english(lint([], [str(tmp_path)]).problems[0])
