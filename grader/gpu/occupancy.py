"""Computes how many blocks an SM holds at once, and what limits them. Pure arithmetic."""

from __future__ import annotations

from typing import NamedTuple

from grader.gpu.outcome import Limiter

WARP = 32
_REGISTER_UNIT = 256
"""Registers that a warp is given at a time (cuda_occupancy.h)."""
_WARP_UNIT = 4
"""Sub-partitions of an SM: each has its own register file."""
_SHARED_UNIT = {7: 256}
"""Bytes that shared memory is given in; 128 from 8.0 on (cuda_occupancy.h)."""
_RESERVED = 1024
"""Bytes of shared memory that the system takes of each block from 8.0 on (CUDA C++ Programming
Guide, Compute Capability 8.x, Shared Memory)."""


class _Multiprocessor(NamedTuple):
    warps: int
    blocks: int
    shared: int
    registers: int = 65536


_KB = 1024
_MULTIPROCESSORS = {
    # CUDA C++ Programming Guide, Compute Capabilities, Technical Specifications per Compute
    # Capability: maximum resident warps, resident blocks, shared memory per SM.
    **dict.fromkeys(("7.0", "7.2"), _Multiprocessor(64, 32, 96 * _KB)),
    "7.5": _Multiprocessor(32, 16, 64 * _KB),
    "8.0": _Multiprocessor(64, 32, 164 * _KB),
    "8.6": _Multiprocessor(48, 16, 100 * _KB),
    "8.7": _Multiprocessor(48, 16, 164 * _KB),
    "8.9": _Multiprocessor(48, 24, 100 * _KB),
    "9.0": _Multiprocessor(64, 32, 228 * _KB),
    **dict.fromkeys(("10.0", "10.3"), _Multiprocessor(64, 32, 228 * _KB)),
    **dict.fromkeys(("12.0", "12.1"), _Multiprocessor(48, 24, 100 * _KB)),
}


class Occupancy(NamedTuple):
    """Blocks and warps that an SM holds.

    Attributes:
        share: of the warps it could hold.
        limiter: `registers`, `shared memory`, `threads` or `blocks`; empty if unknown.
    """

    blocks: int
    share: float
    limiter: Limiter


def occupancy(capability: str, threads: int, registers: int, shared: int) -> Occupancy:
    """Compute how many blocks an SM holds at once.

    Args:
        capability: major.minor; all is 0 for one that is not in the table.
        threads: of a block.
        registers: of a thread.
        shared: bytes of a block, dynamic ones included.
    """
    device = _MULTIPROCESSORS.get(capability)
    if device is None:
        return Occupancy(0, 0.0, "")
    major = int(capability.partition(".")[0])
    warps = _round_up(threads, WARP) // WARP
    limits: dict[Limiter, int] = {
        "blocks": device.blocks,
        "threads": device.warps // warps,
        "registers": _limit_by_registers(device, warps, registers),
        "shared memory": _limit_by_shared(device, major, shared),
    }
    limiter = min(limits, key=lambda name: limits[name])
    blocks = limits[limiter]
    return Occupancy(blocks, blocks * warps / device.warps, limiter)


def shared_room(capability: str, shared: int) -> tuple[int, int]:
    """Return the bytes of shared memory of an SM, and those that a block is given of them."""
    major = int(capability.partition(".")[0])
    return _MULTIPROCESSORS[capability].shared, _take_shared(major, shared)


def stated_limits(capability: str) -> dict[str, int]:
    """Return the limits of an SM that count beside registers, by the names that texts give them."""
    device, major = _MULTIPROCESSORS[capability], int(capability.partition(".")[0])
    return {
        "most": device.warps * WARP,
        "blocks": device.blocks,
        "room": device.shared,
        "unit": _SHARED_UNIT.get(major, 128),
        "reserved": _take_shared(major, 0),
    }


def _limit_by_registers(device: _Multiprocessor, warps: int, registers: int) -> int:
    if not registers:
        return device.blocks
    of_a_warp = _round_up(registers * WARP, _REGISTER_UNIT)
    held = device.registers // _WARP_UNIT // of_a_warp * _WARP_UNIT
    return held // warps


def _limit_by_shared(device: _Multiprocessor, major: int, shared: int) -> int:
    taken = _take_shared(major, shared)
    return device.shared // taken if taken else device.blocks


def _take_shared(major: int, shared: int) -> int:
    """Return what a block is given: whole units, and what the system takes."""
    unit = _SHARED_UNIT.get(major, 128)
    return _round_up(shared, unit) + (_RESERVED if major not in _SHARED_UNIT else 0)


def _round_up(number: int, unit: int) -> int:
    return -(-number // unit) * unit
