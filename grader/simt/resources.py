"""What a device gives a launch: threads of a block, sizes of a grid, shared memory."""

from __future__ import annotations

from grader.simt.chunk import LaunchState
from grader.simt.errors import InvalidLaunch
from grader.simt.findings import Finding

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


def check_resources(state: LaunchState, local_bytes: int) -> None:
    """Report what the device would refuse.

    Args:
        state: the launch.
        local_bytes: of local arrays, a thread.

    Raises:
        InvalidLaunch: a block that is beyond anything.
    """
    if state.block_threads > _ABSURD:
        raise InvalidLaunch(f"a block of {state.block_threads} threads; at most {MOST_THREADS}")
    too_many = state.block_threads > MOST_THREADS
    if too_many:
        _report(
            state, "threads", f"a block of {state.block_threads} threads; at most {MOST_THREADS}"
        )
    for what, sizes, most in (("block", state.block, MOST_BLOCK), ("grid", state.grid, MOST_GRID)):
        for axis, size, limit in zip("xyz", sizes, most, strict=True):
            if size > limit and what == "grid":
                _report(state, "grid", f"the grid is {size} along {axis}; at most {limit}")
            elif size > limit and not too_many:
                _report(state, "block", f"the block is {size} along {axis}; at most {limit}")
    _check_shared(state)
    if local_bytes > LOCAL_BYTES:
        message = f"{local_bytes:,} bytes of local arrays in a thread; at most {LOCAL_BYTES:,}"
        _report(state, "local memory", message)
    each = state.padded * local_bytes + state.static_bytes + state.dynamic_bytes
    if each > _ABSURD_BYTES:
        raise InvalidLaunch(f"a block's shared and local arrays take {each:,} bytes")


def _check_shared(state: LaunchState) -> None:
    if state.static_bytes > STATIC_BYTES:
        message = f"{state.static_bytes} bytes of static shared memory; at most {STATIC_BYTES}"
        _report(state, "shared memory", message, "use dynamic shared memory: shape 0")
    most = DYNAMIC_KILOBYTES.get(state.arch, 48) * 1024
    both = state.static_bytes + state.dynamic_bytes
    if both > most:
        message = f"{both} bytes of shared memory in a block; at most {most} on {state.arch}"
        _report(state, "shared memory", message)


def _report(state: LaunchState, topic: str, message: str, hint: str = "") -> None:
    finding = Finding("resources", 0, 0, message, topic, hint=hint)
    state.findings.add(("resources", topic, message), 1, lambda: finding)
