"""What Numba compiles is run, or is in the table of what is not run; what it refuses is refused.

The forms are in tests/data/numba_forms.txt, what Numba says about them beside it.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from grader.simt.numba.refused import NOT_RUN
from grader.simt.program.types import SCALARS
from tests.grader.simt.forms.asking import (
    DATA,
    NO_ORACLE,
    PARAMETERS,
    Answer,
    ask_emulator,
    ask_numba,
    forms,
    oracle,
    recorded,
)
from tests.grader.simt.forms.generated import write_kernel

_IN_PLACE = "numba-cuda 0.30 makes invalid code of it; numba-cuda-mlir 0.6 compiles it"
MORE_HERE = {
    "division in place of an integer": _IN_PLACE,
    "division in place of an integer by a variable": _IN_PLACE,
}
"""Forms that run here though numba-cuda refuses them, and why that is meant."""

GENERATED = 300
AGREED = ("both run", "both refuse", "in the table", "meant")


def judge(name: str, ours: Answer, theirs: Answer) -> str:
    """Compare two answers to a form."""
    if ours.refused:
        if theirs.refused:
            return "both refuse"
        return "in the table" if ours.refused in NOT_RUN else f"only Numba runs it: {ours.refused}"
    if theirs.refused:
        return "meant" if name in MORE_HERE else f"only the emulator runs it: {theirs.refused}"
    both = ours.variables.keys() & theirs.variables.keys()
    wrong = [
        f"{variable} is {theirs.variables[variable]}, not {ours.variables[variable]}"
        for variable in sorted(both)
        if is_number(theirs.variables[variable])
        if ours.variables[variable] != tidy(theirs.variables[variable])
    ]
    return "; ".join(wrong) or "both run"


def numbers(answer: Answer) -> dict[str, str]:
    """Return the variables that are numbers: names of other types are numbered by Numba."""
    found = answer.variables.items()
    return {name: kind for name, kind in found if is_number(kind) and name not in PARAMETERS}


def is_number(kind: str) -> bool:
    """Return True for Numba's name of a number's type."""
    return tidy(kind) in {dtype.name for dtype in SCALARS}


def tidy(kind: str) -> str:
    """Return Numba's name of a type without what is known of its value."""
    if not kind.startswith("Literal[int]"):
        return kind
    value = int(kind.removeprefix("Literal[int](").rstrip(")"))
    return "int64" if value < 1 << 63 else "uint64"


def test_the_record_is_of_these_forms():
    """Otherwise: python -m tests.grader.simt.forms."""
    assert recorded().keys() == forms().keys()


def test_forms_run_as_numba_compiles_them():
    theirs = recorded()
    verdicts = {
        name: judge(name, ask_emulator(text), theirs[name]) for name, text in forms().items()
    }
    counts = Counter(verdicts.values())
    print(f"{len(verdicts)} forms:", ", ".join(f"{counts[one]} {one}" for one in AGREED))
    assert {name: verdict for name, verdict in verdicts.items() if verdict not in AGREED} == {}


def test_the_documentation_has_the_table():
    document = (DATA.parents[1] / "docs" / "emulator.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z.-]+)` \|.*\|.*\|$", document, re.MULTILINE)
    assert tuple(rows) == NOT_RUN


def test_a_row_of_the_table_is_needed():
    """What is not run has a form here that shows it."""
    theirs = recorded()
    refused = {
        ask_emulator(text).refused for name, text in forms().items() if not theirs[name].refused
    }
    assert set(NOT_RUN) <= refused


@pytest.mark.long
def test_numba_says_what_is_recorded():
    python = oracle()
    if python is None:
        pytest.skip(NO_ORACLE)
    found = {name: Answer(*answer) for name, answer in ask_numba(python, forms()).items()}
    known = recorded()
    assert {name: bool(one.refused) for name, one in found.items()} == {
        name: bool(one.refused) for name, one in known.items()
    }
    assert {name: numbers(one) for name, one in found.items()} == {
        name: numbers(one) for name, one in known.items()
    }


@pytest.mark.long
def test_generated_kernels_are_typed_as_numba_types_them():
    python = oracle()
    if python is None:
        pytest.skip(NO_ORACLE)
    texts = {str(seed): write_kernel(seed) for seed in range(GENERATED)}
    theirs = {name: Answer(*answer) for name, answer in ask_numba(python, texts).items()}
    verdicts = {name: judge(name, ask_emulator(text), theirs[name]) for name, text in texts.items()}
    counts = Counter(verdicts.values())
    print(f"{GENERATED} generated kernels:", ", ".join(f"{counts[one]} {one}" for one in AGREED))
    assert {name: verdict for name, verdict in verdicts.items() if verdict not in AGREED} == {}
