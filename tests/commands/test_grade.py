"""`quiz grade`: a submission in, the verdict out, as words and as JSON; never run, no crash."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from quizapp.domain.errors import FINDINGS, INTERRUPTED, OK, USAGE
from tests.commands.program import Program
from tests.deck.tools import INDEX, NUMBER, RECALL, TRACE, question, write

SOLUTION = "def index(row, col):\n    return row * 33 + col\n"
CONFLICT = "row * 32 + col\n"

PACK = (
    question(
        "index",
        wrong="[{source: row * 34 + col, fails: inside, why: {en: No room., zh: 放不下。}},"
        ' {source: "row * 32 + (col ^ (row & 7))", fails: "wavefronts: column load",'
        " why: Eight banks.}]",
    )
    + TRACE
    + NUMBER
    + RECALL
)
GATES = ["source", "defined", "integers", "inside", "one slot", "aligned", *["wavefronts"] * 2]


@pytest.fixture(autouse=True)
def content(home) -> Path:
    """Exercises of one's own; shipped ones change."""
    return write(home / "content", "mine/a.yaml", PACK)


@pytest.fixture
def hand_in(inside, tmp_path):
    """Grade a text as the exercise's submission."""

    def call(source: str | bytes, *options: str, name: str = "mine/a-index"):
        path = tmp_path / "mine.py"
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        return inside("grade", name, path, *options)

    return call


# In words


def test_what_passes_says_so_with_the_figures_and_the_maps(hand_in):
    said = hand_in(SOLUTION)
    assert (said.status, said.err) == (OK, "")
    assert said.out.startswith("✓ every check passed\n\n")
    assert re.search(
        r"yours +ideal +allowed\n✓ row store +1 +1 +1\n✓ column load +1 +1 +1\n", said.out
    )
    assert "extra storage: 31 elements, 124 bytes" in said.out
    assert said.out.count("warp 0:") == 2
    assert "wave 1" in said.out


def test_what_fails_says_where_first(hand_in):
    said = hand_in(CONFLICT)
    assert (said.status, said.err) == (FINDINGS, "")
    assert said.out.startswith(
        "✗ column load: 32 wavefronts, 1 allowed\n  warp 0: lanes 0, 1, 2, …"
    )
    assert "✗ column load       32        1        1" in said.out
    column, row = (said.out.index(f"{name}, warp 0:") for name in ("column load", "row store"))
    assert column < row  # what fails is drawn first
    assert "… and 28 more wavefronts" in said.out


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (
            "row * 64 + col",
            "✗ outside the storage allowed\n  element (17, 0) goes to slot 1088, with 1056",
        ),
        ("row * 31 + col", "✗ two elements in one slot\n  (0, 31) and (1, 0) share slot 31\n"),
        ("def index(row, col):\n    return col / 2", "✗ not an integer\n  line 2, column 12: "),
        ("8 / row", "✗ no value for an element\n  line 1, column 3: "),
        ("row *\n\n  * * col", "✗ not understood\n  line 3, column "),
        ("", "✗ not understood\n  line 1, column 1: the source is empty\n"),
        ("\n \n", "✗ not understood\n"),
    ],
)
def test_each_gate_in_words(source, says, hand_in):
    said = hand_in(source)
    assert (said.status, said.err) == (FINDINGS, "")
    assert said.out.startswith(says)
    assert "yours" not in said.out


def test_a_known_mistake_is_explained(hand_in):
    assert "\n\nEight banks.\n" in hand_in("def index(r, c):\n    return r * 32 + (c ^ r % 8)").out
    assert "\n\nNo room.\n" in hand_in("34 * row + col").out
    assert "No room." not in hand_in("35 * row + col").out


def test_the_best_of_the_usual_layouts(hand_in):
    said = hand_in(CONFLICT, "--search")
    assert said.status == FINDINGS
    assert "\nThe best of " in said.out
    assert "row store 1 · column load 1 · 0 elements of extra storage\n" in said.out
    assert "The best of" not in hand_in(CONFLICT).out


def test_an_id_may_leave_out_its_pack(hand_in):
    assert hand_in(SOLUTION, name="a-index").status == OK


def test_nothing_is_stored(hand_in, home):
    hand_in(CONFLICT)
    assert not (home / "progress.db").exists()


# As JSON


