"""Looks at the GPU that the settings name: describes it and runs a test kernel on it.

Reports why there is none, otherwise. Every question can be answered without a GPU.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from grader import banks
from grader import gpu as grader_gpu
from grader.facts import Fact, fact
from quizapp.study.health import Check, Health
from quizapp.system.config import GpuSettings
from quizapp.system.gpu import NotMeasured, device_nodes, gpu_of

if TYPE_CHECKING:
    from grader.banks import Architecture
    from grader.gpu import DeviceFacts, Gpu, GpuFailed

Wait = Callable[[Fact], AbstractContextManager[None]]
"""Shows, while a `with` block takes long, what is waited for."""

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
_EVIDENCE = {
    "measured": fact("doctor.measured"),
    "published": fact("doctor.published"),
    "inferred": fact("doctor.inferred"),
}


def check_gpu(settings: GpuSettings, waiting: Wait) -> Iterator[Check]:
    """Describe the GPU and try a kernel on it; or report why there is none, and what to do."""
    gpu = gpu_of(settings)
    if isinstance(gpu, NotMeasured):
        yield from _check_absent(gpu)
        return
    with gpu:
        try:
            with waiting(describe_connection(gpu.host)):
                facts = gpu.describe()
            yield from _check_device(facts, gpu.host)
            yield _check_bank_model(facts.capability)
        except grader_gpu.GpuFailed as error:
            yield _failure("device", error, gpu)
            return
        try:
            yield _check_test_kernel(gpu, waiting)
        except grader_gpu.GpuFailed as error:
            yield _failure("test-kernel", error, gpu)


def describe_connection(host: str | None) -> Fact:
    """Say what the first answer of a GPU is waited for."""
    return fact("gpu.asking", host=host) if host else fact("gpu.asking-here")


def _check_absent(reason: NotMeasured) -> Iterator[Check]:
    """Report why there is no GPU: a note only if one could be used."""
    if reason.kind == "off":
        yield Check("gpu", "device", Health.OK, reason.what, reason.todo)
    elif reason.kind == "no-device":
        yield _check_traces(reason)
    else:
        nodes = fact("doctor.device-nodes", nodes=tuple(device_nodes()))
        yield Check("gpu", "device", Health.OK, nodes)
        yield Check("gpu", "packages", Health.NOTE, reason.what, _extra_to_install(reason.todo))


def _check_traces(reason: NotMeasured) -> Check:
    """Look for signs of a driver whose device is not visible here."""
    tool = shutil.which(_TOOL)
    signs = [tool] if tool else []
    signs += [path for path in _LIBCUDA if Path(path).exists()][:1]
    if not signs:
        absent = fact("doctor.no-gpu", what=reason.what)
        return Check("gpu", "device", Health.OK, absent, reason.todo)
    return Check("gpu", "device", Health.NOTE, fact("doctor.hidden-gpu", signs=tuple(signs)))


def _extra_to_install(unknown: Fact | None) -> Fact | None:
    """Name the extra that fits the driver; `unknown` is the advice where no driver answers."""
    version = grader_gpu.driver_version()
    if not version:
        return unknown
    for extra, first in _EXTRAS:
        if _major(version) >= first:
            return fact("doctor.install-extra", extra=extra, driver=version)
    extra, first = _EXTRAS[-1]
    return fact("doctor.update-driver", driver=version, first=first, extra=extra)


def _check_device(facts: DeviceFacts, host: str | None) -> Iterator[Check]:
    """Report the device, its driver, and what kernels are compiled with."""
    if host:
        what = fact("doctor.gpu-there", name=facts.name, host=host, sms=facts.multiprocessors)
    else:
        what = fact("doctor.gpu-here", name=facts.name, sms=facts.multiprocessors)
    yield Check("gpu", "device", Health.OK, what)
    capability = fact("doctor.capability", capability=facts.capability)
    yield Check("gpu", "capability", Health.OK, capability)
    memory = fact("doctor.memory", gib=round(facts.memory / _GIBI, 1))
    yield Check("gpu", "memory", Health.OK, memory)
    if facts.driver:
        installed = fact("doctor.driver", driver=facts.driver, cuda=facts.driver_cuda)
    else:
        installed = fact("doctor.unknown-driver", cuda=facts.driver_cuda)
    yield Check("gpu", "driver", Health.OK, installed)
    if _major(facts.runtime) > _major(facts.driver_cuda):
        extra = f"gpu-cu{_major(facts.driver_cuda)}"
        newer = fact("doctor.newer-runtime", cuda=facts.runtime, extra=extra)
        yield Check("gpu", "runtime", Health.NOTE, newer)
    else:
        yield Check("gpu", "runtime", Health.OK, fact("doctor.runtime", cuda=facts.runtime))
    packages = tuple(f"{name} {version}" for name, version in facts.versions.items())
    yield Check("gpu", "packages", Health.OK, fact("doctor.packages", packages=packages))


def _check_bank_model(capability: str) -> Check:
    """Report how the bank model's counts are known for this architecture."""
    try:
        row = banks.architecture(capability)
    except banks.InvalidAccess:
        unknown = fact("doctor.not-in-bank-model", capability=capability)
        return Check("gpu", "bank-model", Health.NOTE, unknown)
    return Check("gpu", "bank-model", Health.OK, fact("doctor.bank-model", evidence=_evidence(row)))


