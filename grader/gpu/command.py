"""How a worker is started, here and through ssh, and what it finds in its environment."""

from __future__ import annotations

import os
import shlex

from grader.process import python

NUMBA_DEVICE = "grader.gpu.devices.numba_device"
WORKER = "grader.gpu.worker"
_LOCAL = ("CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "CONDA_PREFIX")
_SSH = ("SSH_AUTH_SOCK", "USER", "LOGNAME")
_OPTIONS = (
    "-o", "BatchMode=yes",  # ask nothing
    "-o", "ConnectTimeout=10",
    "-o", "ServerAliveInterval=5",  # a host that is gone is noticed within 15 s
    "-o", "ServerAliveCountMax=3",
    "-T",
)  # fmt: skip


def local_command(device: str, *, gated: bool) -> list[str]:
    """Build the command of a worker on this machine."""
    return [*python(WORKER), *_arguments(device, gated=gated)]


def ssh_command(host: str, interpreter: str, device: str, *, gated: bool) -> list[str]:
    """Build the command of a worker on another host, for any shell of its user."""
    arguments = [*_arguments(device, gated=gated), "--own-folder"]
    return ["ssh", *_OPTIONS, "--", host, shlex.join([interpreter, "-m", WORKER, *arguments])]


def environment(folder: str, host: str | None) -> dict[str, str]:
    """List the environment variables that only the worker, or ssh, needs.

    Args:
        folder: the worker's own, for files of its compiler and of the driver.
        host: None for this machine.
    """
    return {**passed_on(host), **(kept_in(folder) if host is None else {})}


def passed_on(host: str | None) -> dict[str, str]:
    """List the variables of this process that a worker needs, or ssh if there is a host."""
    names = _LOCAL if host is None else _SSH
    return {name: os.environ[name] for name in names if name in os.environ}


def kept_in(folder: str) -> dict[str, str]:
    """Set the variables that keep temporary files, and compiler and driver caches, in a folder."""
    return dict.fromkeys(("TMPDIR", "CUDA_CACHE_PATH", "NUMBA_CACHE_DIR"), folder)


def _arguments(device: str, *, gated: bool) -> list[str]:
    return ["--device", device, *([] if gated else ["--ungated"])]
