"""`quiz lint`: whatever is given, positions or a sentence, and never a traceback."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from quizapp.deck.linting import proving, proving_inputs
from quizapp.domain.errors import FINDINGS, OK, USAGE
from quizapp.domain.question import Kernel, Spot
from tests.commands.program import BROKEN, ROOT, on_terminal

CONTENT = ROOT / "content"
SHIPPED = CONTENT / "shared-memory"
PUT = "shared-memory/kernel-softmax-online"
"""The kernel whose inputs are proven each time."""


@pytest.mark.long
def test_all_content_is_clean(inside):
    """Every proof of every shipped question: the one test that runs them all, in two minutes."""
    said = inside("lint")
    assert (said.status, said.out) == (OK, "")
    assert said.err.startswith("No problems. ")


def test_content_is_clean(inside, monkeypatch):
    """Every file; of what takes long, a kernel, one of 24 faults, one stage's inputs are proven."""
    prove, try_, seen, tried = proving._prove_emulated, proving_inputs._try, [], []

    def prove_some(item, referee):
        if isinstance(item.question, Kernel | Spot):
            seen.append(type(item.question))
            if seen.count(seen[-1]) % (24 if seen[-1] is Spot else 999) != 1:
                return proving.EmulatorProofs(item.id, ()), []
        return prove(item, referee)

    def try_one(inputs, stage, question, language, referee):
        if (stage.question, language) != (PUT, "cuda"):
            return
        tried.append(stage.question)
        yield from try_(inputs, stage, question, language, referee)

    monkeypatch.setattr(proving, "_prove_emulated", prove_some)
    monkeypatch.setattr(proving_inputs, "_try", try_one)
    said = inside("lint", *(path for path in CONTENT.iterdir() if path.is_dir()))
    assert (said.status, said.out) == (OK, "")
    assert said.err.startswith("No problems. ")
    assert tried == [PUT]


def test_a_problem_is_a_line_with_its_position(inside, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "broken.yaml").write_text(BROKEN)
    said = inside("lint", "mine")
    assert said.status == FINDINGS
    assert said.out == ("mine/broken.yaml:2:9: there is no kind 'choise'; did you mean 'choice'?\n")
    assert said.err == "1 problem in 1 file. 0 questions in 1 file.\n"


def test_all_problems_come_in_one_run(inside, tmp_path):
    (tmp_path / "a.yaml").write_text(BROKEN)
    (tmp_path / "b.yaml").write_text("- id: twice\n  id: twice\n")
    said = inside("lint", "a.yaml", "b.yaml")
    assert [line.split(":")[0] for line in said.out.splitlines()] == ["a.yaml", "b.yaml"]


def test_json(inside, tmp_path):
    (tmp_path / "broken.yaml").write_text(BROKEN)
    said = inside("lint", "broken.yaml", "--json")
    assert (said.status, said.err) == (FINDINGS, "")
    assert json.loads(said.out) == {
        "format": 1,
        "problems": [
            {
                "file": "broken.yaml",
                "line": 2,
                "column": 9,
                "code": "question.unknown-kind",
                "fields": {"kind": "choise"},
                "hint": {"code": "suggest.name", "fields": {"name": "choice"}},
                "question": f"{tmp_path.name}/broken",
            }
        ],
        "questions": 0,
        "files": 1,
        "held_back": {},
        "extras_missing": {},
    }


