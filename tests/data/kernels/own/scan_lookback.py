"""Inclusive sums of all elements in one pass: each block looks back at what earlier ones published."""
import numpy as np
from numba import cuda, int64

B = 32


@cuda.jit
def kernel(a, ticket, state, aggregate, inclusive, out):
    s = cuda.shared.array(B, int64)
    mine = cuda.shared.array(2, int64)
    t = cuda.threadIdx.x
    if t == 0:
        mine[0] = cuda.atomic.add(ticket, 0, 1)  # @ticket
    cuda.syncthreads()  # @know
    tile = mine[0]  # @tile
    s[t] = a[tile * B + t]  # @fill
    cuda.syncthreads()  # @sync
    d = 1
    while d < B:
        v = s[t - d] if t >= d else 0  # @get
        cuda.syncthreads()  # @read
        s[t] += v  # @add
        cuda.syncthreads()  # @wrote
        d *= 2
    if t == 0:  # @lead
        total = s[B - 1]
        aggregate[tile] = total  # @aggregate
        cuda.threadfence()  # @fence1
        cuda.atomic.max(state, tile, 1)  # @one
        before = 0
        k = tile - 1
        while k >= 0:  # @back
            seen = cuda.atomic.max(state, k, 0)  # @look
            if seen == 2:
                before += inclusive[k]  # @inclusive
                break
            if seen == 1:
                before += aggregate[k]  # @partial
                k -= 1
        inclusive[tile] = before + total  # @own
        cuda.threadfence()  # @fence2
        cuda.atomic.max(state, tile, 2)  # @two
        mine[1] = before  # @before
    cuda.syncthreads()  # @share
    out[tile * B + t] = s[t] + mine[1]  # @store


def case(random):
    a = random.integers(0, 100, 8 * B)
    return {
        "grid": 8, "block": B,
        "arguments": {
            "a": a, "ticket": np.zeros(1, np.int64), "state": np.zeros(8, np.int64),
            "aggregate": np.zeros(8, np.int64), "inclusive": np.zeros(8, np.int64), "out": np.zeros_like(a),
        },
        "right": {"out": np.cumsum(a)},
    }


FAULTS = [
    (("drop", "know"), "race", "ticket tile"),
    (("drop", "fence1"), "global-race", "aggregate partial"),
    (("drop", "one"), "equivalent", "each block then waits until the one before it has published its inclusive sum: slower, and right"),
    (("drop", "share"), "race", "before store"),
    (("plain", "ticket"), "global-race", "ticket"),
    (("drop", "sync"), "race", "fill get"),
    (("drop", "wrote"), "race", "add get"),
    (("drop", "before"), "uninitialised-read", "store before"),
    (("edit", "fence1", "threadfence", "threadfence_block"), "global-race", "aggregate partial"),
    (("edit", "look", "cuda.atomic.max(state, k, 0)", "1"), "global-race", "aggregate partial look"),
    (("edit", "store", "tile * B + t", "tile + t"), "global-race never-written", "store def"),
]
