"""Checks a launch against a device's limits: threads of a block, grid sizes, shared memory."""

from __future__ import annotations

from grader.facts import Fact, fact
from grader.simt.checks.findings import Finding
from grader.simt.errors import DeviceRefusal
from grader.simt.machine.chunk import LaunchState

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


def check_resources(state: LaunchState, local_bytes: int, most_threads: int | None) -> None:
    """Report what a device would refuse.

    Args:
        state: the launch.
        local_bytes: of local arrays, a thread.
        most_threads: that the kernel's source allows a block; None: it does not say.

    Raises:
        DeviceRefusal: the block is too large to be emulated.
    """
    if state.geometry.block_threads > _ABSURD:
        raise DeviceRefusal(
            fact("simt.block-too-large", threads=state.geometry.block_threads, most=MOST_THREADS)
        )
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
    _check_shared(state)
    if local_bytes > LOCAL_BYTES:
        _report(
            state,
            "local memory",
            fact("finding.local-memory", bytes=local_bytes, most=LOCAL_BYTES),
        )
    each = state.geometry.padded * local_bytes + state.static_bytes + state.dynamic_bytes
    if each > _ABSURD_BYTES:
        raise DeviceRefusal(fact("simt.block-memory", bytes=each))


def _check_shared(state: LaunchState) -> None:
    if state.static_bytes > STATIC_BYTES:
        what = fact("finding.static-memory", bytes=state.static_bytes, most=STATIC_BYTES)
        _report(state, "shared memory", what)
    most = DYNAMIC_KILOBYTES.get(state.arch, 48) * 1024
    both = state.static_bytes + state.dynamic_bytes
    if both > most:
        what = fact("finding.shared-memory", bytes=both, most=most, arch=state.arch)
        _report(state, "shared memory", what)


def _report(state: LaunchState, topic: str, what: Fact) -> None:
    finding = Finding("resources", 0, 0, what, topic)
    state.findings.add(("resources", topic, str(what)), 1, lambda: finding)
