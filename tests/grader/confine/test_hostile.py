"""Hostile references in the real worker, and in processes confined as older kernels would."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.confine import Confinement, landlock, probe
from grader.confine.kernel_calls import machine
from grader.confine.seccomp import MACHINES
from grader.kernels import Argument, Problem, Referee, ReferenceFailed
from grader.process import PARENT, python
from tests.waiting import BEGUN, until_ended

HOSTILE = Path(__file__).with_name("hostile.py")
READS = {
    "read a file", "read /etc/passwd", "read ~/.ssh",
    "read the parent's environ", "read the parent's memory",
}  # fmt: skip
HELD = landlock.abi() > 0 and machine() in MACHINES

pytestmark = pytest.mark.skipif(not HELD, reason="this kernel has not both layers")


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[tuple[object, ...]]:
    """What the attempts are given: a secret, a folder, and listeners on TCP and a Unix socket."""
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    (tmp_path / ".ssh").mkdir()
    (tmp_path / "deleted").touch()
    unix_path = str(tmp_path / "socket")
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(unix_path)
        unix.listen()
        yield str(secret), str(tmp_path), listener.getsockname()[1], unix_path
    survivor = tmp_path / "survivor"
    if survivor.exists():
        os.kill(int(survivor.read_text()), signal.SIGKILL)


def reference(body: str) -> Problem:
    """A problem whose reference does something."""
    source = f"{HOSTILE.read_text()}\ndef reference(a):\n    {body}\n"
    arguments = (Argument("a", "float32", ("n",)), Argument("b", "float32", ("n",), "output"))
    return Problem("double", arguments, ({"n": 4},), (1,), (32,), reference=source)


def test_a_hostile_reference_gets_nowhere(victim: tuple[object, ...]) -> None:
    problem = reference(f"import json; raise ValueError(json.dumps(attempts(*{victim!r})))")
    with Referee() as referee, pytest.raises(ReferenceFailed) as caught:
        referee.reference_outputs(problem)
    found = json.loads(caught.value.what.fields["text"])
    assert len(found) > 25
    assert {name for name, came in found.items() if "PermissionError" not in came} == set(), found
    folder = Path(str(victim[1]))
    assert sorted(one.name for one in folder.iterdir()) == [".ssh", "deleted", "secret", "socket"]
    assert Path(str(victim[0])).read_text() == "a secret"


def test_the_environment_of_the_worker_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("SECRET", "1")
    with (
        Referee() as referee,
        pytest.raises(ReferenceFailed, match=r"ValueError, text=environ\(\{\}\)"),
    ):
        referee.reference_outputs(reference("raise ValueError(os.environ)"))


def test_a_confined_reference_may_import_compute_and_use_threads() -> None:
    body = """
    import decimal, fractions, itertools, random, statistics, threading, unittest
    import numpy.fft, numpy.polynomial, numpy.testing
    found = []
    thread = threading.Thread(target=found.append, args=(np.ones((64, 64)) @ np.ones((64, 64)),))
    thread.start()
    thread.join()
    return a * found[0][0, 0] / 32
    """
    problem = reference(body.strip())
    with Referee() as referee:
        referee.prepare(problem)
        (right,) = referee.reference_outputs(problem)
    assert right.shape == (4,)


def test_a_worker_that_hangs_is_gone_when_the_program_is_killed() -> None:
    body = f"signal.setitimer(signal.ITIMER_REAL, 0); {BEGUN}\n    while 1: 0"
    program = f"""
import threading
from grader.kernels import Argument, Problem, Referee
from tests.grader.confine.test_hostile import reference
from tests.waiting import until_begun
referee = Referee()
# The thread that asked first is long gone when the worker is needed again.
first = threading.Thread(target=referee.reference_outputs, args=(reference("return a"),))
first.start()
first.join()
referee.reference_outputs(reference("return a"))
endless = reference({body!r})
threading.Thread(target=referee.reference_outputs, args=(endless,), daemon=True).start()
until_begun(referee)
print(referee._process.id, flush=True)
threading.Event().wait()
"""
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    until_ended(worker)


def test_a_worker_whose_program_is_gone_already_answers_nothing() -> None:
    command = python("grader.kernels.worker")
    gone = {PARENT: str(1 << 30)}
    said = subprocess.run(command, env=gone, input=b"{}", capture_output=True, check=False)
    assert (said.returncode, said.stdout) == (1, b"")
    assert said.stderr == b"the program ended before its process was ready\n"


@pytest.mark.parametrize("version", [None, 0, 1, 4, landlock.NEWEST])
def test_older_kernels_hold_what_they_can(version: int | None, victim: tuple[object, ...]) -> None:
    confined = "" if version is None else f"print(json.dumps(asdict(confine(paths, {version}))))"
    program = f"""
import json, sys
sys.path.insert(0, {str(HOSTILE.parents[3])!r})
from dataclasses import asdict
from grader.confine import confine
from grader.confine.layers import readable_paths
from tests.grader.confine.hostile import attempts
paths = readable_paths()
{confined}
print(json.dumps(attempts(*{victim!r})))
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    succeeded = {name for name, came in lines[-1].items() if came == "done"}
    if version is None:  # the attempts themselves are sound
        wanted = {*READS, "write in a home", "connect by TCP", "connect to a Unix socket"}
        assert succeeded >= wanted | {"fork a survivor", "run a program", "signal the parent"}
        return
    assert lines[0] == {
        "landlock": version, "seccomp": True, "parent": True,
        "missing": [] if version else [["landlock", "this kernel has no Landlock"]],
    }  # fmt: skip
    assert succeeded == (set() if version else READS)


def test_landlock_alone_closes_files_and_from_abi_4_tcp(victim: tuple[object, ...]) -> None:
    """As on a machine that the filter of calls does not know."""
    for version, tcp in ((1, True), (4, False), (landlock.NEWEST, False)):
        program = f"""
import json, sys
sys.path.insert(0, {str(HOSTILE.parents[3])!r})
import grader.confine.layers
from grader.confine.layers import readable_paths
from tests.grader.confine.hostile import attempts
grader.confine.layers.machine = lambda: "riscv64"
confined = grader.confine.confine(readable_paths(), {version})
print(json.dumps([confined.seccomp, confined.open_guards]))
print(json.dumps(attempts(*{victim!r})))
"""
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        first, came = map(json.loads, done.stdout.splitlines())
        assert first == [False, ["network", "processes", "survival"]]
        assert not {name for name in READS if came[name] == "done"}
        assert came["write in a home"] != "done"
        assert (came["connect by TCP"] == "done") is tcp
        survivor = Path(str(victim[1]), "survivor")
        assert not survivor.exists()  # it could not write


def test_the_probe_finds_what_this_kernel_has() -> None:
    found = probe()
    assert found == Confinement(min(landlock.abi(), landlock.NEWEST), seccomp=True, parent=True)
    assert found.open_guards == ()


def test_without_any_layer_every_guard_is_open() -> None:
    assert len(Confinement().open_guards) == 5
    assert Confinement(seccomp=True).open_guards == ("reads", "survival")
