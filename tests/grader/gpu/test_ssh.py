"""The worker on another host: through a program that stands in for ssh, and once through sshd."""

from __future__ import annotations

import getpass
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.gpu import Gpu, GpuFailed
from tests.grader.gpu.emulated_device import FACTS
from tests.grader.gpu.test_worker import FOREVER, SEGFAULT, executed
from tests.grader.gpu.tools import DOUBLE, GOOD, ROOT, SETUP, UNGATED, ZEROS
from tests.remote_gpu import HOST, far_gpu
from tests.sentences import english, expect_error
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def ssh(tmp_path, monkeypatch) -> Callable[..., Path]:
    """Call it: `ssh` on PATH is then a script that runs the command here."""

    def make(before: str = "", there: Path = ROOT) -> Path:
        far_gpu(tmp_path, monkeypatch, before, there, started=True)
        return tmp_path

    return make


def test_a_host_is_asked_as_this_machine_is(ssh):
    log = ssh() / "log"
    with Gpu(HOST) as gpu:  # the stand-in has the emulator for the device that is asked for
        assert gpu.host == HOST
        assert gpu.describe() == FACTS
        assert gpu.grade(DOUBLE, GOOD).right
        assert gpu.grade(DOUBLE, ZEROS).verdict.failed_at == "result"
        assert gpu.selftest().right
    (line,) = log.read_text("utf-8").splitlines()
    assert "-o BatchMode=yes" in line
    assert f"-- {HOST} " in line