KEYS = {
    "format",
    "question", "passed", "ran", "language", "gates", "accesses", "extra_elements", "extra_bytes",
    "mistake",
}  # fmt: skip
GATE_KEYS = {
    "name", "state", "subject", "reason", "least", "most", "count", "hint", "line", "column",
}  # fmt: skip
ACCESS_KEYS = {
    "name", "op", "width", "wavefronts", "ideal", "allowed", "warp", "warps", "total",
}  # fmt: skip
BEST_KEYS = {"family", "name", "expression", "wavefronts", "extra_elements", "passes"}


def as_json(said) -> dict:
    assert said.err == ""
    assert said.out.isascii()
    return json.loads(said.out)


def test_every_promised_key_of_what_passes(hand_in):
    said = hand_in(SOLUTION, "--json")
    found = as_json(said)
    assert said.status == OK
    assert set(found) == KEYS
    assert (found["question"], found["passed"], found["language"]) == (
        "mine/a-index",
        True,
        "Python",
    )
    assert (found["extra_elements"], found["extra_bytes"], found["mistake"]) == (31, 124, None)
    assert [gate["name"] for gate in found["gates"]] == GATES
    assert {gate["state"] for gate in found["gates"]} == {"passed"}
    assert [gate["subject"] for gate in found["gates"][-2:]] == ["row store", "column load"]
    assert all(set(gate) == GATE_KEYS for gate in found["gates"])
    assert all(set(access) == ACCESS_KEYS for access in found["accesses"])
    assert found["accesses"][1] == {
        "name": "column load", "op": "load", "width": 4, "wavefronts": 1, "ideal": 1, "allowed": 1,
        "warp": 0, "warps": 32, "total": 32,
    }  # fmt: skip


def test_every_promised_key_of_what_fails_at_an_access(hand_in):
    said = hand_in("row * 32 + (col ^ (row & 7))", "--json")
    found = as_json(said)
    assert said.status == FINDINGS
    assert (found["passed"], found["language"], found["mistake"]) == (False, "C++", "Eight banks.")
    failed = found["gates"][-1]
    assert (failed["name"], failed["subject"], failed["state"]) == (
        "wavefronts",
        "column load",
        "failed",
    )
    assert (failed["count"], failed["most"]) == (4, 1)
    reason = failed["reason"]
    assert reason["code"] == "layout.too-many-wavefronts"
    fields = reason["fields"]
    assert (fields["access"], fields["warp"], fields["ideal"]) == ("column load", 0, 1)
    assert found["accesses"][1]["wavefronts"] == 4
    assert found["accesses"][1]["total"] == 128


def test_every_promised_key_of_what_is_not_understood(hand_in):
    found = as_json(hand_in("row *", "--json"))
    assert set(found) == KEYS
    assert (found["ran"], found["language"], found["accesses"]) == (False, None, [])
    assert (found["extra_elements"], found["extra_bytes"], found["mistake"]) == (None, None, None)
    assert [gate["state"] for gate in found["gates"]] == ["failed", *["not reached"] * 7]
    assert (found["gates"][0]["line"], found["gates"][0]["column"]) == (1, 6)


def test_each_gate_comes_once(hand_in):
    found = as_json(hand_in("def index(row, col):\n    return 1, 2, 3", "--json"))
    assert [gate["name"] for gate in found["gates"]] == GATES


def test_what_never_ran_says_so(hand_in):
    assert "does not count as an attempt" in hand_in("row *").out
    starter = hand_in("row * 32 + col", "--json")
    assert (starter.status, as_json(starter)["ran"]) == (FINDINGS, False)
    assert as_json(hand_in("32 * row + col", "--json"))["ran"]


def test_the_best_as_json(hand_in):
    found = as_json(hand_in(CONFLICT, "--json", "--search"))
    assert set(found) == KEYS | {"best"}
    assert set(found["best"]) == BEST_KEYS
    assert found["best"]["passes"] is True
    assert found["best"]["wavefronts"] == [1, 1]


def test_no_best_is_null(hand_in, content):
    """Elements of 3 bytes: vectors of them cannot be aligned, and no usual layout helps."""
    content.write_text(
        question(
            "index",
            tile="{rows: 8, columns: 32, base: 2}",
            accesses="[{name: row load, along: rows}]",
        )
    )
    said = hand_in("row * 32 + col", "--json", "--search")
    assert said.status == FINDINGS
    assert as_json(said)["best"] is None
    assert "None of " in hand_in("row * 32 + col", "--search").out


