"""The Python files beside a kernel question: read into it, and what is wrong with them placed."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quizapp.deck.code_files import LONGEST, code_files
from quizapp.deck.deck import load
from quizapp.deck.linting.lint import lint
from quizapp.deck.problems import ContentProblem
from quizapp.domain.question import CudaKernel, Kernel
from quizapp.system import os_errors
from tests.deck.tools import (
    KERNEL,
    KERNEL_FILES,
    MARK,
    kernel_folder,
    question,
    split_mark,
    write,
)
from tests.sentences import english, sentence
from tests.store.tools import unprivileged

SOLUTION = KERNEL_FILES["solution.py"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "content"


def problems(root: Path) -> tuple[ContentProblem, ...]:
    return lint([], [str(root)]).problems


def read(root: Path) -> Kernel:
    found = load([str(root)], str(root.parent / "deck")).question("pack/a-kernel")
    assert isinstance(found, Kernel)
    return found


# What is read


def test_the_question_has_the_texts_of_its_files(root):
    kernel_folder(root)
    assert problems(root) == ()
    found = read(root)
    assert (found.starter, found.solution, found.reference) == tuple(
        KERNEL_FILES[f"{name}.py"] for name in ("starter", "solution", "reference")
    )
    assert [(one.file, one.source) for one in found.wrong] == [
        (name, KERNEL_FILES[f"wrong/{name}.py"]) for name in ("no-guard", "reads-twice")
    ]


def test_it_may_stand_at_any_depth_and_without_being_a_list(root):
    single = "\n".join(line[2:] for line in KERNEL.splitlines())
    kernel_folder(root, single, path="pack/kernels/of/mine")
    assert problems(root) == ()
    assert read(root).solution == SOLUTION


def test_what_the_yaml_gives_goes_before_a_file(root):
    own = "'def reference(a): return a + a'"
    kernel_folder(root, question("kernel", reference=own), reference="nonsense")
    assert problems(root) == ()
    assert read(root).reference == own.strip("'")


def test_a_byte_order_mark_and_lines_of_windows_are_read(root):
    folder = kernel_folder(root)
    text = SOLUTION.replace("\n", "\r\n").encode("utf-8-sig")
    (folder / "solution.py").write_bytes(text)
    assert problems(root) == ()
    assert read(root).solution == SOLUTION.replace("\n", "\r\n")


def test_a_baseline_is_read_where_there_is_a_part_for_the_gpu(root):
    folder = kernel_folder(root, question("kernel", gpu="{shape: {n: 4096}}"))
    (problem,) = problems(root)
    assert sentence(problem.what) == "there is no baseline.py"
    write(folder, "baseline.py", SOLUTION)
    assert problems(root) == ()
    gpu = read(root).gpu
    assert gpu is not None
    assert gpu.baseline == SOLUTION


@pytest.mark.parametrize("missing", ["baseline.cu", "baseline.py"])
def test_a_timed_question_has_a_baseline_in_each_of_its_languages(root, missing):
    folder = kernel_folder(root, question("kernel", gpu="{shape: {n: 4096}}"))
    for name in ("starter.cu", "solution.cu", "baseline.cu"):
        write(folder, name, CUDA)
    write(folder, "baseline.py", SOLUTION)
    (folder / missing).unlink()
    assert f"there is no {missing}" in [sentence(problem.what) for problem in problems(root)]


CUDA = 'extern "C" __global__ void twice(const float* a, float* out, int n) {}\n'


def test_cuda_beside_a_kernel_is_read_if_it_is_there(root):
    folder = kernel_folder(root)
    assert read(root).cuda is None
    write(folder, "solution.cu", CUDA)
    write(folder, "baseline.cu", CUDA * 2)
    assert problems(root) == ()
    assert read(root).cuda == CudaKernel(solution=CUDA, baseline=CUDA * 2)
    assert code_files(folder)[:2] == ["baseline.cu", "reference.py"]


def test_changed_cuda_is_read_again(root, tmp_path):
    folder, cache = kernel_folder(root), str(tmp_path / "cache")
    load([str(root)], cache)
    write(folder, "solution.cu", CUDA)
    question = load([str(root)], cache).question("pack/a-kernel")
    assert isinstance(question, Kernel)
    assert question.cuda == CudaKernel(solution=CUDA)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "solution.cu"),
        ("// " + "x" * 100_000, "solution.cu"),
        ("// \x1b[31m\n", "steers terminals"),
    ],
    ids=["empty", "too long", "hidden character"],
)
def test_cuda_that_cannot_be_shown_is_a_problem(root, text, said):
    folder = kernel_folder(root)
    write(folder, "solution.cu", text)
    (problem,) = problems(root)
    assert said in sentence(problem.what)


def test_a_link_out_of_the_pack_is_not_read_as_cuda(root, tmp_path):
    folder = kernel_folder(root)
    write(tmp_path, "outside.cu", CUDA)
    (folder / "solution.cu").symlink_to(tmp_path / "outside.cu")
    (problem,) = problems(root)
    assert "solution.cu" in sentence(problem.what)


# What is wrong with them


LISTED = KERNEL.replace("    - file: no-guard", f"    - file: {MARK}no-guard")
WHOLE = KERNEL.replace("- id:", f"{MARK}- id:").replace(f"{MARK}- ", f"- {MARK}")
WRONG = KERNEL.replace("  wrong:\n    - file", f"  wrong:\n    {MARK}- file")


def faulty(root: Path, text: str, *whats: str) -> None:
    """Lint has these problems, the first where the mark is; the rest of the deck goes on."""
    clean, place = split_mark(text)
    write(root, "pack/double/question.yaml", clean)
    write(root, "pack/good.yaml", question("number"))
    report = lint([], [str(root)])
    assert [sentence(problem.what) for problem in report.problems] == [*whats]
    for problem in report.problems:
        assert (problem.line, problem.column) == place
        assert problem.file == str(root / "pack/double/question.yaml")
        assert problem.question == "pack/a-kernel"
        assert english(problem)
    assert report.questions == 1


@pytest.mark.parametrize("name", ["starter", "solution", "reference"])
def test_a_missing_file_is_named_at_the_question(root, name):
    kernel_folder(root, **{name: None})
    faulty(root, WHOLE, f"there is no {name}.py")


def test_all_missing_files_are_named_in_one_run(root):
    write(root, "pack/double/question.yaml", KERNEL)
    whats = [sentence(problem.what) for problem in problems(root)]
    assert whats == [
        "there is no starter.py",
        "there is no solution.py",
        "there is no reference.py",
        "there is no wrong/no-guard.py",
        "there is no wrong/reads-twice.py",
    ]


def test_a_missing_wrong_one_is_named_where_it_is_listed(root):
    kernel_folder(root, wrong_no_guard=None)
    faulty(root, LISTED, "there is no wrong/no-guard.py")


def test_a_wrong_one_that_nobody_lists_is_named(root):
    """Nobody would see that it fails."""
    kernel_folder(root, wrong_other=SOLUTION)
    faulty(root, WRONG, "wrong/other.py is not listed")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "wrong/no-guard.py is empty"),
        (b" \n\t\n", "wrong/no-guard.py is empty"),
        (b"#" * (LONGEST + 1), "wrong/no-guard.py is larger than 100,000 bytes"),
    ],
    ids=["empty", "blank", "too long"],
)
def test_a_file_that_cannot_be_used_is_named(root, data, what):
    folder = kernel_folder(root)
    (folder / "wrong" / "no-guard.py").write_bytes(data)
    faulty(root, LISTED, what)


def test_what_is_not_utf_8_is_named_at_its_place_in_the_file(root):
    folder = kernel_folder(root)
    file = folder / "wrong" / "no-guard.py"
    file.write_bytes(b"def f():\n    \xe4\n")
    (problem,) = problems(root)
    assert (problem.file, problem.line, problem.column) == (str(file), 2, 5)
    assert sentence(problem.what) == "wrong/no-guard.py is not UTF-8 at byte 13"


def test_a_file_of_the_longest_is_read(root):
    folder = kernel_folder(root)
    text = SOLUTION + "#" * (LONGEST - len(SOLUTION))
    (folder / "solution.py").write_text(text)
    assert problems(root) == ()


def test_a_folder_in_place_of_a_file_is_named(root):
    folder = kernel_folder(root, wrong_no_guard=None)
    (folder / "wrong" / "no-guard.py").mkdir()
    faulty(root, LISTED, "wrong/no-guard.py is a folder, not a file")


def test_a_file_that_may_not_be_read_is_named():
    with TemporaryDirectory() as name:  # not tmp_path, which only its owner may enter
        Path(name).chmod(0o755)
        folder = kernel_folder(Path(name))
        (folder / "solution.py").chmod(0)
        os_errors.__doc__  # noqa: B018 - loads what a checkout may keep from others
        with unprivileged():
            found = [sentence(problem.what) for problem in problems(Path(name))]
    assert found == ["solution.py cannot be read: permission denied"]


@pytest.mark.parametrize(
    "name",
    ["../secret", "..", "a/b", "/etc/passwd", '"a\\0b"', '"a\\nb"', "x" * 300, '""', "[a]", "3"],
)
def test_a_name_that_is_none_is_a_problem_and_no_crash(root, name):
    kernel_folder(root, KERNEL.replace("file: no-guard", f"file: {name}"))
    found = problems(root)
    assert found
    assert all(problem.line >= 1 and english(problem) for problem in found)
    assert lint([], [str(root)]).questions == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [("wrong", "3"), ("wrong", "[3, {}]"), ("wrong", "[]"), ("wrong", "{file: a}"), ("gpu", "3"),
     ("starter", "[x]"), ("solution", "3")],
)  # fmt: skip
def test_fields_of_another_form_are_problems_of_those_fields(root, field, value):
    kernel_folder(root, question("kernel", **{field: value}))
    found = problems(root)
    assert found
    assert lint([], [str(root)]).questions == 0


# Where it stands


@pytest.mark.parametrize(
    "name", ["pack/kernels.yaml", "pack/double/kernel.yaml", "pack/question.yml"]
)
def test_a_kernel_outside_of_a_folder_of_its_own_is_told_to_move(root, name):
    kernel_folder(root)
    (root / "pack/double/question.yaml").unlink()
    clean, place = split_mark(KERNEL.replace("kind: kernel", f"kind: {MARK}kernel"))
    write(root, name, question("number") + clean)
    (problem,) = problems(root)
    assert sentence(problem.what) == "a kernel question needs a folder of its own"
    assert "NAME/question.yaml" in english(problem)
    assert (problem.line - question("number").count("\n"), problem.column) == place
    assert lint([], [str(root)]).questions == 1


def test_code_files_beside_other_questions_mean_nothing(root):
    write(root, "pack/question.yaml", question("number"))
    write(root, "pack/wrong/odd.py", "x")
    assert problems(root) == ()


def test_named_by_its_path_it_is_the_same_question(root, monkeypatch):
    folder = kernel_folder(root)
    write(root, "pack/pack.yaml", "title: A pack\n")
    (folder / "starter.py").unlink()
    whole = problems(root)
    assert len(whole) == 1
    assert lint([folder / "question.yaml"], [str(root)]).problems == whole
    monkeypatch.chdir(folder)
    (named,) = lint([Path("question.yaml")], []).problems
    assert sentence(named.what) == sentence(whole[0].what)


def test_what_a_baseline_does_is_told_in_every_language_of_the_pack(root):
    write(root, "pack/pack.yaml", "languages: [en, zh]\n")
    text = question("kernel", gpu="{shape: {n: 4096}, against: one thread an element}")
    kernel_folder(root, text, baseline=SOLUTION)
    (problem,) = problems(root)
    assert sentence(problem.what) == "the text has no Chinese"
    line = (root / "pack/double/question.yaml").read_text("utf-8").splitlines()[problem.line - 1]
    assert line[problem.column - 1 :].startswith("one thread")
