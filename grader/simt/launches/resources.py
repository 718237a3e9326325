"""Checks a launch against a device's limits: threads of a block, grid sizes, shared memory."""

from __future__ import annotations

from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.errors import DeviceRefusal
from grader.simt.machine.chunk import LaunchState
from grader.simt.program.kernel import CompiledKernel

MOST_THREADS = 1024
MOST_BLOCK = (1024, 1024, 64)
MOST_GRID = (2**31 - 1, 65535, 65535)
PROCESSORS, RESIDENT_BLOCKS, RESIDENT_WARPS = 132, 32, 64
"""Of an H200; blocks and warps on each processor."""
_ABSURD = 1 << 16
_ABSURD_BYTES = (1 << 29) + (1 << 20)
"""What is within a device's limits takes at most 512 KB for each of 1,024 threads."""
LOCAL_BYTES = 512 * 1024
"""Of a thread, on every architecture (CUDA C++ Programming Guide, compute capabilities)."""
STATIC_BYTES = 48 * 1024
"""Without opting in, on every architecture."""
DYNAMIC_KILOBYTES = {
    **dict.fromkeys(("6.0", "6.1", "6.2"), 48),
    **dict.fromkeys(("7.0", "7.2"), 96),
    "7.5": 64,
    **dict.fromkeys(("8.0", "8.7"), 163),
    **dict.fromkeys(("8.6", "8.8", "8.9", "12.0", "12.1", "12.x"), 99),
    **dict.fromkeys(("9.0", "10.0", "10.3", "10.x", "11.0"), 227),
}
"""Of a block after opting in, by compute capability (shared/hardware/README.md of this project)."""
MOST_SHARED = DYNAMIC_KILOBYTES["9.0"] * 1024
"""Of a block of the emulated device."""
AS_NEEDED = 1 << 31
"""Bytes that a kernel opts in to whose launches may have all that a device has."""


def most_dynamic_bytes(static_bytes: int, opted_in: int | None) -> int:
    """Return the most dynamic shared memory that a kernel may have; see `check_resources`."""
    return max(0, STATIC_BYTES - static_bytes) if opted_in is None else opted_in


def check_resources(state: LaunchState, ready: CompiledKernel, opted_in: int | None) -> None:
    """Report what a device would refuse.

    Args:
        opted_in: bytes of dynamic shared memory that the kernel opted in to; None: to none.
    """
    local_bytes, most_threads = ready.program.local_bytes, ready.program.most_threads
    too_many = state.geometry.block_threads > MOST_THREADS
    if too_many:
        what = fact("finding.threads", threads=state.geometry.block_threads, most=MOST_THREADS)
        _report(state, "threads", what)
    elif most_threads is not None and state.geometry.block_threads > most_threads:
        what = fact(
            "finding.launch-bounds", threads=state.geometry.block_threads, most=most_threads
        )
        _report(state, "threads", what)
    for axis, size, most in zip("xyz", state.geometry.block, MOST_BLOCK, strict=True):
        if size > most and not too_many:
            _report(state, "block", fact("finding.block", size=size, axis=axis, most=most))
    for axis, size, most in zip("xyz", state.geometry.grid, MOST_GRID, strict=True):
        if size > most:
            _report(state, "grid", fact("finding.grid", size=size, axis=axis, most=most))
    _check_shared(state, ready, opted_in)
    if local_bytes > LOCAL_BYTES:
        what = fact("finding.local-memory", bytes=local_bytes, most=LOCAL_BYTES)
        _report(state, "local memory", what, ready.function.start)


def refuse_absurd(state: LaunchState, local_bytes: int) -> None:
    """Require a block that can be emulated, whether or not a device would take it.

    Raises:
        DeviceRefusal: it is too large.
    """
    if state.geometry.block_threads > _ABSURD:
        raise DeviceRefusal(
            fact("simt.block-too-large", threads=state.geometry.block_threads, most=MOST_THREADS)
        )
    each = state.geometry.padded * local_bytes + state.static_bytes + state.dynamic_bytes
    if each > _ABSURD_BYTES:
        raise DeviceRefusal(fact("simt.block-memory", bytes=each))


def _check_shared(state: LaunchState, ready: CompiledKernel, opted_in: int | None) -> None:
    if state.static_bytes > STATIC_BYTES:
        what = fact("finding.static-memory", bytes=state.static_bytes, most=STATIC_BYTES)
        _report(state, "shared memory", what, ready.function.start)
    most = DYNAMIC_KILOBYTES.get(state.arch, 48) * 1024
    both = state.static_bytes + state.dynamic_bytes
    if both > most:
        what = fact("finding.shared-memory", bytes=both, most=most, arch=state.arch)
        _report(state, "shared memory", what)
        return
    most = most_dynamic_bytes(state.static_bytes, opted_in)
    if state.dynamic_bytes > most:
        kernel = ready.function.name
        what = fact("finding.opt-in", bytes=state.dynamic_bytes, most=most, kernel=kernel)
        _report(state, "shared memory", what)


def _report(state: LaunchState, topic: str, what: Fact, at: tuple[int, int] = (0, 0)) -> None:
    finding = Finding("resources", *at, what, topic)
    state.findings.add(("resources", topic, str(what)), 1, lambda: finding)