def test_json_is_json_without_search_too(hand_in):
    assert "best" not in as_json(hand_in(CONFLICT, "--json"))


# What it is called with


def test_standard_input(quiz):
    done = quiz("grade", "mine/a-index", "-", "--json", typed=SOLUTION)
    assert (done.returncode, done.stderr) == (OK, "")
    assert json.loads(done.stdout)["passed"] is True
    failed = quiz("grade", "mine/a-index", "-", typed=CONFLICT)
    assert (failed.returncode, failed.stderr) == (FINDINGS, "")
    assert quiz("grade", "mine/a-index", "-", typed="").returncode == FINDINGS


def test_a_watch_on_standard_input_is_refused(quiz):
    done = quiz("grade", "mine/a-index", "-", "--watch", typed=SOLUTION)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert "--watch needs a file" in done.stderr


@pytest.mark.parametrize("options", [[], ["--json"], ["--watch"]])
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("missing.py", "there is no file missing.py"),
        (".", ". is a folder"),
        ("answer.md", "answer.md is not a code file: its name must end in one of .py, .cu"),
    ],
)
def test_no_file(path, says, options, inside):
    said = inside("grade", "mine/a-index", path, *options)
    assert (said.status, said.out) == (USAGE, "")
    assert says in said.err


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"row * 33 + col\xff", "is not UTF-8 at byte 14"),
        (b"\xff\xfer\0o\0w\0", "is not UTF-8 at byte 0"),
        (b"x" * 1_000_001, "is larger than 1,000,000 bytes"),
        (b"\xff" * 1_000_001, "is larger than 1,000,000 bytes"),
    ],
    ids=["latin", "UTF-16", "too large", "too large and not UTF-8"],
)
def test_what_is_no_text_of_a_function(data, says, hand_in):
    said = hand_in(data)
    assert (said.status, said.out) == (USAGE, "")
    assert says in said.err
    assert said.err.count("\n") == 2  # what happened, and what to do


def test_a_file_of_the_largest_size_is_read_and_refused_by_the_grader(hand_in):
    said = hand_in(b"x" * 1_000_000)
    assert said.status == FINDINGS
    assert "the source has 1,000,000 characters" in said.out


def test_a_byte_order_mark_is_no_part_of_the_text(hand_in):
    """Editors on Windows write it."""
    assert hand_in(b"\xef\xbb\xbf" + SOLUTION.encode()).status == OK


def test_line_ends_of_windows(hand_in):
    assert hand_in(SOLUTION.replace("\n", "\r\n")).status == OK


@pytest.mark.parametrize("name", ["a-trace", "a-number", "mine/a-recall"])
def test_another_kind_has_no_submissions(name, hand_in):
    said = hand_in(SOLUTION, name=name)
    assert (said.status, said.out) == (USAGE, "")
    assert "and has no submissions" in said.err
    assert "index, kernel, spot" in said.err


def test_no_such_question(hand_in):
    said = hand_in(SOLUTION, name="mine/a-indx")
    assert (said.status, said.out) == (USAGE, "")
    assert "did you mean 'mine/a-index'" in said.err


def test_a_question_with_an_error_is_not_there(hand_in, content):
    content.write_text(question("index", tile="{rows: 1024, columns: 1024}"))
    said = hand_in(SOLUTION)
    assert (said.status, said.out) == (USAGE, "")


def test_too_many(inside):
    assert inside("grade", "mine/a-index", "a", "b").status == USAGE


def test_without_a_question_the_exercises_are_listed(inside):
    said = inside("grade")
    assert (said.status, said.err) == (OK, "")
    assert "mine/a-index" in said.out
    listed = json.loads(inside("grade", "--json").out)["exercises"]
    asked = {"id": "mine/a-index", "kind": "index", "topic": "banks", "difficulty": 2}
    assert asked in listed
    assert {one["kind"] for one in listed} == {"index", "kernel", "spot"}
    inside("config", "language", "zh")
    assert re.search("mine/a-index +布局", inside("grade").out)