def _evidence(row: Architecture) -> Fact:
    """Group accesses by how their count is known: measured, published, inferred."""
    widths: dict[str, set[int]] = {}
    known: dict[str, dict[str, set[int]]] = {}
    for rule in row.rules:
        for kind in rule.kinds:
            widths.setdefault(kind, set()).update(rule.widths)
            kinds = known.setdefault(rule.known.evidence, {})
            kinds.setdefault(kind, set()).update(rule.widths)
    if len(known) == 1:
        return _EVIDENCE[next(iter(known))]
    groups = [
        fact(
            "doctor.evidence",
            evidence=_EVIDENCE[evidence],
            accesses=tuple(_access(kind, some, widths[kind]) for kind, some in kinds.items()),
        )
        for evidence, kinds in known.items()
    ]
    return reduce(lambda first, then: fact("doctor.more-evidence", first=first, then=then), groups)


def _access(kind: str, widths: set[int], every: set[int]) -> str | Fact:
    """Name a kind of access, with its widths if they are not all."""
    if widths == every:
        return kind
    return fact("doctor.access", kind=kind, widths="/".join(map(str, sorted(widths))))


def _check_test_kernel(gpu: Gpu, waiting: Wait) -> Check:
    """Compile and run a kernel, and compare its result. Raises GpuFailed: no answer."""
    start = time.monotonic()
    with waiting(fact("gpu.testing")):
        test = gpu.selftest()
    seconds = round(time.monotonic() - start, 1)
    if test.right:
        return Check("gpu", "test-kernel", Health.OK, fact("doctor.kernel-right", seconds=seconds))
    if not test.compiles:
        what = fact("doctor.kernel-not-compiled", seconds=seconds, reason=test.what)
    elif not test.runs:
        what = fact("doctor.kernel-not-run", seconds=seconds, reason=test.what)
    else:
        what = fact("doctor.kernel-wrong", seconds=seconds, reason=test.what)
    return Check("gpu", "test-kernel", Health.PROBLEM, what, fact("doctor.reinstall-extra"))


def _failure(name: str, error: GpuFailed, gpu: Gpu) -> Check:
    """Report a GPU that does not answer: a problem if a person named it or if it is there."""
    absent = gpu.host is None and error.kind in ("no-device", "no-package")
    health = Health.NOTE if absent else Health.PROBLEM
    # The advice of two kinds is to run this very command.
    again = fact("doctor.try-again")
    todo = again if error.kind in ("slow", "crashed") else error.todo
    return Check("gpu", name, health, error.what, todo)


def _major(version: str) -> int:
    """Return the first number of a version; 0 if it has none."""
    first = version.partition(".")[0]
    return int(first) if first.isdecimal() else 0
