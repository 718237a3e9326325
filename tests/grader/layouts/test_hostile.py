"""Whatever is sent in ends in a verdict, within a second, and nothing else happens."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.layouts import Exercise, Tile, grade
from quizapp.domain.question import LANGUAGES
from quizapp.report.words import Words
from tests.grader.layouts.tools import EXERCISE, SHORT, body

SECOND = 1.0
"""On a core: the machine may be busy with other tests."""
ENDLESS = body("x = row", "while True: x = (x * x + col) % 97")
SOURCES = {
    "endless": body("while True: pass"),
    "endless work": ENDLESS,
    "endless masks": body(
        "while True:",
        "    if row % 7 > 3: row += col + 1",
        "    elif row % 5 > 2: row -= 1",
        "    else: row *= 2",
        "    row %= 100",
    ),
    "endless vectors": body(f"while True: row = min({', '.join(['row + 1'] * 16)}) % 31"),
    "tower": body("return 9**9**9"),
    "square": body("while True: row = row * row + 2"),
    "shift": body("return 1 << 10**18"),
    "recursion": body("return index(row, col)"),
    "branching recursion": body("return index(row, col) + index(col, row)"),
    "mutual recursion": "def f(x): return g(x)\ndef g(x): return f(x)\n" + body("return f(row)"),
    "long range": body("for i in range(10**18): row ^= i", "return row"),
    "ranges": body("for i in range(10**4):", "    for j in range(10**4): row ^= j", "return row"),
    "10 MB": "x" * 10_000_000,
    "10 MB of Python": body(*["row += 1"] * 700_000),
    "10 MB of parentheses": "(" * 10_000_000,
    "NUL": "row\0 + col",
    "NUL in Python": body("return row\0"),
    "surrogate": body("return '\ud800'"),
    "lone surrogate": "\ud800",
    "bytes": "\x7fELF\x02\x01",
    "minus": "- " * 3_900 + "row",
    "tilde": "~" * 7_900 + "row",
    "not": body("return " + "not " * 1_900 + "row"),
    "power": body("return " + "row**" * 1_500 + "row"),
    "plus": body("return " + "row+" * 1_900 + "row"),
    "sum": "row+" * 1_900 + "row",
    "parentheses": "(" * 3_900 + "row" + ")" * 3_900,
    "parentheses in Python": body("return " + "(" * 3_900 + "row" + ")" * 3_900),
    "conditions": "row?" * 1_500 + "1" + ":1" * 1_500,
    "conditions in Python": body("return " + "1 if row else " * 500 + "2"),
    "calls": body("return " + "abs(" * 1_500 + "row" + ")" * 1_500),
    "elif": body("if row: return 1", *["elif row: return 2"] * 300),
    "indented": "def index(row, col):\n" + "".join(
        " " * depth + "if row:\n" for depth in range(1, 99)
    ) + " " * 99 + "return 1",
    "digits": "9" * 7_900,
    "digits in Python": body("return " + "9" * 7_000),
    "hexadecimal": body("return 0x" + "f" * 7_000),
    "name": "q" * 7_900,
    "import": "import os\n" + body("return os.getpid()"),
    "dunder": body("return ().__class__.__bases__[0].__subclasses__()"),
    "open": body("return open('/etc/passwd')"),
    "exec": body("exec('import os')", "return 1"),
    "lambda": body("return (lambda: row)()"),
    "comprehension": body("return sum([1 for i in range(10**9)])"),
    "text": body("return 'x' * 10**9"),
    "pairs": body("x = row, col", "for i in range(64): x = x, x", "return x"),
    "escape": body("'\\d'", "return row"),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
def test_it_ends_within_a_second_and_says_why(name):
    began = process_time()
    found = grade(SOURCES[name], EXERCISE)
    assert process_time() - began < SECOND
    failure = found.verdict.failure
    assert failure is not None
    assert failure.reason is not None
    for language in LANGUAGES:
        say = Words(language)
        assert 0 < len(say.fact(failure.reason)) < 300
        assert len(say.hint(failure.reason, failure.hint)) < 300


@pytest.mark.parametrize(
    ("source", "line", "column"), [("row\0", 1, 4), ("\ndef index(row, col): \0", 2, 22)]
)
def test_a_nul_byte_has_its_place(source, line, column):
    failure = grade(source, EXERCISE).verdict.failure
    assert failure is not None
    assert (failure.line, failure.column) == (line, column)


@pytest.mark.parametrize("rows", [1, 64, 256])
@pytest.mark.parametrize(
    "name", ["endless", "endless work", "endless masks", "endless vectors", "ranges"]
)
def test_the_bound_is_one_of_time_whatever_the_tile(name, rows):
    began = process_time()
    assert grade(SOURCES[name], Exercise(Tile(rows, rows), ())).verdict.fails_at("defined")
    assert process_time() - began < SECOND


def test_honest_work_is_far_within_the_bound():
    """Bit reversal of 10 bits, and a loop of 64 rounds, on the largest tile."""
    reverse = body(
        "i = row * 256 + col",
        "x = 0",
        "for k in range(16):",
        "    if i >> k & 1: x |= 1 << 15 - k",
        "return x",
    )
    loop = body(
        "x = 0", "for k in range(64): x = (x + k * col) % 7", "return row * 256 + col + 0 * x"
    )
    exercise = Exercise(Tile(256, 256), ())
    assert grade(reverse, exercise).verdict.passed
    assert grade(loop, exercise).verdict.passed


def test_nothing_is_executed():
    """No code is made, run or imported, no file opened, no process started."""
    forbidden = {"exec", "import", "open", "os.system", "subprocess.Popen", "socket.connect"}
    seen: list[str] = []
    watching = True

    def watch(event, arguments):
        # Where Python's parser finds an error it looks for the file, which has no name here.
        if watching and event in forbidden and (event, arguments[0]) != ("open", ""):
            seen.append(f"{event} {arguments[:1]}")

    sys.addaudithook(watch)  # cannot be taken off again, hence `watching`
    grade("row * 33 + col", EXERCISE)  # whatever is imported late is there now
    grade(body("return row, col"), EXERCISE)
    seen.clear()
    for source in SOURCES.values():
        grade(source, EXERCISE)
    watching = False
    assert seen == []


def test_nothing_is_printed_and_no_warning_filter_is_left(capfd):
    before = list(warnings.filters)
    for name in ("escape", "digits in Python", "text", "dunder"):
        grade(SOURCES[name], EXERCISE)
    grade(body("return 1if row else 2"), EXERCISE)
    assert warnings.filters == before
    assert capfd.readouterr() == ("", "")


def test_a_thread_with_a_small_stack_survives():
    """Half a megabyte, as some systems give a thread; in a child, since the danger is a crash."""
    program = (
        "import threading\n"
        "from tests.grader.layouts.test_hostile import SOURCES, EXERCISE, grade\n"
        "threading.stack_size(1 << 19)\n"
        "def run():\n"
        "    for source in SOURCES.values(): grade(source, EXERCISE)\n"
        "    print('alive')\n"
        "thread = threading.Thread(target=run)\n"
        "thread.start()\n"
        "thread.join()\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=os.environ
    )
    assert run.stdout == "alive\n", run.stderr


def test_threads_do_not_disturb_each_other():
    verdicts: list[bool] = []

    def run(source, wanted):
        verdicts.extend(grade(source, EXERCISE).verdict.passed == wanted for _ in range(10))

    jobs = [("row * 33 + col", True), (body("return row, col"), True), ("row / 0", False)]
    threads = [threading.Thread(target=run, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == [True] * 30


PIECES = st.sampled_from(
    [
        "def",
        "index(row,",
        "col):",
        "return",
        "if",
        "else",
        "elif",
        "for",
        "i",
        "in",
        "range(",
        "while",
        "break",
        "continue",
        "x",
        "=",
        "+=",
        "(",
        ")",
        ",",
        ":",
        ";\n",
        "",
        "",
        "",
        "row",
        "col",
        "threadIdx.x",
        "tile",
        "[",
        "]",
        "?",
        "**",
        "//",
        "<<",
        ">>",
        "^",
        "&",
        "|",
        "~",
        "!",
        "not",
        "and",
        "or",
        "0",
        "1",
        "33",
        "2.5",
        "'a'",
        "\n",
        "\n\t",
        "\n",
        "",
        "",
        "#",
        "@",
        "lambda\n",
        "",
        "",
        "",
        "min(",
        "abs(",
        "divmod(",
        "int(",
        "None",
        "True",
        ".",
        "{",
        "}",
        "\\",
        "\x00",
        "ü",
        "import",
    ]
)


@pytest.mark.parametrize("cases", SHORT)
def test_any_text_ends_in_a_verdict(cases):
    @settings(max_examples=cases, deadline=None)
    @given(
        st.one_of(
            st.lists(PIECES, max_size=25).map(" ".join),
            st.lists(PIECES, max_size=25).map(lambda pieces: body(" ".join(pieces))),
            st.text(max_size=60),
        )
    )
    def verdict(source):
        found = grade(source, EXERCISE)
        assert found.verdict.passed == (found.verdict.failure is None)

    verdict()
