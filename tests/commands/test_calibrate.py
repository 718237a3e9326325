"""`quiz calibrate`: what it shows and writes, whom it asks, and how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.facts import fact, quote
from grader.gpu import Gpu, GpuFailed
from grader.wire import to_plain
from quizapp.domain.errors import ENVIRONMENT, FINDINGS, OK, USAGE
from tests.commands.test_cli import SECTIONS
from tests.grader.gpu.calibrating import NoBroadcast, calibrated
from tests.grader.gpu.emulated_device import FACTS, NAME
from tests.remote_gpu import HOST, far_gpu

FILE = f"quiz-calibration-{NAME}.json"


@pytest.fixture
def far(tmp_path, monkeypatch) -> str:
    """A host with a GPU that counts as the model does."""
    return far_gpu(tmp_path, monkeypatch)


@pytest.fixture
def answering(monkeypatch) -> Callable[[object], None]:
    """Call it with what the GPU says, or raises; whoever is asked."""

    def answer(what: object) -> None:
        def calibrate(gpu: Gpu, told: Callable[[str], None]) -> object:
            told(fact("gpu.timing", instruction="ld.shared.b32", number=1, count=27))
            if isinstance(what, Exception):
                raise what
            return what

        monkeypatch.setattr(Gpu, "describe", lambda _: FACTS)
        monkeypatch.setattr(Gpu, "calibrate", calibrate)

    return answer


def test_a_host_is_asked_and_a_file_written(far, inside, tmp_path):
    said = inside("calibrate", "--gpu-host", far)
    assert said.status == OK
    lines = said.out.splitlines()
    assert lines[0] == "Emulated, compute capability 9.0, driver 580.0"
    assert "ld.shared.b64: agree 18; one pass takes 1.00 cycles" in lines
    assert "atom.shared.cas.b32: agree 10; one pass takes 2.00 cycles" in lines
    assert re.search(
        r"^  open  all lanes on one word +32\+     32  32\.00   32\.00$", said.out, re.MULTILINE
    )
    assert not re.search(r"^  agree", said.out, re.MULTILINE)
    *_, counts, written, todo = said.err.splitlines()
    assert re.fullmatch(r"agree \d+, open \d+\.", counts)
    assert written == f"Written: {FILE}"
    assert "Attach it to an issue" in todo
    told = json.loads((tmp_path / FILE).read_text("ascii"))
    assert told["facts"] == to_plain(FACTS)
    assert [path.name for path in tmp_path.glob("quiz-*")] == [FILE]


def test_a_folder_is_no_file_before_anything_is_timed(far, inside, tmp_path):
    said = inside("calibrate", "--gpu-host", far, "--output", tmp_path)
    assert (said.status, said.out) == (USAGE, "")
    assert f"{tmp_path} is a folder" in said.err
    assert not (tmp_path / "log").exists()


def test_all_is_shown_if_it_is_wanted(far, inside):
    said = inside("calibrate", "--gpu-host", far, "--all")
    assert re.search(
        r"^  agree  every 32nd word +32     32  32\.00   32\.00$", said.out, re.MULTILINE
    )


def test_the_file_has_a_line_for_each_access_and_says_what_json_says(far, inside, tmp_path):
    file = tmp_path / "away.json"
    said = inside("calibrate", "--gpu-host", far, "--json", "--output", file)
    assert said.status == OK
    text = file.read_text("ascii")
    told = json.loads(text)
    assert told == json.loads(said.out)
    answers = [answer for group in told["groups"] for answer in group["answers"]]
    assert len(text.splitlines()) == 1 + len(told["groups"]) + len(answers)
    keys = {*told, *told["groups"][0], *answers[0]}
    assert {key for key in keys if f"`{key}`" not in SECTIONS["calibrate"]} == set()


def test_the_host_of_the_settings_is_asked(far, quiz, tmp_path):
    done = quiz("calibrate", QUIZ_GPU_HOST=far)
    assert (done.returncode, done.stderr.splitlines()[-2]) == (OK, f"Written: {FILE}")
    assert (tmp_path / FILE).exists()


def test_where_both_differ_it_is_shown_and_the_status_says_so(answering, inside, tmp_path):
    answering(calibrated(NoBroadcast()))
    said = inside("calibrate", "--gpu-host", HOST)
    assert said.status == FINDINGS
    assert re.search(
        r"^  differ  all lanes on one word +1      3   3\.00    3\.00$", said.out, re.MULTILINE
    )
    assert re.search(r"agree \d+, differ \d+, open \d+\.", said.err)
    assert json.loads((tmp_path / FILE).read_text("ascii"))["groups"]


def test_what_is_not_there_is_said(answering, inside):
    found = calibrated(NoBroadcast())
    absent = replace(found.groups[-1], absent="needs compute capability 9.0", answers=())
    answering(replace(found, groups=(*found.groups[:-1], absent)))
    assert (
        "stmatrix.x4: not available, needs compute capability 9.0\n"
        in inside("calibrate", "--gpu-host", HOST).out
    )


@pytest.mark.parametrize(
    ("device", "file"),
    [("NVIDIA H200", "NVIDIA-H200"), ("../Tesla V100-SXM2-16GB\n", "Tesla-V100-SXM2-16GB"),
     ("显卡", "GPU")],
)  # fmt: skip
def test_a_device_name_makes_a_file_name(answering, inside, tmp_path, device, file):
    found = calibrated(NoBroadcast())
    answering(replace(found, facts=replace(FACTS, name=device)))
    inside("calibrate", "--gpu-host", HOST)
    assert [path.name for path in tmp_path.glob("*.json")] == [f"quiz-calibration-{file}.json"]


def test_a_place_that_cannot_be_written_is_said_after_what_was_found(far, inside):
    said = inside("calibrate", "--gpu-host", far, "--output", "/proc/x.json")
    assert said.status == ENVIRONMENT
    assert "ld.shared.b32: agree 18" in said.out
    assert "quiz: /proc/x.json cannot be written" in said.err


def test_without_a_gpu_it_says_why(inside, monkeypatch):
    monkeypatch.setattr("quizapp.system.gpu.device_nodes", list)
    said = inside("calibrate")
    assert (said.status, said.out) == (ENVIRONMENT, "")
    assert said.err.startswith("quiz: no GPU on this machine\n  `quiz config")


def test_switched_off_it_asks_only_whom_it_is_told_to(inside, far, monkeypatch, tmp_path):
    monkeypatch.setenv("QUIZ_GPU_USE", "false")
    said = inside("calibrate")
    assert said.status == ENVIRONMENT
    assert "the GPU is switched off" in said.err
    assert not (tmp_path / "log").exists()
    assert inside("calibrate", "--gpu-host", far).status == OK


def test_a_host_that_cannot_be_reached(inside, tmp_path, monkeypatch):
    far_gpu(tmp_path, monkeypatch, before="echo no route >&2; exit 255")
    said = inside("calibrate", "--gpu-host", HOST)
    assert (said.status, said.out) == (ENVIRONMENT, "")
    assert said.err.startswith(f"quiz: no connection to {HOST}: no route\n  make sure that `ssh")
    assert not [*tmp_path.glob("*.json")]


def test_a_device_that_fails(answering, inside):
    what = quote("the GPU failed: st.shared.b8: illegal-access")
    answering(GpuFailed("crashed", what, quote("try again")))
    said = inside("calibrate", "--gpu-host", HOST)
    assert said.status == ENVIRONMENT
    assert said.err == "quiz: the GPU failed: st.shared.b8: illegal-access\n  try again\n"


@pytest.mark.parametrize("host", ["-oProxyCommand=x", "two words"])
def test_a_host_that_is_none(inside, host):
    said = inside("calibrate", f"--gpu-host={host}")
    assert said.status == USAGE
    assert "--gpu-host: gpu.host" in said.err


def test_progress_is_told_on_a_terminal(answering, inside, monkeypatch):
    shown: list[str] = []
    answering(calibrated(NoBroadcast()))

    class Over:
        def __init__(self, after):
            assert after == 1.0

        def __enter__(self):
            return shown.append

        def __exit__(self, *_):
            shown.append("")

    monkeypatch.setattr("quizapp.commands.model.calibrate.show_progress", Over)
    inside("calibrate", "--gpu-host", HOST)
    assert shown == ["timing ld.shared.b32, 1 of 27", ""]
