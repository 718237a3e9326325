"""Puts each block's elements at the places whose bits are reversed, through shared memory."""
import numpy as np
from numba import cuda, uint32

B, BITS = 64, 6


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(B, uint32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    there = cuda.brev(uint32(t)) >> (32 - BITS)  # @there
    s[there] = a[i]  # @fill
    cuda.syncthreads()  # @sync
    out[i] = s[t]  # @read


def case(random):
    a = random.integers(0, 1 << 32, 4 * B).astype(np.uint32)
    there = np.array([int(f"{t:06b}"[::-1], 2) for t in range(B)])
    return {
        "grid": 4, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a)},
        "right": {"out": a.reshape(4, B)[:, there].reshape(-1)},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill read"),
    (("edit", "there", "32 - BITS", "31 - BITS"), "out-of-bounds", "fill there"),
    (("edit", "there", "32 - BITS", "33 - BITS"), "race uninitialised-read", "fill read there"),
    (("edit", "fill", "s[there]", "s[t & 31]"), "race uninitialised-read", "fill read"),
    (("edit", "read", "out[i]", "out[there]"), "global-race never-written", "read def"),
    (("within", "sync", "t < 32"), "barrier-divergence", "sync"),
]
