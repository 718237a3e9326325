"""What is said to be measured rests on a recorded figure (tests/data/h200_claims.csv), and says it.

`python -m bench.gpu.claims run` finds the figures on a GPU; tests/data/measured says which text
rests on which. docs/measured.md says how both come about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from bench.gpu.claims.checks import summarize
from bench.gpu.claims.figures import Figure, load
from bench.gpu.claims.programs import accesses, short
from bench.gpu.claims.replay import random_rows, recording
from bench.gpu.claims.said import Said, compare, count, sayings, table
from bench.gpu.claims.sentences import CONTENT, Question, questions
from bench.gpu.claims.tools import Said as Ran
from bench.gpu.claims.tools import ToolFailed, call, find_program
from bench.gpu.cuda.recorded import load as cuda_rows
from tests.tables import each

ROOT = Path(__file__).parents[1]
QUESTIONS = {one.id: one for one in questions()}
SAID = sayings()
FIGURES = load()
NOT_MEASURED = {
    "branch-that-does-not-compile",
    "bytes-of-a-closure",
    "callable-for-a-kernel",
    "calls-after-an-illegal-address",
    "device-function-in-another-file",
    "failure-inside-a-kernel",
    "flag-between-host-and-kernel",
    "four-floats-without-align",
    "half-product-stored-as-float",
    "index-that-needs-local-memory",
    "interview-check-cuda-calls",
    "interview-function-specifiers",
    "interview-kernel-from-python",
    "interview-memory-orders",
    "interview-virtual-functions",
    "interview-what-cuda-is",
    "interview-what-restrict-promises",
    "kernel-row-argmax",
    "kernel-template-without-its-body",
    "lambda-that-captures-this",
    "launch-wider-than-its-bounds",
    "limit-of-kernel-parameters",
    "loads-without-restrict",
    "loop-limit-behind-a-pointer",
    "overflow-test-that-vanishes",
    "reads-that-no-tool-saw",
    "reference-parameter-of-a-kernel",
    "scenario-warp-that-never-arrives",
    "shuffle-of-a-struct",
    "size-of-a-particle",
    "spot-histogram-of-char",
    "volatile-in-the-last-warp",
    "which-call-compiles",
    "which-load-is-read-only",
    "widen-before-multiplying",
}
"""Questions that use the words for something else: what compilers write, or a tool to use."""
NEAR = 0.05
"""Of a ratio: two runs on one device."""
NUMBER = r"\d+(?:\.\d+)?"
SCALES = {"": 1, "million": 10**6, "万": 10**4}


@each("row", list(compare(SAID, FIGURES)), ids=lambda row: row.said.where)
def test_a_text_says_what_was_found(row):
    assert row.agree, f"{row.said.key}: found {row.found or 'nothing'}, said {row.said.says}"


def test_every_question_that_was_measured_rests_on_a_figure():
    rows = by_place()
    missing = {one.id for one in QUESTIONS.values() if one.measured and one.id not in rows}
    assert missing == NOT_MEASURED


def test_every_sentence_that_says_measured_holds_the_words_of_a_figure():
    rows = by_place()
    bare = [
        (one.id, language, sentence)
        for one in QUESTIONS.values()
        if one.id not in NOT_MEASURED
        for language, sentence in one.sentences()
        if not any(words and words in sentence for words in read_sentences(rows[one.id], language))
    ]
    assert bare == []


@each("row", [one for one in SAID if one.en], ids=lambda one: one.where)
def test_the_words_of_a_figure_stand_in_both_languages(row):
    english, chinese = prose(row.where)
    assert row.en in english
    assert says(row.en, row.says)
    if chinese:
        assert row.zh
        assert row.zh in chinese
        assert says(row.zh, row.says)


def test_every_row_of_the_checked_claims_that_was_measured_rests_on_a_figure():
    lines = (ROOT / "docs" / "claims.md").read_text("utf-8").splitlines()
    cells = [line.split("|") for line in lines if re.match(r"\| \d+ \|", line)]
    measured = {f"docs/claims.md {row[1].strip()}" for row in cells if "measured" in row[4]}
    assert measured <= {one.where for one in SAID}


def test_the_document_says_what_each_experiment_finds():
    document = (ROOT / "docs" / "measured.md").read_text("utf-8")
    experiments, _, _ = document.partition("## Results")
    told = set(re.findall(r"^\| `(\w+)` \|", experiments, re.MULTILINE))
    assert {one.experiment for one in FIGURES.values()} - {"machine"} <= told


def test_how_many_texts_and_figures_rest_on_each_experiment():
    one = Said("a question", "atomics | case | what", "", "1", "", "")
    rows = compare([one, replace(one, key="latency | 1-way | cycles"), one], {})
    assert list(count(rows)) == [
        "atomics               2 figures in 1 text",
        "latency                1 figure in 1 text",
    ]


def test_the_table_of_speeds_says_what_was_found():
    _, _, speeds_table = (
        (ROOT / "docs" / "gpu.md").read_text("utf-8").partition("| speedup over the baseline |")
    )
    lines = speeds_table.partition("\n\n")[0].splitlines()
    rows = [line.split(" | ") for line in lines if line.startswith("| kernel-")]
    shown = {row[0].removeprefix("| "): float(row[2].split()[0]) for row in rows}
    assert shown
    assert shown == pytest.approx({name: speeds()[name] for name in shown}, rel=NEAR)


def test_gates_stand_below_what_was_found():
    gates = {
        one["id"]: one["gpu"]["speedup"]["NVIDIA H200"]
        for one in map(read, sorted(CONTENT.glob("*/kernels/*/question.yaml")))
        if "NVIDIA H200" in one.get("gpu", {}).get("speedup", {})
    }
    fast = speeds()
    assert gates
    assert {name: gate for name, gate in gates.items() if gate > (1 - NEAR) * fast[name]} == {}


def test_gates_in_cuda_stand_below_what_was_found():
    """Each against its own baseline, which ran in the same way."""
    took = {(row.question, row.file): row.cuda_ms for row in cuda_rows()}
    gates = {
        one["id"]: one["cuda"]["speedup"]["NVIDIA H200"]
        for one in map(read, sorted(CONTENT.glob("*/kernels/*/question.yaml")))
        if "speedup" in one.get("cuda", {})
    }
    assert len(gates) > 20
    for name, gate in gates.items():
        solution, baseline = (float(took[name, f"{file}.cu"]) for file in ("solution", "baseline"))
        assert gate <= (1 - NEAR) * baseline / solution, name


def test_a_sentence_without_a_figure_is_found_in_both_languages():
    texts = (
        ("en", "It is fast. Measured on an H200, it takes 3 ms."),
        ("zh", "很快。H200 实测为 3 ms。"),
    )
    question = Question("new", texts)
    assert question.measured
    assert list(question.sentences()) == [
        ("en", "Measured on an H200, it takes 3 ms."),
        ("zh", "H200 实测为 3 ms。"),
    ]
    assert not Question("other", (("en", "Computed. It takes 32 wavefronts."),)).measured


@pytest.mark.parametrize(
    ("figure", "says", "agree"),
    [
        (Figure("e", "c", "w", "63488"), "63488", True),
        (Figure("e", "c", "w", "63489"), "63488", False),
        (Figure("e", "c", "w", "1.19", "ms"), "1.16", True),
        (Figure("e", "c", "w", "1.21", "ms"), "1.16", False),
        (Figure("e", "other", "w", "63488"), "63488", False),
    ],
)
def test_counts_are_equal_and_times_are_near(figure, says, agree):
    (row,) = compare([Said("q", "e | c | w", "", says, "", "")], {figure.key: figure})
    assert row.agree is agree
    assert next(iter(table([row]))).startswith("agree" if agree else "DIFFER")


@pytest.mark.parametrize(
    ("words", "figure", "there"),
    [
        ("63,488 conflicts on an H200", "63488", True),
        ("27 % slower", "1.27", True),
        ("2.26 million", "2260000", True),
        ("226 万次", "2260000", True),
        ("1.162 ms", "1.161", False),
        ("measured on an H200", "32", True),  # no number that could be another
    ],
)
def test_whether_words_hold_a_figure(words, figure, there):
    assert says(words, figure) is there


def test_what_is_read_of_a_profiler_and_of_machine_code():
    assert short("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") == "load wavefronts"
    assert short("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum") == "store conflicts"
    assert short("smsp__inst_executed_op_shared_atom.sum") == "atomic instructions"
    code = """
        /*0250*/                   LDS.128 R4, [R16+UR4] ;
        /*0260*/                   LDS R12, [R17+0x80] ;
        /*0270*/                   ATOMS.POPC.INC.32 RZ, [R0+URZ] ;
        /*0280*/                   LDS R13, [R17] ;
        /*0290*/              @!PT LDS RZ, [RZ] ;
    """
    assert accesses(code) == "1 ATOMS.POPC.INC.32, 2 LDS, 1 LDS.128"


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        ("", "status 1, no summary"),
        ("========= ERROR SUMMARY: 0 errors", "0 errors"),
        (
            (
                "========= Invalid __shared__ read of size 4 bytes\n========= at f(int *)+0x10\n"
                "========= ERROR SUMMARY: 2 errors"
            ),
            "2 errors; Invalid __shared__ read of size 4 bytes",
        ),
        (
            (
                "========= Error: Race reported between Write access at f(int *)+0x30\n"
                "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"
            ),
            "1 hazard displayed (1 error, 0 warnings); Race reported between Write access",
        ),
    ],
)
def test_what_a_sanitizer_sums_up(said, summary):
    assert summarize(Ran(1, said, "")) == summary


def read(path):
    return yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)


def speeds():
    """By question how many times as fast as its baseline the solution was."""
    found = {
        row.question: float(row.baseline_ms) / float(row.numba_ms)
        for row in cuda_rows()
        if row.file == "solution.cu" and row.baseline_ms
    }
    for one in FIGURES.values():
        if one.what == "times the baseline":
            found[one.case] = float(one.value)
    return found


def test_the_instructions_that_were_drawn_are_drawn_again_from_the_same_seed():
    recorded = recording(ROOT / "tests" / "data" / "h200_drawn.csv")
    assert [clear_measurements(row) for row in recorded] == [
        clear_measurements(row) for row in random_rows()
    ]


def clear_measurements(row):
    return replace(row, wavefronts=-1, conflicts=-1)


def test_how_a_program_ended():
    assert call(["sleep", "60"], 0.1).status == -1
    assert call(["sh", "-c", "echo error >&2; exit 3"]) == Ran(3, "", "error\n")
    with pytest.raises(ToolFailed, match="no-such-tool was not found"):
        find_program("no-such-tool")


def by_place():
    rows = defaultdict(list)
    for one in SAID:
        rows[one.where].append(one)
    return rows


def read_sentences(rows, language):
    return [getattr(row, language) for row in rows]


def says(words, figure):
    """Whether words with numbers hold the figure's, as such or as so many per cent more."""
    written = re.findall(rf"(?<![\w.])({NUMBER})\s*(million|万)?", words.replace(",", ""))
    numbers = {round(float(number) * SCALES[scale], 9) for number, scale in written}
    if not numbers or not re.fullmatch(NUMBER, figure):
        return True
    return bool({float(figure), round(100 * (float(figure) - 1), 9)} & numbers)


def prose(where):
    """What a question says in English and in Chinese; of a document English alone."""
    if where in QUESTIONS:
        question = QUESTIONS[where]
        return question.prose("en"), question.prose("zh")
    path, _, number = where.partition(" ")
    text = (ROOT / path).read_text("utf-8")
    if number:
        text = next(line for line in text.splitlines() if line.startswith(f"| {number} |"))
    return " ".join(text.split()), ""
