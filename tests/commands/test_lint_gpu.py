"""`quiz lint --gpu`: as it is called, on a host whose device is the emulator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.facts import quote
from grader.gpu import GpuFailed
from grader.wire import to_plain
from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, USAGE
from tests.commands.program import ROOT, on_terminal
from tests.deck.tools import KERNEL, KERNEL_FILES, kernel_folder
from tests.grader.gpu.emulated_device import FACTS, NAME
from tests.remote_gpu import HOST, far_gpu

SOLUTION = KERNEL_FILES["solution.py"]
SLOW = SOLUTION.replace("2 * a[i]", "2 * a[i] + a[i * 37 % out.size] - a[i * 37 % out.size]")
GPU_PART = f"  gpu:\n    shape: {{n: 5000}}\n    speedup: {{{NAME}: 1.01}}\n"
HEAD = ["question", "verdict", "speedup", "required", "µs", "cheats that failed"]


@pytest.fixture
def folder(tmp_path) -> Path:
    """A kernel with a part for a GPU, in a content folder of its own."""
    return kernel_folder(tmp_path / "content", KERNEL + GPU_PART, baseline=SLOW)


@pytest.fixture
def far(inside, tmp_path, monkeypatch) -> Callable:
    """`inside`, where the settings name a host that has a GPU."""
    monkeypatch.setenv("QUIZ_GPU_HOST", far_gpu(tmp_path, monkeypatch))
    return inside


def spoil(folder: Path, gate: float) -> None:
    path = folder / "question.yaml"
    path.write_text(path.read_text("utf-8").replace("1.01", f"{gate}"), "utf-8")


def rows(text: str) -> list[list[str]]:
    return [re.split("  +", line) for line in text.splitlines()]


def test_a_table_with_a_line_a_kernel(far, folder, monkeypatch):
    monkeypatch.setenv("QUIZ_GPU_USE", "false")  # which the option goes before
    said = far("lint", "--gpu", folder)
    assert said.status == OK
    head, row = rows(said.out)
    assert head == HEAD
    name, standing, ratio, gate, seconds, cheats = row
    assert (name, standing, gate) == ("pack/a-kernel (Numba)", "passed", "1.01")
    assert re.fullmatch(r"1\.\d\d \(1\.\d\d–1\.\d\d\)", ratio)
    assert float(seconds) == pytest.approx(2.0, abs=0.1)
    failed, _, made = cheats.partition(" of ")
    assert failed == made
    assert int(made) >= 15
    assert said.err == f"No problems. 1 question in 1 file, 1 kernel on {NAME}.\n"


@pytest.mark.long
def test_the_emulators_table_stands_above(far, folder):
    said = far("lint", "--gpu", "--proofs", folder)
    tables, *_ = said.out.split("\n\n")
    table = [line[:2] for line in rows(tables) if not line[0].startswith("–")]
    assert table == [
        ["question", "starter"], ["pack/a-kernel (Numba)", "result"],
        ["question", "verdict"], ["pack/a-kernel (Numba)", "passed"],
    ]  # fmt: skip


def test_a_gate_that_is_not_reached_is_a_problem(far, folder, tmp_path):
    spoil(folder, 50)
    said = far("lint", "--gpu", folder)
    assert said.status == FINDINGS
    assert rows("\n".join(said.out.splitlines()[:2]))[1][1] == "✗ failed: speedup"
    problem = said.out.splitlines()[2]
    assert problem.startswith(
        "content/pack/double/question.yaml:26:25: on Emulated: solution.py is"
    )
    assert problem.endswith(", but 50 is required; make the solution faster, or require less")


def test_json_has_it_all_under_documented_keys(far, folder):
    spoil(folder, 50)
    said = far("lint", "--gpu", "--json", folder)
    told = json.loads(said.out)
    assert (said.status, said.err) == (FINDINGS, "")
    assert len(told["problems"]) == 1
    gpu = told["gpu"]
    assert (gpu["host"], gpu["device"]) == (HOST, to_plain(FACTS))
    (question,) = gpu["questions"]
    assert (question["question"], question["standing"]) == ("pack/a-kernel", "failed")
    assert question["speed"].items() >= {"gate": 50, "gigaflops": None, "refused": None}.items()
    assert question["speed"]["ratio"].keys() == {"median", "low", "high"}
    assert question["resources"].items() >= {"registers": 32, "shared_bytes": 0}.items()
    solution, *cheats = question["submissions"]
    assert solution == {
        "role": "solution", "name": "solution", "language": "python", "gate": "speedup",
        "holds": False,
    }  # fmt: skip
    assert {(one["role"], one["gate"], one["holds"]) for one in cheats} == {
        ("cheat", "result", True)
    }
    section = (ROOT / "docs" / "cli.md").read_text("utf-8").partition("## quiz lint\n")[2]
    section = section.partition("\n## ")[0]
    for part in (gpu, gpu["device"], question, question["speed"], question["resources"]):
        for key in part:
            assert re.search(rf"[`{{ ]{key}[`,}}]", section), key


def test_what_the_emulator_fails_is_told_and_not_run(far, folder):
    (folder / "solution.py").write_text(SOLUTION.replace("2 *", "3 *"), "utf-8")
    said = far("lint", "--gpu", folder)
    row = ["pack/a-kernel (Numba)", "not run: the emulator fails it", *"––––"]
    assert rows(said.out)[1] == row
    assert len(said.out.splitlines()) == 3
    assert said.err == f"1 problem in 1 file. 1 question in 1 file, 0 kernels on {NAME}.\n"
    (question,) = json.loads(far("lint", "--gpu", "--json", folder).out)["gpu"]["questions"]
    assert (question["standing"], question["submissions"]) == (None, [])


def test_a_kernel_whose_baseline_is_wrong_has_no_verdict(far, folder):
    (folder / "baseline.py").write_text(SOLUTION.replace("2 *", "3 *"), "utf-8")
    said = far("lint", "--gpu", folder)
    assert rows(said.out)[1] == ["pack/a-kernel (Numba)", "✗ no verdict", *"––––"]
    assert said.out.splitlines()[2].endswith("fix it: submissions are measured against it")


def test_without_kernels_there_is_no_table(far, tmp_path):
    (tmp_path / "none.yaml").write_text("", "utf-8")
    said = far("lint", "--gpu", "none.yaml")
    assert (said.status, said.out) == (OK, "")
    assert said.err == f"No problems. 0 questions in 1 file, 0 kernels on {NAME}.\n"


def test_the_program_itself_says_on_a_terminal_what_is_waited_for(
    quiz, folder, tmp_path, monkeypatch
):
    host = far_gpu(tmp_path, monkeypatch, "sleep 2")
    said = on_terminal(quiz, "lint", "--gpu", folder, QUIZ_GPU_HOST=host)
    assert said.startswith(f"\r\x1b[Kconnecting to the GPU on {HOST}\r\x1b[K")


# Which GPU


def test_a_host_goes_before_the_settings(inside, tmp_path, monkeypatch):
    monkeypatch.setenv("QUIZ_GPU_USE", "false")
    monkeypatch.setenv("QUIZ_GPU_HOST", "person@nowhere")
    (tmp_path / "none.yaml").write_text("", "utf-8")
    host = far_gpu(tmp_path, monkeypatch)
    assert inside("lint", "--gpu-host", host, "none.yaml").status == OK


def test_a_host_that_cannot_be(inside, folder):
    said = inside("lint", "--gpu-host", "-oProxyCommand=x", folder)
    assert (said.status, said.out) == (USAGE, "")
    assert said.err.startswith("quiz: --gpu-host: gpu.host: '-oProxyCommand=x' is not")


@pytest.mark.parametrize(
    ("host", "arguments", "what"),
    [
        ("", [], "no GPU on this machine"),
        ("", ["--json"], "no GPU on this machine"),
        (None, [], "no GPU on this machine"),
        ("person@nowhere", [], "no connection to person@nowhere"),
        (HOST, ["--gpu-host", ""], "no GPU on this machine"),
    ],
)
def test_without_a_gpu_it_says_why_before_anything_else(far, monkeypatch, host, arguments, what):
    monkeypatch.setattr("quizapp.system.gpu._DEVICES", Path("/no/such/folder"))
    monkeypatch.setenv("QUIZ_GPU_USE", "false" if host is None else "true")
    monkeypatch.setenv("QUIZ_GPU_HOST", host or "")
    said = far("lint", "--gpu", *arguments, "no-such-file.yaml")
    assert (said.status, said.out) == (ENVIRONMENT, "")
    first, *rest = said.err.splitlines()
    assert first.startswith(f"quiz: {what}")
    assert rest


def test_a_host_that_is_lost_on_the_way(far, folder, monkeypatch):
    def lost(*_: object) -> None:
        raise GpuFailed("host", quote("no connection to person@far"), quote("look"))

    monkeypatch.setattr("grader.gpu.Gpu.grade", lost)
    said = far("lint", "--gpu", folder)
    assert (said.status, said.out) == (ENVIRONMENT, "")
    assert said.err == "quiz: no connection to person@far\n  look\n"
