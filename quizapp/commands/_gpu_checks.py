"""What `quiz doctor` finds out about the GPU that the settings name: asks it, with a test kernel.

Where there is nobody to ask it says why. Every question can be answered without a GPU.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.commands._checks import Finding, Status
from quizapp.commands._output import said_while_waiting
from quizapp.config import Settings
from quizapp.gpu import NotMeasured, device_nodes, gpu_of

if TYPE_CHECKING:
    from grader.banks import Architecture
    from grader.gpu import DeviceFacts, Gpu, GpuFailed

_TOOL = "nvidia-smi"
_LIBCUDA = (
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
)
_EXTRAS = (("gpu-cu13", 580), ("gpu-cu12", 525))
"""By extra the first driver that its CUDA runs on: NVIDIA, CUDA Compatibility, table 1."""
_GIBI = 1 << 30


def gpu(settings: Settings) -> Iterator[Finding]:
    """What the GPU is and whether a kernel runs on it; or why none is asked, and what to do."""
    found = gpu_of(settings.gpu)
    if isinstance(found, NotMeasured):
        yield from _nobody(found)
        return
    from grader.gpu import GpuFailed  # noqa: PLC0415 - NumPy, 80 ms

    where = found.host or "this machine"
    with found:
        try:
            with said_while_waiting(f"asking for the GPU on {where}"):
                facts = found.describe()
            yield from _described(facts, where)
            yield from _bank_model(facts.capability)
        except GpuFailed as error:
            yield _failed("device", error, found)
            return
        try:
            yield _tested(found)
        except GpuFailed as error:
            yield _failed("test kernel", error, found)


def _nobody(reason: NotMeasured) -> Iterator[Finding]:
    """Only a GPU that could be used and is not is worth a note."""
    if reason.kind == "off":
        what = f"{reason.what}; {reason.todo} switches it on"
        yield Finding("gpu", "device", Status.OK, what)
    elif reason.kind == "no-device":
        yield _no_device(reason)
    else:
        seen = f"seen: {', '.join(device_nodes())}"
        yield Finding("gpu", "device", Status.OK, seen)
        yield Finding("gpu", "packages", Status.NOTE, reason.what, _installing(reason.todo))


def _no_device(reason: NotMeasured) -> Finding:
    tool = shutil.which(_TOOL)
    signs = [tool] if tool else []
    signs += [path for path in _LIBCUDA if Path(path).exists()][:1]
    if not signs:
        what = f"{reason.what}, and nothing here needs one; {reason.todo}"
        return Finding("gpu", "device", Status.OK, what)
    what = f"{reason.what}, though there is {' and '.join(signs)}"
    todo = f"`{_TOOL}` must list one; a container has to be given it"
    return Finding("gpu", "device", Status.NOTE, what, todo)


def _installing(either: str) -> str:
    """Which extra is for the driver that is there; `either` where nobody can tell."""
    from grader.gpu.driver import driver_version  # noqa: PLC0415 - with its package, 80 ms

    driver = driver_version()
    if not driver:
        return either
    for extra, first in _EXTRAS:
        if _major(driver) >= first:
            return f"install gpu-quiz[{extra}]: its CUDA is for a driver as of {driver}"
    extra, first = _EXTRAS[-1]
    return f"update the driver, which is {driver}, to {first} or newer; then gpu-quiz[{extra}]"


def _described(facts: DeviceFacts, where: str) -> Iterator[Finding]:
    """The device, its driver, and what kernels are compiled with."""
    what = f"{facts.name} on {where}, {facts.multiprocessors} multiprocessors"
    yield Finding("gpu", "device", Status.OK, what)
    yield Finding("gpu", "capability", Status.OK, facts.capability)
    yield Finding("gpu", "memory", Status.OK, f"{facts.memory / _GIBI:,.1f} GiB")
    driver = f"{facts.driver or 'version not told'}, for CUDA up to {facts.driver_cuda}"
    yield Finding("gpu", "driver", Status.OK, driver)
    if _major(facts.runtime) > _major(facts.driver_cuda):
        what = f"CUDA {facts.runtime}, newer than the driver knows"
        todo = f"install gpu-quiz[gpu-cu{_major(facts.driver_cuda)}], or update the driver"
        yield Finding("gpu", "runtime", Status.NOTE, what, todo)
    else:
        yield Finding("gpu", "runtime", Status.OK, f"CUDA {facts.runtime}")
    packages = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    yield Finding("gpu", "packages", Status.OK, packages)


def _bank_model(capability: str) -> Iterator[Finding]:
    """How the model's counts are known for this architecture."""
    from grader.banks import InvalidAccess, architecture  # noqa: PLC0415 - NumPy, 80 ms

    try:
        row = architecture(capability)
    except InvalidAccess:
        what = f"knows no compute capability {capability}"
        todo = "counts are for 9.0 where a question says nothing else, and may differ on this GPU"
        yield Finding("gpu", "bank model", Status.NOTE, what, todo)
        return
    yield Finding("gpu", "bank model", Status.OK, _known(row))


def _known(row: Architecture) -> str:
    """Accesses by how their count is known: `measured: load, atom of 4 bytes; inferred: …`."""
    widths: dict[str, set[int]] = {}
    standings: dict[str, dict[str, set[int]]] = {}
    for rule in row.rules:
        for kind in rule.kinds:
            widths.setdefault(kind, set()).update(rule.widths)
            of_standing = standings.setdefault(rule.known.standing, {})
            of_standing.setdefault(kind, set()).update(rule.widths)
    if len(standings) == 1:
        return next(iter(standings))
    return "; ".join(
        f"{standing}: {', '.join(_access(kind, some, widths[kind]) for kind, some in of.items())}"
        for standing, of in standings.items()
    )


def _access(kind: str, widths: set[int], every: set[int]) -> str:
    """A kind of access, with the widths that are meant where these are not all."""
    if widths == every:
        return kind
    return f"{kind} of {'/'.join(map(str, sorted(widths)))} bytes"


def _tested(asked: Gpu) -> Finding:
    """Whether a kernel compiles, runs and is right.

    Raises:
        GpuFailed: no answer.
    """
    began = time.monotonic()
    with said_while_waiting("running a test kernel"):
        said = asked.selftest()
    took = f"in {time.monotonic() - began:.1f} s"
    if said["right"]:
        return Finding("gpu", "test kernel", Status.OK, f"compiled, ran and was right, {took}")
    reached = "compiled and ran, and was wrong" if said["runs"] else "compiled, and did not run"
    came = reached if said["compiles"] else "did not compile"
    todo = "install gpu-quiz[gpu-cu12] or [gpu-cu13] anew, by the CUDA of the driver"
    return Finding("gpu", "test kernel", Status.PROBLEM, f"{came}, {took}: {said['what']}", todo)


def _failed(name: str, error: GpuFailed, asked: Gpu) -> Finding:
    """Of a host that a person named, and of a GPU that there is, something does not work."""
    absent = asked.host is None and error.kind in ("no-device", "no-package")
    status = Status.NOTE if absent else Status.PROBLEM
    # Two kinds name this very command as the next step.
    again = "try again; see that `nvidia-smi` answers there"
    todo = again if error.kind in ("slow", "crashed") else error.todo
    return Finding("gpu", name, status, error.what, todo)


def _major(version: str) -> int:
    """The first number of a version; 0 where it has none."""
    first = version.partition(".")[0]
    return int(first) if first.isdecimal() else 0
