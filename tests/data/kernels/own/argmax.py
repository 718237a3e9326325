"""Where the largest element of each row is: values and places in two shared arrays."""
import numpy as np
from numba import cuda, float32, int32

B = 32


@cuda.jit
def kernel(a, out):
    value = cuda.shared.array(B, float32)
    place = cuda.shared.array(B, int32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    best, where = float32(-1), 0
    for k in range(t, a.shape[1], B):  # @loop
        if a[row, k] > best:  # @load
            best, where = a[row, k], k  # @keep
    value[t] = best  # @value
    place[t] = where  # @place
    cuda.syncwarp()  # @sync
    d = B // 2
    while d > 0:
        if t < d and value[t + d] > value[t]:  # @test
            value[t] = value[t + d]  # @take
            place[t] = place[t + d]  # @takeplace
        cuda.syncwarp()  # @step
        d //= 2
    if t == 0:
        out[row] = place[0]  # @store


def case(random):
    a = random.random((9, 100), dtype=np.float32)
    return {
        "grid": 9, "block": B,
        "arguments": {"a": a, "out": np.zeros(9, np.int32)},
        "right": {"out": a.argmax(axis=1).astype(np.int32)},
    }


FAULTS = [
    (("drop", "sync"), "race", "value test place takeplace take"),
    (("drop", "step"), "race", "take test takeplace store"),
    (("drop", "place"), "uninitialised-read", "takeplace store place"),
    (("edit", "test", "t < d and ", ""), "race out-of-bounds", "test take takeplace"),
    (("further", "loop"), "out-of-bounds", "load loop keep"),
    (("drop", "store"), "never-written", "def"),
    (("drop", "takeplace"), "wrong-result", ""),
]
