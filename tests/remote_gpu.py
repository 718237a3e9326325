"""Another host with a GPU: a program that stands in for ssh, and a device that is the emulator.

For everything that asks a GPU as a person has it asked: `gpu.host`, or `--gpu-host`, names `HOST`.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from grader.gpu.command import NUMBA_DEVICE
from tests.forked_workers import FORKED_HOST
from tests.grader.gpu.tools import DEVICE, ROOT

HOST = "person@far"
_SSH = """\
#!/bin/sh
exec 3<&0
echo "$*" >>{log}
while [ "$1" != -- ]; do shift; done
shift
[ "$1" = {host} ] || exit 255
shift
export TMPDIR={temporary}  # a host that is switched off leaves a folder
export PATH={programs}:"$PATH"  # with its python3
{before}
cd {there}
command=$(printf %s "$*" | sed 's/{numba}/{device}/')
# Of a session of its own, as on another host; the background would take away its standard input.
{python} -c 'import os, sys; os.setsid(); os.execvp("sh", ["sh", "-c", sys.argv[1]])' "$command" \\
    <&3 &
child=$!
exec 3<&-
echo $$ >{pid}
trap 'pkill -KILL -s $child; exit 255' TERM
wait $child
"""


def far_gpu(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: str = "",
    there: Path = ROOT,
    *,
    started: bool = False,
) -> str:
    """Put the stand-in for ssh on PATH, for this process and what it starts; the host's name.

    The device of a real worker becomes the emulator; one that only tests ask for stays. On a host
    of which nothing else is said the worker is forked, which takes 0.3 s less, unless `started`.

    Args:
        folder: gets `bin/ssh`; `log`, a line a call; `pid`, the stand-in's; the host's own files.
        monkeypatch: of the test.
        before: shell that the host runs first: a failure, or another environment.
        there: the folder that commands run in on the host.
        started: the stand-in itself starts the worker.
    """
    program = folder / "bin" / "ssh"
    program.parent.mkdir(exist_ok=True)
    names = {
        "log": folder / "log", "host": HOST, "temporary": folder, "there": there,
        "programs": Path(sys.executable).parent, "python": sys.executable, "pid": folder / "pid",
    }  # fmt: skip
    quoted = {name: shlex.quote(str(value)) for name, value in names.items()}
    text = _SSH.format(**quoted, before=before, numba=NUMBA_DEVICE, device=DEVICE)
    if not before and there == ROOT and not started:
        known = {
            "name": HOST, "log": str(names["log"]), "numba": NUMBA_DEVICE, "device": DEVICE,
            "environment": {"TMPDIR": str(program.parent)},
        }  # fmt: skip
        text += f"{FORKED_HOST}{json.dumps(known)}\n"
    program.write_text(text, "utf-8")
    program.chmod(0o755)
    first = str(program.parent)
    if os.environ["PATH"].partition(os.pathsep)[0] != first:
        monkeypatch.setenv("PATH", f"{first}{os.pathsep}{os.environ['PATH']}")
    return HOST