@pytest.mark.parametrize(
    ("content", "position", "what"),
    [
        (b"- id: a\n  kind: \xff\n", "2:9", "byte 0xff is not UTF-8"),
        (b"- id: a\0b\n", "1:8", "control character U+0000 is not allowed"),
        (b"- id: [\n", "2:1", "a value is missing"),
        (b"a: &x 1\nb: *x\n", "2:4", "an alias"),
        (b"- id: \x1b[31m\n", "1:7", "control character U+001B is not allowed"),
        (b'- id: "\\e[31m"\n  kind: "\\e[31m"\n', "2:9", "there is no kind '\\x1b[31m'"),
    ],
)
def test_what_is_no_yaml_of_ours_has_a_position(content, position, what, inside, tmp_path):
    (tmp_path / "bad.yaml").write_bytes(content)
    said = inside("lint", "bad.yaml")
    assert said.status == FINDINGS
    assert f"bad.yaml:{position}: " in said.out
    assert what in said.out
    assert "\x1b" not in said.out


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("missing.yaml", "there is no file"),
        ("missing\udcff.yaml", "there is no file"),
        ("text.md", "is not a YAML file"),
    ],
)
def test_a_path_that_is_no_question_file(path, what, inside, tmp_path):
    (tmp_path / "text.md").write_text("# Title")
    said = inside("lint", path)
    assert (said.status, said.out) == (USAGE, "")
    assert what in said.err


def test_an_empty_folder_and_an_empty_file_hold_no_problem(inside, tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "empty.yaml").write_text("")
    assert inside("lint", "none").status == OK
    assert inside("lint", "empty.yaml").status == OK


