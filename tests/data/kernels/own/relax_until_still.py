"""Spreads labels along a ring until syncthreads_or says that nothing changed."""
import numpy as np
from numba import cuda, int32

B = 64


@cuda.jit
def kernel(a, out, rounds):
    s = cuda.shared.array(B, int32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # @fill
    cuda.syncthreads()  # @sync
    changed, n = 1, 0
    while changed:  # @loop
        v = min(s[t], s[(t + 1) % B])  # @get
        cuda.syncthreads()  # @read
        mine = 1 if v != s[t] else 0
        s[t] = v  # @put
        changed = cuda.syncthreads_or(mine)  # @vote
        n += 1
    out[t] = s[t]  # @store
    if t == 0:
        rounds[0] = n  # @rounds


def case(random):
    a = random.integers(0, 50, B).astype(np.int32)
    right, rounds = a.copy(), 1
    while not (new := np.minimum(right, np.roll(right, -1))).tolist() == right.tolist():
        right, rounds = new, rounds + 1
    return {
        "grid": 1, "block": B,
        "arguments": {"a": a, "out": np.zeros_like(a), "rounds": np.zeros(1, np.int64)},
        "right": {"out": right, "rounds": np.array([rounds])},
    }


FAULTS = [
    (("drop", "sync"), "race", "fill get"),
    (("drop", "read"), "race", "get put"),
    (("edit", "vote", "cuda.syncthreads_or(mine)", "mine"), "race barrier-divergence", "get put read loop"),
    (("edit", "get", "(t + 1) % B", "t + 1"), "out-of-bounds", "get"),
    (("edit", "loop", "changed", "True"), "budget", "loop get put vote read"),
    (("drop", "rounds"), "never-written", "def"),
]
