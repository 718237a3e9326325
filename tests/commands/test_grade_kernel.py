"""`quiz grade` with kernels and with faults to be found: words, JSON, statuses, bad input."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from textwrap import dedent

import pytest

from quizapp.domain.errors import FINDINGS, INTERRUPTED, OK, USAGE
from quizapp.domain.kernel import SPOTTABLE
from tests.commands.program import Program
from tests.deck.tools import write

QUESTION = """
id: double
kind: kernel
topic: banks
concept: doubling
difficulty: 1
prompt: Double every element.
explanation: One element a thread.
sources: [ours]
kernel: double
arguments:
  - {name: a, dtype: float32, shape: [n]}
  - {name: out, dtype: float32, shape: [n], role: output}
shapes: [{n: 256}, {n: 77}]
launch: {grid: [ceil(n / 64)], block: [64]}
counts:
  - {counter: global_sectors, most: 8 * ceil(n / 32)}
  - {counter: shared_conflicts, most: 0}
wrong:
  - {file: unguarded, fails: "findings: out-of-bounds", why: The last block has too many threads.}
"""
HEAD = "from numba import cuda, float32\n\n\n@cuda.jit\ndef double(a, out):\n"
SOLUTION = HEAD + "    i = cuda.grid(1)\n    if i < a.size:\n        out[i] = float32(2) * a[i]\n"
UNGUARDED = HEAD + "    i = cuda.grid(1)\n    out[i] = float32(2) * a[i]\n"
FILES = {
    "starter": HEAD + "    i = cuda.grid(1)\n",
    "solution": SOLUTION,
    "reference": "def reference(a):\n    return 2 * a\n",
    "wrong/unguarded": UNGUARDED,
}
LARGE = "    b = cuda.{}.array(3_000_000_000, float32)\n    b[0] = 1\n"
RACE = """
    # Through a tile, without waiting.
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < a.size:
        tile[t] = a[i]
    if i < a.size:
        out[i] = float32(2) * tile[t]
        tile[63 - t] = float32(0)
"""
SPOT = """
- id: look
  kind: spot
  topic: banks
  concept: guards
  difficulty: 1
  prompt: Doubles n elements.
  explanation: No guard.
  sources: [ours]
  code: |
    @cuda.jit
    def double({{name}}, out):
        i = cuda.grid(1)
        out[i] = {{name}}[i] + {{name}}[i]
  draw: {name: [a, b]}
  shape: {n: 100}
  arguments:
    - {name: a, dtype: float32, shape: [n]}
    - {name: out, dtype: float32, shape: [n], role: output}
  launch: {grid: [2], block: [64]}
"""


@pytest.fixture(autouse=True)
def content(home) -> Path:
    """Exercises of one's own; shipped ones change."""
    write(home / "content", "mine/spots.yaml", SPOT)
    for name, text in FILES.items():
        write(home / "content", f"mine/double/{name}.py", text)
    return write(home / "content", "mine/double/question.yaml", QUESTION)


@pytest.fixture
def hand_in(inside, tmp_path):
    """Grade a text as the kernel's submission."""

    def call(source: str | bytes, *options: str):
        path = tmp_path / "mine.py"
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        return inside("grade", "mine/double", path, *options)

    return call


def test_what_passes_says_at_how_many_shapes_and_every_limit(hand_in):
    said = hand_in(SOLUTION)
    assert (said.status, said.err) == (OK, "")
    assert "✓ right at 2 shapes (333 elements), no bug found" in said.out
    assert "✓ global sectors: 64 (at most 64)" in said.out
    assert re.search(r"8 +out\[i\] = float32\(2\) \* a\[i\] +64 +100%", said.out)


def test_a_known_mistake_says_where_what_and_why(hand_in):
    said = hand_in(UNGUARDED)
    assert said.status == FINDINGS
    assert said.out.startswith("✗ out of bounds · line 7\n  index 77 is out of bounds: ")
    assert said.out.count("the shape of out is (77,)") == 1
    assert "The last block has too many threads." in said.out


