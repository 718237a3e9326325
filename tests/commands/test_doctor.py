"""`quiz doctor` and `quiz paths`: what they see, and that they leave it as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from grader.confine import Confinement
from grader.facts import Fact, quote
from grader.gpu import GpuFailed, SelfTest
from quizapp import __version__
from quizapp.domain.errors import FINDINGS, OK, USAGE
from quizapp.report.words import Words
from quizapp.store.store import Store
from quizapp.store.tables import event
from tests.commands.program import answer, on_terminal
from tests.grader.gpu.emulated_device import FACTS
from tests.remote_gpu import HOST, far_gpu
from tests.store.tools import build_answer, new

ENGLISH = Words("en")


def read_fact(plain: Any) -> Any:
    """A fact, or what else a field holds, as `--json` prints it."""
    if isinstance(plain, dict):
        return Fact(plain["code"], {k: read_fact(value) for k, value in plain["fields"].items()})
    return tuple(map(read_fact, plain)) if isinstance(plain, list) else plain


@pytest.fixture
def findings(inside, monkeypatch):
    """The doctor's findings by (section, name), and its exit status."""

    monkeypatch.setattr("quizapp.system.gpu._DEVICES", Path("/no/such/folder"))  # as on a laptop

    def look() -> tuple[dict[tuple[str, str], dict], int]:
        said = inside("doctor", "--json")
        report = json.loads(said.out)
        assert said.err == ""
        assert report["problems"] == sum(f["health"] == "problem" for f in report["findings"])
        for finding in report["findings"]:
            assert finding["health"] in ("ok", "note", "problem")
            what, todo = read_fact(finding["what"]), read_fact(finding["todo"])
            finding["code"] = what.code if isinstance(what, Fact) else ""
            finding["what"] = ENGLISH.fact(what)
            finding["todo"] = ENGLISH.hint(what, todo)
            assert finding["todo"] or finding["health"] == "ok"
        return {(f["section"], f["name"]): f for f in report["findings"]}, said.status

    return look


def test_no_layer_holds_where_the_probe_cannot_start(findings, monkeypatch):
    reason = "ModuleNotFoundError: No module named 'msgspec'"
    nothing = Confinement(missing=(("process", reason),))
    monkeypatch.setattr("quizapp.study.health.confine.probe", lambda: nothing)
    found, _ = findings()
    for layer in ("landlock", "seccomp", "parent"):
        assert found["confinement", layer]["what"] == f"missing: {reason}"
        assert found["confinement", layer]["health"] == "note"


def test_a_healthy_installation(findings, home):
    found, status = findings()
    assert status == OK
    assert found["versions", "quiz"]["what"] == __version__
    assert {name for section, name in found if section == "folders"} == {
        "data", "config", "cache", "log",
    }  # fmt: skip
    assert "none yet" in found["database", "file"]["what"]
    assert found["deck", "questions"]["health"] == "ok"
    assert found["terminal", "tty"]["health"] == "note"
    assert found["gpu", "device"]["health"] == "ok"
    assert not (home / "progress.db").exists()


def test_the_database(findings, inside):
    answer(2)
    found, status = findings()
    assert status == OK
    # The parameters are an event too.
    assert found["database", "events"]["what"] == "3 events"
    assert found["database", "integrity"]["health"] == "ok"
    assert found["database", "schema"]["what"].startswith("0")


def test_answers_dated_after_today_are_named_with_what_heals_them(findings, inside, home):
    answer(1)
    day = date.today().toordinal() - date(1970, 1, 1).toordinal() + 30
    with Store.open(home / "progress.db") as store:
        (question,) = store.cards()
        ahead = build_answer(day, parameters_id=next(iter(store.parameters())))
        store.append([new(question, ahead)])
    found, status = findings()
    assert status == FINDINGS
    assert question in found["database", "dates"]["what"]
    assert "`quiz reset QUESTION`" in found["database", "dates"]["todo"]
    assert inside("import", "--undo").status == USAGE
    assert inside("reset", question, "--yes").status == OK
    found, status = findings()
    assert status == OK
    assert ("database", "dates") not in found


