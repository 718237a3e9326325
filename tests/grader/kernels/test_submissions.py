"""What people hand in that is no such kernel: one sentence with its line, and nothing is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kernels import RefereeFailed
from grader.kernels.accepting import LONGEST
from quizapp.report.words import Words
from tests.examining import REFEREE
from tests.grader.kernels.tools import FIRST, GOOD, HEAD, failure, graded, kernel, problem
from tests.sentences import english

OTHER = "\n@cuda.jit\ndef other(a, out):\n    out[0] = a[0]\n"
ASKED = "write def double(a, out):"
LAST = GOOD.count("\n")
RECURSIVE = """\
@cuda.jit(device=True)
def more(x):
    return more(x)

@cuda.jit
def double(a, out):
    out[0] = more(1)
"""
NOWHERE = None
"""A column that differs between versions of Python."""
BAD = {
    "nothing": ("", 1, 1, "there is no function"),
    "blank lines": ("\n \n", 1, 1, "there is no function"),
    "no parenthesis": ("def double(a, out:\n    return\n", 1, NOWHERE, "'(' was never closed"),
    "half a word": (GOOD + "    retur n\n", LAST + 1, NOWHERE, "not valid Python"),
    "indented wrongly": (HEAD + "        out[i] = a[i]\n", FIRST, NOWHERE, "unexpected indent"),
    "prose": ("Multiply each element by two.\n", 1, NOWHERE, "not valid Python"),
    "C++": ("__global__ void twice(float* a) {\n}\n", 1, 1, "this is CUDA C++"),
    "no kernel": ("N = 32\n", 1, 1, "there is no function"),
    "a class": ("class Double:\n    pass\n", 1, 1, "there is no function"),
    "a lambda": ("double = lambda a, out: 0\n", 1, 1, "there is no function"),
    "two kernels": (GOOD + OTHER, LAST + 3, 1, "two kernels, double in line 4 and other"),
    "one defined twice": (GOOD + GOOD, LAST + 4, 1, "defined twice, in lines 4 and 11"),
    "functions of other names": (
        "def one(a, out):\n    return\n\ndef two(a, out):\n    return\n", 1, 1,
        "the kernel `double` is missing; the text has one, two"),
    "kernels of other names": (
        "@cuda.jit\ndef one(a, out):\n    return\n" + OTHER + "\ndef f(x):\n    return x\n", 2, 1,
        "the kernel `double` is missing; the text has one, other"),
    "another name and other arguments": (
        "def one(a):\n    return\n", 1, 1, "the kernel `double` is missing; the text has one"),
    "an argument less": ("def double(a):\n    return\n", 1, 1, "takes 1 argument, not 2"),
    "an argument more": ("\ndef double(a, b, out):\n    return\n", 2, 1, "takes 3 arguments, not"),
    "a default": ("def double(a, out=None):\n    return\n", 1, 1, "more than plain arguments"),
    "any number": ("def double(*both):\n    return\n", 1, 1, "more than plain arguments"),
    "by name": ("def double(a, *, out):\n    return\n", 1, 1, "more than plain arguments"),
    "a megabyte": (GOOD + "#" * 1_000_000, 1, 1, f"1,000,131 characters; the limit is {LONGEST:,}"),
    "a megabyte of code": (GOOD + "    i += 1\n" * 91_000, 1, 1, "the limit is 200,000"),
    "a NUL byte": (GOOD + "\0", LAST + 1, 1, "a NUL byte"),
    "a NUL byte in a line": (kernel("out[0]\0 = 1"), FIRST, 11, "a NUL byte"),
    "another encoding": (
        kernel("out[0] = 1  # \udce4\udcf6"), FIRST, 19, "a character that is not text"),
    "half of a pair": (kernel("out[0] = '\ud800'"), FIRST, 15, "a character that is not text"),
    "signs of another language": (kernel("out[i] = 2 × a[i]"), FIRST, NOWHERE, "invalid character"),
    "deep brackets": (kernel(f"i = {'(' * 5_000}1{')' * 5_000}"), FIRST, NOWHERE, "too many"),
    "deep signs": (kernel(f"i = {'-' * 50_000}1"), 1, 1, "nested too deeply"),
    "a long sum": (kernel(f"i = {'+'.join('1' * 20_000)}"), 1, 1, "nested too deeply"),
    "recursion": (RECURSIVE, 3, 12, "more calls itself"),
    "a library": (kernel("out[0] = np.fft.fft(a)[0]"), FIRST, 14, ""),
    "a global list of ten billion": ("N = [0] * 10 ** 10\n" + GOOD, 1, 5, "this is not a constant"),
    "a global number without end": ("N = 9 ** 9 ** 9\n" + GOOD, 1, 5, "exceeds 64 bits"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "line", "column", "says"), BAD.values(), ids=BAD.keys())
def test_what_is_no_kernel_is_answered_with_a_sentence_at_its_line(source, line, column, says):
    found = graded(source)
    gate = failure(source)
    assert (gate.key, gate.line) == ("source", line), gate.reason
    assert gate.column == column if column is not NOWHERE else gate.column > 0
    assert says in english(gate.reason)
    assert "\n" not in english(gate.reason)
    assert found.source == source
    assert found.runs == ()


def test_another_signature_says_the_one_that_is_asked_for():
    for name in ("an argument less", "a default", "two kernels", "nothing", "no kernel"):
        source, *_ = BAD[name]
        gate = failure(source)
        advice = Words("en").hint(gate.reason, gate.hint)
        assert ASKED in advice or "device=True" in advice


def test_helpers_may_stand_beside_the_kernel_and_it_may_have_another_name():
    helper = "@cuda.jit(device=True)\ndef twice(x):\n    return 2 * x\n\n"
    source = GOOD.replace("@cuda.jit", helper + "@cuda.jit").replace("2 * a[i]", "twice(a[i])")
    assert graded(source).passed
    assert graded(source.replace("double", "mine")).passed
    assert graded(GOOD.replace("@cuda.jit\n", "")).passed


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("    ", "\t"),
        lambda text: "# 两倍 ×2\n" + text,
    ],
    ids=["a byte-order mark", "Windows", "no end of line", "tabs", "Chinese"],
)
def test_files_of_other_editors_are_kernels_too(change):
    assert graded(change(GOOD)).passed
    gate = failure(change(GOOD.replace("2 *", "3 *")))
    assert gate.line == FIRST + 1 + change(GOOD).startswith("#")


@pytest.mark.parametrize("source", [row[0] for row in BAD.values()], ids=BAD.keys())
def test_the_process_answers_as_well_and_goes_on(source):
    """Through pipes and JSON: NUL, lone surrogates and a megabyte, too."""
    asked = problem()
    assert REFEREE.grade(asked, source) == graded(source)


def test_after_all_that_a_good_one_passes_in_the_same_process():
    asked = problem()
    REFEREE.prepare(asked)
    before = REFEREE._process
    assert not REFEREE.grade(asked, "\0").passed
    assert REFEREE.grade(asked, GOOD).passed
    assert REFEREE._process is before


# Nothing of it is executed


def hostile(place: Path) -> dict[str, str]:
    """Submissions that would leave a file there, were any part of them run."""
    touch = f"open({str(place)!r}, 'w')"
    code = f"__import__('pathlib').Path({str(place)!r}).touch()"
    return {
        "at the top": f"{touch}\n{GOOD}",
        "in an assignment": f"N = {touch}\n{GOOD}",
        "by import": f"import os\nos.system('touch {place}')\n{GOOD}",
        "in a decorator": GOOD.replace("@cuda.jit", f"@cuda.jit({code})"),
        "in a default": GOOD.replace("out):", f"out={touch}):"),
        "in an annotation": GOOD.replace("out):", f"out: {touch}):"),
        "in a class": f"class A:\n    {touch}\n{GOOD}",
        "in a comprehension": f"N = [{touch} for _ in range(1)]\n{GOOD}",
        "in a formatted string": f'N = f"{{{code}}}"\n{GOOD}',
        "in an assertion": f"assert {touch}\n{GOOD}",
        "in the kernel": kernel(touch),
        "in the kernel, as code": kernel(f"exec({code!r})", f"eval({code!r})"),
        "in a device function": f"def helper(x):\n    {touch}\n    return x\n{GOOD}",
        "in a loop at the top": f"while True:\n    {touch}\n{GOOD}",
    }


NAMES = tuple(hostile(Path("x")))
PASSED_OVER = ("in a decorator", "in an annotation", "in a device function")
"""What stands beside a kernel that is called by nobody, or says nothing to the emulator."""


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_submission_is_executed(name, tmp_path):
    place = tmp_path / "executed"
    source = hostile(place)[name]
    compile(source, "it is Python, and would run", "exec")
    for found in (graded(source), REFEREE.grade(problem(), source)):
        assert found.passed if name in PASSED_OVER else found.verdict.failed_at == "source"
    assert list(tmp_path.iterdir()) == []


def test_a_submission_cannot_end_the_process():
    for source in ("import sys\nsys.exit()\n", "raise SystemExit\n", "quit()\n"):
        try:
            found = REFEREE.grade(problem(), source + GOOD)
        except RefereeFailed as error:  # pragma: no cover - what must not be
            pytest.fail(error.what)
        assert found.verdict.failure is None or found.verdict.failure.name == "source"