def test_a_race_names_both_lines_and_both_threads(hand_in):
    said = hand_in(HEAD + dedent(RACE).replace("\n", "\n    "))
    assert said.status == FINDINGS
    assert "✗ race in shared memory" in said.out
    assert re.search(r"tile\[\d+\] by thread \(\d+, 0, 0\) and its", said.out)


def test_wrong_values_stand_in_a_table_with_who_wrote_them(hand_in):
    said = hand_in(SOLUTION.replace("float32(2)", "float32(3)").replace("a.size", "a.size - 1"))
    assert said.status == FINDINGS
    assert "256 of 256 elements are wrong for n = 256" in said.out
    assert re.search(r"out\[0\] .*thread 0, block 0, line 8", said.out)


def test_as_json_it_is_one_document_with_promised_keys(hand_in):
    said = hand_in(UNGUARDED, "--json")
    plain = json.loads(said.out)
    assert (said.status, said.err) == (FINDINGS, "")
    assert list(plain)[:4] == ["format", "question", "passed", "ran"]
    assert list(plain)[4:] == ["gates", "runs", "worst", "mistake", "gpu", "compiled"]
    states = {gate["name"]: gate["state"] for gate in plain["gates"]}
    assert states == {
        "source": "passed", "runs": "passed", "result": "passed", "findings": "failed",
        "counts": "not reached",
    }  # fmt: skip
    assert [run["shape"] for run in plain["runs"]] == [{"n": 256}, {"n": 77}]
    assert [run["error"] for run in plain["runs"]] == [0.0, 0.0]
    assert plain["runs"][1]["findings"][0]["kind"] == "out-of-bounds"
    assert plain["mistake"] == "The last block has too many threads."


def test_nothing_that_was_never_computed_stands_in_the_json(hand_in):
    """NaN and infinity are no JSON."""
    said = hand_in(HEAD + "    return\n", "--json")

    def refuse(word):
        raise AssertionError(word)

    assert json.loads(said.out, parse_constant=refuse)["passed"] is False


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("", "there is no function"),
        ("def double(a, out:\n", "'(' was never closed"),
        ("x = 1\n", "there is no function"),
        (SOLUTION + SOLUTION.replace("double", "triple"), "two kernels"),
        (SOLUTION + SOLUTION, "defined twice"),
        (SOLUTION.replace("a, out", "a, b, out"), "takes 3 arguments, not 2"),
        (SOLUTION.replace("a, out", "*a"), "more than plain arguments"),
        (SOLUTION.replace("i =", "i\0 ="), "a NUL byte"),
        (SOLUTION + "#" * 300_000, "characters; the limit"),
        (HEAD + "    while True:\n        pass\n", "operation budget exceeded"),
        (HEAD + LARGE.format("shared"), "arrays take 12,000,000,000 bytes"),
        (HEAD + LARGE.format("local"), "arrays take 768,000,000,000 bytes"),
        (HEAD + "    open('written', 'w')\n", "open"),
        ("import os\nos.mkdir('made')\n" + SOLUTION, "os cannot be imported here"),
        (SOLUTION.replace("cuda.grid(1)", "cuda.gird(1)"), "gird"),
    ],
)
def test_bad_input_has_a_sentence_and_nothing_else_happens(source, what, hand_in, tmp_path):
    said = hand_in(source)
    assert said.status == FINDINGS
    assert what in said.out
    assert "Traceback" not in said.out + said.err
    assert {path.name for path in tmp_path.iterdir()} == {"home", "mine.py"}


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"\xff\xfe" + SOLUTION.encode("utf-16-le"), "UTF-8"), (b"#" * 1_100_000, "larger than")],
)
def test_a_file_that_is_no_text_is_refused(data, what, hand_in):
    said = hand_in(data)
    assert (said.status, said.out) == (USAGE, "")
    assert what in said.err