@pytest.fixture
def temporary(ssh, tmp_path) -> Path:
    """Where the host keeps temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    ssh(f"export TMPDIR={folder}")
    return folder


def test_a_worker_there_has_a_folder_of_its_own_and_removes_it(temporary):
    with Gpu(HOST, setup=UNGATED) as gpu:
        gpu.describe()
        (folder,) = temporary.iterdir()
        body = f"assert os.environ['TMPDIR'] == {str(folder)!r}; out[:] = 2 * a"
        assert gpu.grade(DOUBLE, executed(body)).right
    until_empty(temporary)


@pytest.mark.parametrize("body", ["os._exit(3)", SEGFAULT, FOREVER])
def test_of_a_worker_that_ended_otherwise_its_folder_is_removed_too(temporary, body):
    with Gpu(HOST, seconds=limit(body), setup=UNGATED) as gpu:
        assert gpu.grade(DOUBLE, executed(body)).replaced
        until_empty(temporary)


def limit(body: str) -> float:
    """How many seconds a kernel has: few if it takes all of them."""
    return 0.5 if body == FOREVER else PATIENCE_S


def until_empty(folder: Path) -> None:
    """Wait until a folder holds nothing any more."""
    until(lambda: not [*folder.iterdir()], lambda: [*folder.iterdir()])


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        ("os._exit(3)", "runs: crashed", "ended with status 3"),
        pytest.param(SEGFAULT, "runs: crashed", "ended with status 139", marks=pytest.mark.long),
        (FOREVER, "runs: timed-out", "timed out"),
    ],
)
def test_a_kernel_that_ends_its_worker_there(ssh, body, key, words):
    ssh()
    with Gpu(HOST, seconds=limit(body), setup=UNGATED) as gpu:
        gpu.describe()
        found = gpu.grade(DOUBLE, executed(body))
        assert found.verdict.failed_at == key
        assert words in english(found.verdict.failure.reason)
        gpu._seconds = PATIENCE_S
        assert gpu.grade(DOUBLE, GOOD).right


@pytest.mark.parametrize(
    ("before", "kind", "words"),
    [
        ("echo Permission denied >&2; exit 255", "host", "no connection to person@far: Perm"),
        ("echo Welcome", "garbled", "answered `Welcome`; `ssh person@far true` must print"),
        ("sleep 60", "slow", "no answer within 1 s"),
        ("exec sleep 60", "slow", "no answer within 1 s"),
    ],
)
def test_a_host_that_gives_no_worker(ssh, before, kind, words):
    ssh(before)
    setup = replace(SETUP, start_seconds=1 if kind == "slow" else PATIENCE_S)
    with Gpu(HOST, setup=setup) as gpu, expect_error(GpuFailed, words) as raised:
        gpu.describe()
    assert raised.value.kind == kind
    assert english(raised.value)


def test_a_host_without_the_package(ssh, tmp_path):
    ssh(there=tmp_path)
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n', "utf-8")
    bare.chmod(0o755)
    setup, words = replace(SETUP, python=str(bare)), f"not installed on {HOST}"
    with Gpu(HOST, setup=setup) as gpu, expect_error(GpuFailed, words) as raised:
        gpu.describe()
    assert raised.value.kind == "no-package"
    assert "gpu-quiz[gpu-cu13]" in english(raised.value)


def test_a_host_without_python(ssh):
    ssh()
    setup = replace(SETUP, python="no-such-python")
    with Gpu(HOST, setup=setup) as gpu, pytest.raises(GpuFailed) as raised:
        gpu.describe()
    assert raised.value.kind == "no-package"


def test_a_host_with_another_version(ssh, tmp_path):
    ssh(there=tmp_path)
    other = tmp_path / "grader" / "gpu"
    other.mkdir(parents=True)
    for one in (other, other.parent):
        (one / "__init__.py").touch()
    answer = '{"id": 1, "protocol": 1, "package": "0.0.1"}'
    text = f"import sys\nsys.stdin.readline()\nprint({answer!r}, flush=True)\nsys.stdin.read()\n"
    (other / "worker.py").write_text(text, "utf-8")
    words = r"on person@far is a different version, 0\.0\.1"
    with Gpu(HOST, setup=SETUP) as gpu, expect_error(GpuFailed, words) as raised:
        gpu.describe()
    assert raised.value.kind == "version"
    assert "install the same version" in english(raised.value)


@pytest.mark.parametrize("signal", ["KILL", "TERM"])
def test_a_worker_that_is_ended_from_outside_blames_no_kernel(ssh, signal):
    """Somebody is short of memory there, or shuts the machine down."""
    ssh()
    body = f"import signal; os.kill(os.getpid(), signal.SIG{signal}); time.sleep(600)"
    with Gpu(HOST, seconds=PATIENCE_S, setup=UNGATED) as gpu:
        with expect_error(GpuFailed, "ended with status 1") as raised:
            gpu.grade(DOUBLE, executed(body))
        assert raised.value.kind == "crashed"
        assert gpu.grade(DOUBLE, GOOD).right


def test_a_host_that_goes_away_while_a_kernel_runs(ssh, tmp_path):
    ssh()
    goes = f"os.kill(int(open({str(tmp_path / 'pid')!r}).read()), 15); time.sleep(600)"
    with Gpu(HOST, seconds=PATIENCE_S, setup=UNGATED) as gpu:
        gpu.describe()
        with pytest.raises(GpuFailed) as raised:
            gpu.grade(DOUBLE, executed(goes))
        assert raised.value.kind == "host"
        assert english(raised.value).startswith(f"the connection to {HOST} was lost")
        assert gpu.grade(DOUBLE, GOOD).right  # and is there again


@pytest.fixture
def sshd(tmp_path, needs_program, monkeypatch) -> Iterator[str]:
    """A real server on loopback, with keys of its own: the name of its host."""
    needs_program("ssh")
    server = needs_program("sshd")
    for name in ("host", "person"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True
        )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = tmp_path / "sshd_config"
    settings.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {tmp_path}/host\nPidFile none\n"
        f"AuthorizedKeysFile {tmp_path}/person.pub\nStrictModes no\nUsePAM no\n"
        "PasswordAuthentication no\nPermitRootLogin prohibit-password\n",
        "utf-8",
    )
    Path("/run/sshd").mkdir(exist_ok=True)  # where it separates privileges, when run by root
    running = subprocess.Popen([server, "-D", "-e", "-f", settings])
    # Ours finds port, key and known hosts; everything else is ssh's own.
    wrapper = tmp_path / "bin" / "ssh"
    wrapper.parent.mkdir()
    options = f"-p {port} -i {tmp_path}/person -o IdentitiesOnly=yes -o StrictHostKeyChecking=no"
    known = f"-o UserKnownHostsFile={tmp_path}/known -o LogLevel=ERROR"
    program = shlex.quote(needs_program("ssh"))
    wrapper.write_text(f'#!/bin/sh\nexec {program} {options} {known} "$@"\n', "utf-8")
    wrapper.chmod(0o755)
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\nexport TMPDIR={tmp_path}\ncd {ROOT} && exec {sys.executable} "$@"\n', "utf-8"
    )
    python.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")

    def listens() -> bool:
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(listens)
        yield f"{getpass.getuser()}@127.0.0.1"
    finally:
        running.terminate()
        running.wait(10)


@pytest.mark.long
def test_through_a_real_sshd(sshd, tmp_path):
    setup = replace(UNGATED, python=str(tmp_path / "python"))
    with Gpu(sshd, seconds=3, setup=setup) as gpu:
        assert gpu.describe() == FACTS
        assert gpu.grade(DOUBLE, GOOD).right
        for body, words in (
            (SEGFAULT, "ended with status 139"),
            ("os._exit(3)", "ended with status 3"),
            (FOREVER, "timed out"),
        ):
            found = gpu.grade(DOUBLE, executed(body)).verdict.failure.reason
            assert words in english(found)
            assert gpu.grade(DOUBLE, GOOD).right
    stranger = f"nobody-such@{sshd.partition('@')[2]}"
    with Gpu(stranger, setup=setup) as gpu, pytest.raises(GpuFailed) as raised:
        gpu.describe()
    assert raised.value.kind == "host"
    until(lambda: not left_behind(tmp_path), lambda: left_behind(tmp_path))


def left_behind(folder: Path) -> list[str]:
    """The processes of this host that keep temporary files in a folder, as a worker there does."""
    given = f"TMPDIR={folder}"
    return [
        path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if given in read(path)
    ]


def read(environment: Path) -> str:
    try:
        return environment.read_text("utf-8", "replace")
    except OSError:  # it has ended, or is another person's
        return ""


def test_without_a_program_ssh_there_is_no_host(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with Gpu(HOST) as gpu, pytest.raises(GpuFailed) as raised:
        gpu.describe()
    assert raised.value.kind == "host"
    assert "there is no `ssh` here; install the OpenSSH client" in english(raised.value)
