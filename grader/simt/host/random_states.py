"""The host's side of `numba.cuda.random`: arrays of generators."""

from __future__ import annotations

from typing import Any

from grader.simt.host import arrays
from grader.simt.host.numba_names.scalar_types import from_dtype
from grader.simt.intrinsics.functions import xoroshiro


def create_xoroshiro128p_states(
    n: int, seed: int, subsequence_start: int = 0, stream: Any = 0
) -> arrays.EmulatedArray:
    """Return generators on the device, each 2**64 steps after the one before."""
    states = arrays.device_array(n, dtype=xoroshiro.STATE, stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states


def init_xoroshiro128p_states(
    states: arrays.EmulatedArray, seed: int, subsequence_start: int = 0, stream: Any = 0
) -> None:
    """Seed generators that are on the device."""
    made = xoroshiro.make_states(states.size, int(seed), int(subsequence_start))
    states.copy_to_device(made, stream=stream)


def init_xoroshiro128p_states_cpu(states: Any, seed: int, subsequence_start: int) -> None:
    """Seed generators in an array of NumPy."""
    states[...] = xoroshiro.make_states(states.size, int(seed), int(subsequence_start))


MEMBERS: dict[str, Any] = {
    "create_xoroshiro128p_states": create_xoroshiro128p_states,
    "init_xoroshiro128p_states": init_xoroshiro128p_states,
    "init_xoroshiro128p_states_cpu": init_xoroshiro128p_states_cpu,
    "xoroshiro128p_dtype": xoroshiro.STATE,
    "xoroshiro128p_type": from_dtype(xoroshiro.STATE),
}
"""What `numba.cuda.random` has for the host."""