def test_watching_grades_each_save(quiz: Program, content, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(UNGUARDED)
    with quiz.start("grade", "mine/double", path, "--watch") as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        path.write_text(SOLUTION)
        while "✓ right" not in (line := child.stdout.readline()):
            assert line
        child.send_signal(signal.SIGINT)
        child.stdout.read()
        assert child.wait() == INTERRUPTED
    assert "✗ out of bounds" in first


# Faults to be found


def test_a_fault_is_told_with_its_code(inside):
    said = inside("grade", "mine/look")
    assert said.status == OK
    assert "Doubles n elements." in said.out
    assert re.search(r"4 +out\[i\] = [ab]\[i\]", said.out)
    assert "--line N --fault FAULT" in said.err


@pytest.mark.parametrize(
    ("line", "fault", "status"),
    [(4, "out-of-bounds", OK), (3, "out-of-bounds", FINDINGS), (4, "race", FINDINGS)],
)
def test_a_fault_is_right_by_line_and_kind(line, fault, status, inside):
    said = inside("grade", "mine/look", "--line", str(line), "--fault", fault)
    assert said.status == status
    assert "out of bounds · line 4" in said.out


def test_the_line_of_the_cause_is_right_too(home, inside):
    write(home / "content", "mine/spots.yaml", SPOT + "  cause: [cuda.grid]\n")
    said = inside("grade", "mine/look", "--line", "3", "--fault", "out-of-bounds")
    assert said.status == OK
    assert said.out.startswith("✓ right")
    assert "Line 3 causes it; the emulator reports it in line 4." in said.out


@pytest.mark.parametrize("kind", SPOTTABLE)
def test_the_help_names_every_kind_of_fault(kind, inside):
    assert re.search(rf"\b{kind}\b", inside("grade", "--help").out)


def test_a_fault_as_json(inside):
    said = inside("grade", "mine/look", "--line", "4", "--fault", "race", "--json")
    plain = json.loads(said.out)
    assert (said.status, plain["passed"]) == (FINDINGS, False)
    assert plain["places"] == [{"line": 4, "fault": "out-of-bounds"}]


def test_another_review_draws_anew(inside):
    told = {inside("grade", "mine/look", "--review", str(i)).out for i in range(2)}
    assert len(told) == 2


@pytest.mark.parametrize(
    "options",
    [["--line", "4"], ["--fault", "race"], ["--line", "4", "--fault", "rase"], ["mine.py"]],
)
def test_half_an_answer_is_no_answer(options, inside):
    said = inside("grade", "mine/look", *options)
    assert (said.status, said.out) == (USAGE, "")


def test_a_search_is_for_layouts(hand_in):
    said = hand_in(SOLUTION, "--search")
    assert (said.status, said.out) == (USAGE, "")


CUDA = """\
extern "C" __global__ void double_it(const float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * b[i];
}
"""


@pytest.mark.parametrize(
    ("ending", "text", "shown"),
    [
        (
            "py",
            SOLUTION.replace("2) * a", "2) * b"),
            ["    out[i] = float32(2) * b[i]", " " * 26 + "^"],
        ),
        ("cu", CUDA, ["    if (i < n) out[i] = 2 * b[i];", " " * 28 + "^"]),
    ],
)
def test_what_is_not_accepted_is_shown_with_a_caret(ending, text, shown, inside, home):
    write(home / "content", "mine/double/solution.cu", CUDA.replace("b[i]", "a[i]"))
    write(home / "content", "mine/double/starter.cu", CUDA.replace("2 * b[i]", "0"))
    path = home / f"mine.{ending}"
    path.write_text(text, "utf-8")
    said = inside("grade", "mine/double", path)
    assert said.status == FINDINGS
    assert "✗ not accepted · line" in said.out
    lines = said.out.splitlines()
    at = lines.index(shown[0])
    assert lines[at + 1] == shown[1]


def test_an_exercise_says_how_to_submit_it_in_each_language(inside, home):
    alone = inside("grade", "mine/double").err
    assert "quiz grade mine/double FILE.py --watch" in alone
    assert "CUDA" not in alone
    write(home / "content", "mine/double/solution.cu", CUDA.replace("b[i]", "a[i]"))
    write(home / "content", "mine/double/starter.cu", CUDA.replace("2 * b[i]", "0"))
    both = inside("grade", "mine/double").err
    assert "In CUDA C++: a file that ends in .cu; quiz grade mine/double --language cuda" in both
    cuda = inside("grade", "mine/double", "--language", "cuda")
    assert "quiz grade mine/double FILE.cu --watch" in cuda.err
    assert "In Numba: a file that ends in .py" in cuda.err
    assert "__global__" in cuda.out