def test_what_an_older_version_let_in_is_named_with_what_heals_it(findings, inside, home):
    answer(1)
    with Store.open(home / "progress.db") as store, store.writing() as connection:
        body = '{"type":"plan","study_day":20000,"day":199999,"minutes":30}'
        head = {"id": "ab" * 16, "at_ms": 1, "machine": "cd" * 16, "sequence": 1, "session": "s"}
        connection.execute(insert(event), [{**head, "kind": "plan", "body": body}])
    found, status = findings()
    assert status == FINDINGS
    assert "day of an event `plan` is 199999" in found["database", "plausibility"]["what"]
    assert "`quiz rebuild`" in found["database", "plausibility"]["todo"]
    assert inside("rebuild").status == OK
    found, status = findings()
    assert status == OK
    assert (
        "1 event that an older version let in is set aside"
        in (found["database", "plausibility"]["what"])
    )
    assert found["database", "events"]["what"] == "3 events"


def test_a_damaged_database(findings, home):
    home.mkdir()
    (home / "progress.db").write_bytes(b"no database" * 1000)
    found, status = findings()
    assert status == FINDINGS
    assert found["database", "file"]["health"] == "problem"
    assert (home / "progress.db").read_bytes() == b"no database" * 1000
    assert found["deck", "questions"]["health"] == "ok"


def test_damaged_backups_are_named(findings, inside, home):
    answer(1)
    sound = Path(inside("backup").out.strip())
    damaged = Path(inside("backup").out.strip())
    damaged.write_bytes(damaged.read_bytes()[:8192])
    found = findings()[0]["database", "damaged-backups"]
    assert found["health"] == "problem"
    assert found["what"] == f"1 of 2 backups is damaged: {damaged}"
    assert "quiz salvage FILE" in found["todo"]
    damaged.write_bytes(sound.read_bytes())
    assert ("database", "damaged backups") not in findings()[0]


def test_the_backups(findings, inside, home):
    assert findings()[0]["database", "backups"]["what"].startswith("none yet")
    answer(1)
    copy = Path(inside("backup").out.strip())
    copy.rename(copy.with_name("progress-20260101-120000-daily.db"))
    again = Path(inside("backup").out.strip())
    inside("restore", again, "--yes")
    found, status = findings()
    assert status == OK
    size = f"{again.stat().st_size / 1e6:.1f} MB"
    assert found["database", "backups"]["what"].startswith(
        f"1 rolling backup, {size}; 1 other backup, {size}; the newest is from "
    )
    assert found["database", "replaced"]["what"].startswith(f"{size} of databases that")
    assert str(home / "replaced") in found["database", "replaced"]["todo"]


def test_a_database_that_is_gone(findings, inside, home):
    answer(1)
    inside("backup")
    (home / "progress.db").unlink()
    found, status = findings()
    assert status == FINDINGS
    assert "there is no such file" in found["database", "file"]["what"]
    assert "quiz restore" in found["database", "file"]["todo"]
    assert not (home / "progress.db").exists()


def test_a_wrong_settings_file_stops_nothing(findings, home):
    home.mkdir()
    (home / "config.toml").write_text("langauge = 'zh'\n")
    found, status = findings()
    assert status == FINDINGS
    assert "config.toml:1: " in found["settings", "file"]["what"]
    assert "language" in found["settings", "file"]["todo"]
    assert found["deck", "questions"]["health"] == "ok"


def test_a_content_folder_that_is_not_there(findings, monkeypatch):
    monkeypatch.setenv("QUIZ_CONTENT", "/no/such/folder")
    found, status = findings()
    assert status == FINDINGS
    assert found["deck", "configured"]["what"] == "there is no /no/such/folder"


def test_a_remapped_key_that_is_none(findings, home):
    home.mkdir()
    (home / "config.toml").write_text('[keys]\nhimt = "f2"\nhint = "f8"\n')
    found, status = findings()
    assert status == OK
    assert found["settings", "keys"]["what"] == "there is no key binding 'himt'"


