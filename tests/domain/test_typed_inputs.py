"""Inputs of a kernel as they are typed: what is read, how it is written, what is refused."""

from __future__ import annotations

import pytest

from quizapp.domain.grading import BadInput
from quizapp.domain.kernel import KernelArgument, KernelLaunch, OfferedInput
from quizapp.domain.question import InputChoice, Kernel, Option
from quizapp.domain.typed.inputs import (
    MOST_ROWS,
    add_input,
    describe_input,
    example_of,
    read_input,
    take_up,
)
from quizapp.report.words import Words
from tests.domain.test_attempt import COMMON

KERNEL = Kernel(
    **COMMON,
    kernel="f",
    arguments=(
        KernelArgument("x", "float32", ("rows", "cols")),
        KernelArgument("keys", "int16", ("rows",), values="integers", high=9),
        KernelArgument("flags", "uint8", ("rows",), values="integers", high=2),
        KernelArgument("y", "float32", ("rows",), role="output"),
        KernelArgument("a", value=2),
    ),
    shapes=({"rows": 64, "cols": 64},),
    launch=KernelLaunch(("rows",), (32,)),
    wrong=(),
)
OFFERED = OfferedInput({"rows": 3}, {"x": "zeros"})
CHOICE = InputChoice(
    **COMMON, options=(Option(describe_input(OFFERED)),), kernel=KERNEL, offered=(OFFERED,), pick=1
)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("rows=3 cols=129", "`rows = 3; cols = 129; x = normal`"),
        ("rows = 1,000; x = uniform(1000, 1001)", "`rows = 1000; x = uniform(1000, 1001)`"),
        ("rows=2^10 x=0..1", "`rows = 1024; x = uniform(0, 1)`"),
        ("x=-0.5,keys=3", "`x = -0.5; keys = 3`"),
        ("x=inf", "`x = extremes`"),
        ("x=extremes", "`x = extremes`"),
        ("keys=extremes", "`keys = extremes; x = normal`"),
        ("keys=0..9 flags=ones", "`keys = integers(0, 10); flags = ones; x = normal`"),
        ("rows＝7， x＝zeros", "`rows = 7; x = zeros`"),
    ],
)
def test_what_is_typed_is_read_as_it_is_written(typed, written):
    assert describe_input(read_input(KERNEL, typed)) == written


def test_integers_reach_the_ends_of_their_type():
    assert read_input(KERNEL, "keys=extremes").bounds["keys"] == (-(2**15), 2**15)
    assert read_input(KERNEL, "flags=extremes").bounds["flags"] == (0, 256)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "unread"), ("rows", "unread"), ("rows=3 what", "unread"), ("n=3", "no-name"),
        ("y=zeros", "no-name"), ("a=3", "no-name"), ("rows=0", "no-blocks"), ("rows=-1", "size"),
        ("rows=1.5", "size"), ("rows=many", "value"), ("rows=1e99", "size"), ("x=often", "value"),
        ("x=nan", "nan"), ("x=3..1", "range"), ("keys=inf", "integers"), ("x=0..b", "value"),
        ("rows=3 x=zeros", "same"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_no_input_is_refused_with_what_to_do(typed, code, language):
    with pytest.raises(BadInput) as refused:
        add_input(CHOICE, read_input(KERNEL, typed))
    assert refused.value.what.code == f"input.{code}"
    said = Words(language).in_line(refused.value.what)
    assert "{" not in said
    assert "input." not in said


def test_typed_inputs_come_back_from_a_draft_and_have_an_end():
    taken = take_up(CHOICE, "rows=5\nrows=0\nx=ones\n0 2")
    assert taken.typed == ("rows=5", "x=ones")
    for size in range(10, 10 + MOST_ROWS - 3):
        taken = add_input(taken, read_input(KERNEL, f"rows={size}"))
    with pytest.raises(BadInput):
        add_input(taken, read_input(KERNEL, "rows=99"))


def test_the_example_is_an_input():
    assert describe_input(read_input(KERNEL, example_of(KERNEL))).startswith("`rows = 1000")


def test_an_input_is_written_as_code():
    given = OfferedInput({"n": 300, "m": 2}, {"x": "uniform", "y": "uniform", "z": "zeros"}, 1, 2)
    assert describe_input(given) == "`n = 300; m = 2; x, y = uniform(1, 2); z = zeros`"
