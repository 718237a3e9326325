"""All threads of the last block gather what all threads of all blocks left."""
import numpy as np
from numba import cuda, int64

B = 64


@cuda.jit
def kernel(a, partial, ticket, out):
    last = cuda.shared.array(1, int64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    partial[i] = a[i] * a[i]  # @leave
    cuda.syncthreads()  # @sync
    if t == 0:
        cuda.threadfence()  # @fence
        last[0] = cuda.atomic.add(ticket, 0, 1)  # @ticket
    cuda.syncthreads()  # @know
    if last[0] == cuda.gridDim.x - 1:  # @last
        for k in range(t, partial.size, B):  # @loop
            out[k] = partial[partial.size - 1 - k]  # @gather


def case(random):
    a = random.integers(0, 100, 5 * B)
    return {
        "grid": 5, "block": B,
        "arguments": {"a": a, "partial": np.zeros_like(a), "ticket": np.zeros(1, np.int64), "out": np.zeros_like(a)},
        "right": {"out": (a * a)[::-1]},
    }


FAULTS = [
    (("drop", "sync"), "global-race", "leave gather"),
    (("drop", "fence"), "global-race", "leave gather"),
    (("drop", "know"), "race", "ticket last"),
    (("always", "last"), "global-race", "leave gather last"),
    (("further", "loop"), "out-of-bounds", "gather loop"),
    (("edit", "last", "cuda.gridDim.x - 1", "0"), "global-race", "leave gather last"),
    (("edit", "sync", "cuda.syncthreads()", "cuda.syncwarp()"), "global-race", "leave gather"),
]