def test_a_theme_that_there_is_not_and_a_key_that_is_taken(findings, home):
    home.mkdir()
    (home / "config.toml").write_text('theme = "quiz-drak"\n[keys]\nbury = "u"\n')
    found, status = findings()
    assert status == OK
    assert found["settings", "theme"]["what"] == "there is no theme 'quiz-drak'"
    assert "quiz-dark" in found["settings", "theme"]["todo"]
    assert found["settings", "keys"]["what"].startswith("bury cannot have the key u: undo")


def test_questions_with_errors(findings, home):
    (home / "content" / "mine").mkdir(parents=True)
    (home / "content" / "mine" / "broken.yaml").write_text("- id: broken\n")
    found, status = findings()
    assert status == FINDINGS
    assert found["deck", "left-out"]["todo"].startswith("`quiz lint`")


def test_a_place_that_cannot_be_written(findings, home):
    home.write_text("a file where a folder should be")
    found, status = findings()
    assert status == FINDINGS
    assert found["folders", "data"]["health"] == "problem"
    assert found["folders", "cache"]["health"] == "note"


@pytest.mark.parametrize(
    ("variable", "name", "what"),
    [
        ("TERM=dumb", "TERM", "dumb"),
        ("NO_COLOR=1", "colors", "none: NO_COLOR is set"),
        ("COLORTERM=truecolor", "colors", "16 million"),
    ],
)
def test_the_terminal(variable, name, what, findings, monkeypatch):
    monkeypatch.setenv(*variable.split("="))
    found, _ = findings()
    assert found["terminal", name]["what"] == what


