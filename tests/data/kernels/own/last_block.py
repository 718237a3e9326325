"""Sum of all elements in one launch: the block that finishes last adds what the others left."""
import numpy as np
from numba import cuda, float32, int32

B = 64


@cuda.jit
def kernel(a, partial, ticket, out):
    s = cuda.shared.array(B, float32)
    mine = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    total = float32(0)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        total += a[i]  # @load
    s[t] = total  # @put
    cuda.syncthreads()  # @sync
    d = B // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]  # @add
        cuda.syncthreads()  # @step
        d //= 2
    if t == 0:  # @lead
        partial[cuda.blockIdx.x] = s[0]  # @leave
        cuda.threadfence()  # @fence
        mine[0] = cuda.atomic.add(ticket, 0, 1)  # @ticket
    cuda.syncthreads()  # @know
    if mine[0] == cuda.gridDim.x - 1 and t == 0:  # @last
        total = float32(0)
        for k in range(cuda.gridDim.x):  # @loop
            total += partial[k]  # @sum
        out[0] = total  # @store


def case(random):
    a = random.random(1700, dtype=np.float32)
    return {
        "grid": 5, "block": B,
        "arguments": {"a": a, "partial": np.zeros(5, np.float32), "ticket": np.zeros(1, np.int32), "out": np.zeros(1, np.float32)},
        "right": {"out": a.sum(keepdims=True)}, "tolerance": 1e-4,
    }


FAULTS = [
    (("drop", "fence"), "global-race", "leave sum"),
    (("edit", "fence", "threadfence", "threadfence_block"), "global-race", "leave sum"),
    (("always", "last"), "global-race", "leave sum last"),
    (("edit", "last", "mine[0] == cuda.gridDim.x - 1 and ", ""), "global-race", "leave sum last"),
    (("edit", "know", "cuda.syncthreads()", "cuda.syncwarp()"), "race", "ticket last"),
    (("plain", "ticket"), "global-race", "ticket"),
    (("drop", "know"), "race", "ticket last"),
    (("drop", "step"), "race", "add leave"),
    (("drop", "sync"), "race", "put add"),
    (("edit", "last", "mine[0] == cuda.gridDim.x - 1 and t == 0", "cuda.blockIdx.x == cuda.gridDim.x - 1 and t == 0"), "global-race", "leave sum"),
    (("drop", "ticket"), "uninitialised-read global-race", "last leave sum ticket"),
    (("further", "loop"), "out-of-bounds", "sum loop"),
    (("always", "lead"), "race", "ticket lead"),
    (("drop", "leave"), "wrong-result", ""),
    (("edit", "leave", "partial[cuda.blockIdx.x]", "partial[0]"), "global-race", "leave"),
]