def test_without_a_file_the_exercise_is_told(inside):
    said = inside("grade", "mine/a-index")
    assert said.status == OK
    assert "Place a tile of 32×32." in said.out
    assert "row * 32 + col" in said.out
    assert "quiz grade mine/a-index FILE --watch" in said.err


# Hostile content


@pytest.mark.parametrize(
    "source",
    [
        "def index(row, col):\n    while True: pass",
        "def index(row, col):\n    return 9**9**9",
        "import os\nos.system('touch mark')\ndef index(row, col): return 0",
        "def index(row, col):\n    return __import__('os').system('touch mark')",
        "row \x1b[2J\x1b]0;title\x07 col",
        "def \x1b[31mindex(row, col): return 0",
        "row \x9b31m col",
        "\0" * 100,
        "(" * 900_000,
        "-" * 7_999 + "0",
        "{row} {0} {n} %s",
        "row\u202ecol",
    ],
    ids=["loop", "power", "import", "call", "screen", "colour", "C1", "NUL", "brackets", "signs",
         "fields", "right to left"],
)  # fmt: skip
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_hostile_content_fails_at_a_gate_and_does_nothing(source, options, hand_in, tmp_path):
    said = hand_in(source, *options)
    assert (said.status, said.err) == (FINDINGS, "")
    assert not (tmp_path / "mark").exists()
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", said.out)


def test_the_c1_controls_are_escaped_too(hand_in):
    """0x9b begins a control sequence on some terminals, as ESC [ does on all."""
    assert "\x9b" not in hand_in("row \x9b31m col").out


def test_a_terminal_without_the_signs(quiz, tmp_path):
    (tmp_path / "mine.py").write_text(CONFLICT)
    done = quiz("grade", "mine/a-index", "mine.py", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (FINDINGS, "")
    assert "column load: 32 wavefronts, 1 allowed" in done.stdout


# Watching


def until(stream, text: str) -> list[str]:
    """Lines up to the one that holds the text."""
    seen = []
    while text not in (line := stream.readline()):
        assert line, f"ended before {text!r}: {seen}"
        seen.append(line)
    return [*seen, line]


def save(path: Path, text: str) -> None:
    """As editors do: a new file in the place of the old."""
    beside = path.with_suffix(".new")
    beside.write_text(text)
    beside.replace(path)


def test_watching_grades_each_save_until_it_is_interrupted(quiz: Program, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("row +")
    with quiz.start("grade", "mine/a-index", "mine.py", "--watch") as program:
        assert "Watching mine.py; Ctrl-C ends." in until(program.stderr, "Watching")[-1]
        until(program.stdout, "✗ not understood")
        save(path, CONFLICT)
        until(program.stdout, "✗ column load: 32 wavefronts")
        path.unlink()  # gone for a moment
        save(path, SOLUTION)
        until(program.stdout, "✓ every check passed")
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=30)
    assert program.returncode == INTERRUPTED
    assert "Traceback" not in err
    assert "not understood" not in out


def test_watching_prints_one_document_after_the_other(quiz: Program, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(CONFLICT)
    with quiz.start("grade", "mine/a-index", "mine.py", "--watch", "--json") as program:
        first = "".join(read_document(program))
        save(path, SOLUTION)
        second = "".join(read_document(program))
        program.send_signal(signal.SIGINT)
        rest, _ = program.communicate(timeout=30)
    assert (json.loads(first)["passed"], json.loads(second)["passed"]) == (False, True)
    assert rest == ""


def read_document(program: subprocess.Popen[str]) -> list[str]:
    """One document: up to the brace at the line's beginning."""
    seen = []
    while (line := program.stdout.readline()) != "}\n":
        assert line
        seen.append(line)
    return [*seen, line]


def test_watching_goes_on_over_what_is_no_text(quiz: Program, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(CONFLICT)
    with quiz.start("grade", "mine/a-index", "mine.py", "--watch") as program:
        until(program.stdout, "column load: 32")
        path.write_bytes(b"\xff\xfe")
        path.unlink()
        path.mkdir()
        path.rmdir()
        save(path, SOLUTION)
        until(program.stdout, "✓ every check passed")
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=30)
    assert program.returncode == INTERRUPTED


def test_the_sample_is_a_good_exercise(inside, content):
    content.write_text(INDEX)
    assert inside("lint", content).status == OK