def test_a_terminal_without_unicode(quiz):
    done = quiz("doctor", "--json", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    [found] = [f for f in json.loads(done.stdout)["findings"] if f["name"] == "encoding"]
    assert found["health"] == "note"
    assert found["what"]["code"] == "doctor.other-encoding"


def test_the_text_says_what_the_json_says(inside, findings):
    inside("doctor")  # which makes the cache
    text = inside("doctor").out
    found, _ = findings()
    for finding in found.values():
        assert finding["what"] in text
        assert finding["todo"] in text


def test_paths_are_below_quiz_home(inside, home):
    told = json.loads(inside("paths", "--json").out)
    assert told.pop("format") == 1
    shipped = told.pop("shipped_content")
    assert Path(shipped).is_dir()
    assert all(Path(path).is_relative_to(home) for path in told.values())
    assert not home.exists()


def test_paths_as_text_say_the_same(inside):
    told = json.loads(inside("paths", "--json").out)
    assert told.pop("format") == 1
    lines = inside("paths").out.splitlines()
    assert [line.split()[-1] for line in lines] == list(told.values())


# The GPU: nobody to ask

OPEN = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64"
CLOSED = "NVRM version: NVIDIA UNIX x86_64 Kernel Module"


@pytest.fixture
def nodes(findings, monkeypatch, tmp_path) -> Path:
    """What stands for /dev: with a GPU in it, whose driver is not known."""
    folder = tmp_path / "dev"
    folder.mkdir()
    (folder / "nvidia0").touch()
    monkeypatch.setattr("quizapp.system.gpu._DEVICES", folder)
    monkeypatch.setattr("grader.gpu.installed_compiler", lambda: None)
    monkeypatch.setattr("grader.gpu.devices.driver._FILE", tmp_path / "version")
    monkeypatch.setattr("grader.gpu.devices.driver._TOOL", ("no-such-tool",))
    return folder


def test_without_a_gpu_nothing_is_wrong(findings, monkeypatch):
    monkeypatch.setattr("quizapp.study.gpu_health._LIBCUDA", ())
    monkeypatch.setattr("shutil.which", lambda _: None)
    found, status = findings()
    one = found["gpu", "device"]
    assert (status, one["health"], one["code"]) == (OK, "ok", "doctor.no-gpu")
    assert [name for section, name in found if section == "gpu"] == ["device"]


def test_a_driver_that_has_no_gpu_is_a_note(findings, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    found, status = findings()
    assert (status, found["gpu", "device"]["health"]) == (OK, "note")
    assert "but there is /usr/bin/nvidia-smi" in found["gpu", "device"]["what"]


def test_a_gpu_that_is_switched_off_is_fine(findings, nodes, monkeypatch):
    monkeypatch.setenv("QUIZ_GPU_USE", "false")
    monkeypatch.setenv("QUIZ_GPU_HOST", HOST)
    found, status = findings()
    assert (status, found["gpu", "device"]["health"]) == (OK, "ok")
    assert found["gpu", "device"]["what"] == "the GPU is switched off"


@pytest.mark.parametrize(
    ("text", "todo"),
    [
        (f"{OPEN}  580.65.06  Release Build\nGCC version:  gcc 11.4.0",
         "install gpu-quiz[gpu-cu13]: its CUDA fits"),
        (f"{CLOSED}  550.54.14  Thu Feb 22",
         "install gpu-quiz[gpu-cu12]: its CUDA fits driver 550.54.14"),
        (f"{CLOSED}  470.82.01", "update driver 470.82.01 to"),
        ("", "install gpu-quiz[gpu-cu13], or [gpu-cu12] for an older driver"),
        (None, "install gpu-quiz[gpu-cu13], or [gpu-cu12] for an older driver"),
    ],
)  # fmt: skip
def test_a_gpu_without_its_package_says_which_to_install(findings, nodes, tmp_path, text, todo):
    if text is not None:
        (tmp_path / "version").write_text(text, "utf-8")
    found, status = findings()
    assert status == OK
    assert found["gpu", "device"]["what"] == f"device nodes: {nodes / 'nvidia0'}"
    one = found["gpu", "packages"]
    assert one["health"] == "note"
    assert one["what"] == "neither numba-cuda nor numba-cuda-mlir is installed"
    assert todo in one["todo"]


@pytest.mark.parametrize(
    ("does", "extra"), [("echo 581.29", "gpu-cu13]:"), ("sleep 60", "gpu-cu13], or [gpu-cu12]")]
)
def test_the_drivers_tool_is_asked_where_there_is_no_file(
    findings, nodes, monkeypatch, does, extra
):
    monkeypatch.setattr("grader.gpu.devices.driver._TOOL", tuple(does.split()))
    monkeypatch.setattr("grader.gpu.devices.driver._TOOL_SECONDS", 0.3)
    assert extra in findings()[0]["gpu", "packages"]["todo"]


# The GPU: asked


@pytest.fixture
def far(findings, tmp_path, monkeypatch) -> Callable:
    """`findings`, where the settings name another host, which has a GPU."""
    monkeypatch.setenv("QUIZ_GPU_HOST", far_gpu(tmp_path, monkeypatch))
    return findings


def test_a_gpu_is_described_and_tested(far):
    found, status = far()
    told = {name: one["what"] for (section, name), one in found.items() if section == "gpu"}
    assert status == OK
    assert told.pop("test-kernel").startswith("compiled, ran and returned the right result in ")
    assert told == {
        "device": f"Emulated on {HOST}, 132 SMs",
        "capability": "9.0",
        "memory": "128.0 GiB",
        "driver": "580.0, for CUDA up to 13.0",
        "runtime": "CUDA 13.0",
        "packages": f"numpy {FACTS.versions['numpy']}",
        "bank-model": "measured: load, store, ldmatrix, stmatrix, atom of 4 bytes, atom_cas of "
        "4/8 bytes, atom_inc; inferred: atom of 8 bytes, atom_float, atom_cas of 2/16 bytes",
    }


def stub_description(monkeypatch, **facts) -> None:
    """Let the GPU be another."""
    other = replace(FACTS, **facts)
    monkeypatch.setattr("grader.gpu.Gpu.describe", lambda _: other)


@pytest.mark.parametrize(
    ("capability", "status", "words"),
    [
        ("8.0", "ok", "published: load, store of 1/2/4 bytes; inferred: store of 8/16 bytes, "),
        pytest.param("12.0", "ok", "inferred", marks=pytest.mark.long),
        ("99.0", "note", "has no compute capability 99.0"),
    ],
)
def test_the_standing_of_the_bank_model(far, monkeypatch, capability, status, words):
    stub_description(monkeypatch, capability=capability)
    one = far()[0]["gpu", "bank-model"]
    assert one["health"] == status
    assert one["what"].startswith(words)


def test_packages_that_are_newer_than_the_driver(far, monkeypatch):
    stub_description(monkeypatch, driver="", driver_cuda="12.4")
    found, status = far()
    one = found["gpu", "runtime"]
    assert (status, one["health"]) == (OK, "note")
    assert (one["what"], one["todo"]) == (
        "CUDA 13.0, newer than the driver supports",
        "install gpu-quiz[gpu-cu12], or update the driver",
    )
    assert found["gpu", "driver"]["what"] == "unknown version, for CUDA up to 12.4"


@pytest.mark.parametrize(
    ("compiles", "runs", "words"),
    [(False, False, "did not compile ("), (True, False, "compiled but did not run ("),
     (True, True, "compiled and ran, but the result is wrong (")],
)  # fmt: skip
def test_a_test_kernel_that_fails_is_a_problem(far, monkeypatch, compiles, runs, words):
    said = SelfTest(compiles, runs, right=False, what="ptxas is not there")
    monkeypatch.setattr("grader.gpu.Gpu.selftest", lambda _: said)
    found, status = far()
    one = found["gpu", "test-kernel"]
    assert (status, one["health"]) == (FINDINGS, "problem")
    assert one["what"].startswith(words)
    assert one["what"].endswith(" s): ptxas is not there")


def test_a_host_that_is_not_reached_is_a_problem(findings, tmp_path, monkeypatch):
    far_gpu(tmp_path, monkeypatch, "echo Permission denied >&2; exit 255")
    monkeypatch.setenv("QUIZ_GPU_HOST", HOST)
    found, status = findings()
    one = found["gpu", "device"]
    assert (status, one["health"]) == (FINDINGS, "problem")
    assert one["what"] == f"no connection to {HOST}: Permission denied"
    assert one["todo"] == f"make sure that `ssh {HOST}` works without asking for a password"


def test_a_test_kernel_that_takes_its_worker_along(far, monkeypatch):
    def fail(self) -> None:
        raise GpuFailed("crashed", quote("the GPU worker ended"), quote("try again"))

    monkeypatch.setattr("grader.gpu.Gpu.selftest", fail)
    found, status = far()
    assert (status, found["gpu", "device"]["health"]) == (FINDINGS, "ok")
    one = found["gpu", "test-kernel"]
    assert (one["health"], one["what"]) == ("problem", "the GPU worker ended")
    assert one["todo"] == "try again; make sure that `nvidia-smi` answers there"


@pytest.mark.parametrize(("kind", "status"), [("no-device", "note"), ("crashed", "problem")])
def test_a_gpu_here_that_does_not_answer(findings, nodes, monkeypatch, kind, status):
    def fail(self) -> None:
        raise GpuFailed(kind, quote("it does not"), quote("do this"))

    monkeypatch.setattr("grader.gpu.installed_compiler", lambda: "numba-cuda")
    monkeypatch.setattr("grader.gpu.Gpu.describe", fail)
    found, _ = findings()
    assert found["gpu", "device"]["health"] == status


def test_what_is_waited_for_is_said_on_a_terminal_alone(quiz, tmp_path, monkeypatch):
    """Over one line, which is gone in the end."""
    host = far_gpu(tmp_path, monkeypatch, "sleep 2")
    done = quiz("doctor", QUIZ_GPU_HOST=host)
    assert (done.returncode, done.stderr) == (OK, "No problems.\n")
    said = on_terminal(quiz, "doctor", QUIZ_GPU_HOST=host)
    assert said.startswith(f"\r\x1b[Kconnecting to the GPU on {HOST}\r\x1b[K")
    assert said.endswith("\r\x1b[KNo problems.\r\n")
