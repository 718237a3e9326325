"""Kernel and spot questions in their languages: what stands where Python's code would."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import convert
from msgspec.structs import replace

from quizapp.deck.deck import load
from quizapp.domain.languages import language_of, language_of_code, languages_of, put_in
from quizapp.domain.question import CudaSpot, Kernel, Spot, code_language
from tests.deck.tools import (
    CUDA_FILES,
    KERNEL,
    KERNEL_FILES,
    NUMBER,
    SPOT,
    add_cuda,
    kernel_folder,
    question,
    write,
)

OWN = """{hints: [{en: In C++., zh: 用 C++。}], speedup: {GPU: 2.0},
    counts: [{counter: global_requests, most: 7}]}"""


@dataclass
class Root:
    """A folder of packs."""

    folder: Path

    def read(self, name: str):
        return load([str(self.folder)], str(self.folder / "cache" / "deck")).question(
            f"pack/{name}"
        )


@pytest.fixture
def root(tmp_path):
    return Root(tmp_path)


def test_other_kinds_have_no_language(root):
    write(root.folder, "pack/a.yaml", NUMBER)
    number = root.read("a-number")
    assert languages_of(number) == ()
    assert put_in(number, "cuda") is number
    assert language_of(number) == "python"


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("def index(row, col):\n    return row", "python"),
        ("    def inner():\n", "python"),
        ("1 @cuda.jit\n2 def copy(a, b):\n", "python"),
        ("#ifdef FAST\nint f();\n#endif", "cuda"),
        ("  typedef float T;\n", "cuda"),
        ("#undef N\nrow * 32 + col", "cuda"),
    ],
)
def test_code_alone_shows_its_language_by_its_definitions(code, language):
    assert code_language(code) == language


def test_a_half_written_kernel_is_in_its_questions_language(root):
    add_cuda(kernel_folder(root.folder))
    deck = root.read("a-kernel")
    assert language_of_code(put_in(deck, "python"), "@cuda.jit\n") == "python"
    assert language_of_code(put_in(deck, "cuda"), "// no def yet\n") == "cuda"


def test_a_starter_makes_a_language(root):
    folder = kernel_folder(root.folder)
    assert languages_of(root.read("a-kernel")) == ("python",)
    add_cuda(folder, "solution.cu")
    assert languages_of(root.read("a-kernel")) == ("python",)
    add_cuda(folder)
    assert languages_of(root.read("a-kernel")) == ("python", "cuda")


def test_each_language_has_its_code_and_sees_the_other_solution(root):
    add_cuda(kernel_folder(root.folder))
    deck = root.read("a-kernel")
    python, cuda = put_in(deck, "python"), put_in(deck, "cuda")
    assert (python.language, python.solution) == ("python", KERNEL_FILES["solution.py"])
    assert (cuda.language, cuda.starter) == ("cuda", CUDA_FILES["starter.cu"])
    assert cuda.solution == CUDA_FILES["solution.cu"]
    assert (python.twin.language, python.twin.solution) == ("cuda", cuda.solution)
    assert (cuda.twin.language, cuda.twin.solution) == ("python", python.solution)
    assert [wrong.file for wrong in python.wrong] == ["no-guard", "reads-twice"]
    assert [wrong.file for wrong in cuda.wrong] == ["no-guard"]
    assert cuda.wrong[0].source == CUDA_FILES["wrong/no-guard.cu"]


def test_what_differs_in_cuda_replaces_what_is_shared(root):
    gpu = "{shape: {n: 4096}, speedup: {GPU: 1.5}}"
    folder = kernel_folder(
        root.folder, question("kernel", cuda=OWN, gpu=gpu), baseline=KERNEL_FILES["solution.py"]
    )
    add_cuda(folder)
    write(folder, "baseline.cu", CUDA_FILES["solution.cu"])
    deck = root.read("a-kernel")
    python, cuda = put_in(deck, "python"), put_in(deck, "cuda")
    assert [hint.en for hint in cuda.hints] == ["In C++."]
    assert [hint.en for hint in python.hints] != ["In C++."]
    assert [(limit.counter, limit.most) for limit in cuda.counts] == [("global_requests", 7)]
    assert (python.gpu.speedup, cuda.gpu.speedup) == ({"GPU": 1.5}, {"GPU": 2.0})
    assert cuda.gpu.baseline == CUDA_FILES["solution.cu"]
    assert cuda.twin.baseline == python.gpu.baseline


def test_a_question_with_one_language_is_put_in_that(root):
    files = dict.fromkeys(("starter", "solution", "wrong_no_guard", "wrong_reads_twice"))
    folder = kernel_folder(root.folder, KERNEL.partition("    - file: reads")[0], **files)
    add_cuda(folder)
    deck = root.read("a-kernel")
    assert languages_of(deck) == ("cuda",)
    found = put_in(deck, "python")
    assert isinstance(found, Kernel)
    assert found.language == "cuda"
    assert found.twin is None


def test_a_spot_has_its_code_and_its_words(root):
    write(root.folder, "pack/a.yaml", SPOT)
    plain = root.read("a-spot")
    assert isinstance(plain, Spot)
    assert put_in(plain, "cuda") is plain
    both = replace(plain, cuda=convert({"code": "int x;", "explanation": "Why."}, CudaSpot))
    found = put_in(both, "cuda")
    assert (found.code, found.cause, found.explanation) == ("int x;", (), "Why.")
    assert found.prompt == plain.prompt
    assert put_in(both, "python") is both