def test_a_name_that_is_no_text_can_be_printed(quiz, tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.yaml")
    path.write_text(BROKEN)
    done = quiz("lint", path, "--json")
    assert done.returncode == FINDINGS
    [problem] = json.loads(done.stdout)["problems"]
    assert problem["file"] == "caf\udce9.yaml"
    assert quiz("lint", path).stdout.startswith("caf\\udce9.yaml:2:9: ")


@pytest.fixture
def kernel(inside) -> Path:
    """The folder of a kernel question of one's own."""
    return Path(inside("new", "kernel").out.strip()).parent


CHEATS = {
    "nothing": "result",
    "zeros": "result",
    "copy of an input": "counts: shared_requests",  # right for a single element
    "first element only": "result",
    "one block only": "result",
}
SHARES = "runs: budget"
"""What does all in one place ends once it can only miss the limit on sharing."""


def test_proofs_are_a_table_with_a_line_a_language_of_a_kernel(inside, kernel):
    said = inside("lint", "--proofs", kernel)
    table, *diffs = said.out.split("\n\n")
    head, *lines, note = table.splitlines()
    serial = ("thread 0 does all", "block 0 does all")
    ends = ("assertion", "trap")
    columns = ["question", "starter", "solution", *CHEATS, *ends, *serial, "known mistakes"]
    assert re.split("  +", head) == columns
    assert note.startswith("–: not derived: ")
    mistakes = "no-barrier: findings: race; not-shared: counts: shared_requests"
    first = ("result", "passes", *CHEATS.values(), "runs: stopped")
    last = ("counts: busiest_thread_percent", SHARES, mistakes)
    assert [re.split("  +", line) for line in lines] == [
        ["mine/new-kernel (Numba)", *first, "–", *last],
        ["mine/new-kernel (CUDA C++)", *first, "runs: stopped", *last],
    ]
    names = ["no-barrier (Numba)", "not-shared (Numba)"]
    names += ["no-barrier (CUDA C++)", "not-shared (CUDA C++)"]
    assert [diff.split(": ")[0] for diff in diffs] == names
    assert "-    cuda.syncthreads()" in diffs[0]
    assert said.status == OK


def test_a_kernel_in_one_language_has_one_line(inside, kernel):
    for path in kernel.rglob("*.cu"):
        path.unlink()
    _, line, _ = inside("lint", "--proofs", kernel).out.split("\n\n")[0].splitlines()
    assert line.startswith("mine/new-kernel (Numba)  result  ")


def test_a_mistake_in_one_language_of_two_says_why(inside, kernel):
    (kernel / "wrong" / "no-barrier.cu").unlink()
    said = inside("lint", kernel)
    assert said.status == FINDINGS
    assert "the question is in both languages, but there is no wrong/no-barrier.cu" in said.out
    question = kernel / "question.yaml"
    text = question.read_text("utf-8")
    reason = "  - file: no-barrier\n    one_language: C++ has no such barrier\n"
    question.write_text(text.replace("  - file: no-barrier\n", reason), "utf-8")
    assert inside("lint", kernel).status == OK


def test_proofs_as_json(inside, kernel):
    plain = json.loads(inside("lint", "--proofs", "--json", kernel).out)
    [proof] = plain["proofs"]
    assert proof["question"] == "mine/new-kernel"
    assert [tuple(one.values()) for one in proof["submissions"]] == [
        row
        for language in ("python", "cuda")
        for row in (
            ("starter", "starter", language, "result", True),
            ("solution", "solution", language, None, True),
            ("wrong", "no-barrier", language, "findings: race", True),
            ("wrong", "not-shared", language, "counts: shared_requests", True),
            *(("cheat", name, language, gate, True) for name, gate in CHEATS.items()),
            ("cheat", "assertion", language, "runs: stopped", True),
            *([("cheat", "trap", language, "runs: stopped", True)] if language == "cuda" else []),
            ("cheat", "block 0 does all", language, SHARES, True),
            ("cheat", "thread 0 does all", language, "counts: busiest_thread_percent", True),
        )
    ]
    assert list(proof["submissions"][0]) == ["role", "name", "language", "gate", "holds"]


@pytest.mark.parametrize(
    ("name", "text", "cell_and_words"),
    [
        ("starter.py", "solution.py", ("✗ passes", "the starter passes already")),
        (
            "starter.py",
            "def reverse(a):",
            ("✗ source", "new-kernel/starter.py:1:1: the starter is not understood"),
        ),
        (
            "solution.py",
            "starter.py",
            ("✗ result", "new-kernel/solution.py:1:1: the solution fails at `result`"),
        ),
        pytest.param(
            "wrong/no-barrier.py",
            "solution.py",
            ("no-barrier: ✗ passes", "py: passes"),
            marks=pytest.mark.long,
        ),
        ("wrong/not-shared.py", "starter.py", ("not-shared: ✗ result", "it must fail at counts")),
        pytest.param(
            "starter.cu",
            "solution.cu",
            ("✗ passes", "the starter passes already"),
            marks=pytest.mark.long,
        ),
        (
            "solution.cu",
            "starter.cu",
            ("✗ result", "new-kernel/solution.cu:1:1: the solution fails at `result`"),
        ),
        ("wrong/no-barrier.cu", "solution.cu", ("no-barrier: ✗ passes", "cu: passes")),
    ],
)
def test_a_proof_that_does_not_hold_has_a_sign_and_is_a_problem(
    name, text, cell_and_words, inside, kernel
):
    cell, words = cell_and_words
    spoilt = f"{text}\n    return\n" if text.endswith(":") else (kernel / text).read_text()
    (kernel / name).write_text(spoilt)
    found = inside("lint", "--proofs", kernel)
    table, *_, last = found.out.split("\n\n")
    _, *lines, _ = table.splitlines()
    problem = last.splitlines()[-1]
    cells = [re.split("  +|; ", line) for line in lines]
    assert [cell in row for row in cells] == [name.endswith(".py"), name.endswith(".cu")]
    assert words in problem
    file = name if f"{name}:1" in words else "question.yaml"
    assert f"{Path('home/content/mine/new-kernel', file)}:" in problem
    assert table.count("✗") == 1


def test_a_proof_that_does_not_hold_is_named_in_json(inside, kernel):
    (kernel / "starter.cu").write_text((kernel / "solution.cu").read_text())
    said = inside("lint", "--proofs", "--json", kernel)
    [proof] = json.loads(said.out)["proofs"]
    [fails] = [one for one in proof["submissions"] if not one["holds"]]
    assert (fails["role"], fails["language"], fails["gate"]) == ("starter", "cuda", None)
    assert said.status == FINDINGS


def test_mutants_are_a_table_and_a_survivor_is_a_problem(inside, kernel):
    """Without a run beyond the listed shapes, a size may be clamped at what they reach."""
    for path in kernel.rglob("*.cu"):
        path.unlink()
    question = kernel / "question.yaml"
    text = question.read_text()
    question.write_text(re.sub("confirm: .*", "confirm: {n: [1, 500]}", text))
    found = inside("lint", "--mutants", kernel)
    assert found.status == FINDINGS
    head, line, *problems = found.out.splitlines()
    assert re.split("  +", head)[1:] == ["mutants", "killed", "excused", "survived", "no verdict"]
    name, made, killed, excused, survived, other = re.split("  +", line)
    assert (name, excused, other) == ("mine/new-kernel", "0", "0")
    assert int(survived) == len(problems) == int(made) - int(killed) == 3
    clamped = "a mutant of the solution passes (extent): -    length = min(SIZE, a.size - start); +"
    assert f"home/content/mine/new-kernel/solution.py:11:1: {clamped}" in found.out
    question.write_text(text)
    clean = inside("lint", "--mutants", "--json", kernel)
    [plain] = json.loads(clean.out)["mutants"]
    assert (clean.status, plain["alive"], plain["survived"]) == (OK, [], 0)
    assert plain["made"] == plain["killed"] == int(made)


def test_a_cheat_that_passes_has_a_sign(inside, kernel):
    path = kernel / "question.yaml"
    path.write_text(re.sub(r"  - \{n: (512|300)\}\n|confirm: .*", "", path.read_text()))
    found = inside("lint", "--proofs", kernel)
    cells = dict(zip(*(re.split("  +", line) for line in found.out.splitlines()[:2]), strict=True))
    assert cells["one block only"] == "✗ passes"
    assert "the cheat `one block only` passes" in found.out


def test_what_cannot_be_graded_has_no_proofs(inside, kernel):
    (kernel / "reference.py").write_text("def reference(a):\n    return 1 / 0\n")
    found = inside("lint", "--proofs", kernel)
    assert "reference.py:2:1: the reference has no answer: ZeroDivisionError" in found.out
    assert "known mistakes" not in found.out
    assert inside("lint", "--proofs", kernel, "--json").status == FINDINGS


def test_without_kernels_there_is_no_table(inside):
    said = inside("lint", "--proofs", SHIPPED / "interview")
    assert (said.status, said.out) == (OK, "")


def test_what_takes_long_says_how_far_it_is_on_a_terminal_alone(quiz):
    """Over one line, which is gone in the end. The dearest kernels, not all: others lint those."""
    names = ("saxpy", "gemm-tiled")
    said = on_terminal(quiz, "lint", *(SHIPPED / "kernels" / name for name in names))
    *lines, end = said.split("\r\x1b[K")
    assert lines[0] == ""
    assert len(lines) > 1
    assert all(re.fullmatch(r"\d+ of \d+: shared-memory/[a-z0-9-]+", line) for line in lines[1:])
    assert re.search(r"\d+ questions in \d+ files\.\s*$", end)


def test_a_part_is_linted_as_part_of_the_whole(inside, tmp_path, monkeypatch):
    """What it refers to is known, from wherever it is named."""
    pack = tmp_path / "packs" / "shared-memory"
    for part in ("pack.yaml", "interview", "gotchas"):  # which refer to each other, and are quick
        there = shutil.copytree if (SHIPPED / part).is_dir() else shutil.copy
        pack.mkdir(parents=True, exist_ok=True)
        there(SHIPPED / part, pack / part)
    for folder in ("packs", "packs/shared-memory", "packs/shared-memory/interview"):
        monkeypatch.chdir(tmp_path / folder)
        said = inside("lint", ".")
        assert (said.status, said.out) == (OK, "")


def test_colour_only_on_a_terminal(quiz, tmp_path):
    (tmp_path / "broken.yaml").write_text(BROKEN)
    assert "\x1b" not in quiz("lint", "broken.yaml", FORCE_COLOR="1").stdout
