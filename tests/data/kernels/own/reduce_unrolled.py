"""Tree sum whose last warp goes on with syncwarp between its steps."""
import numpy as np
from numba import cuda, float32

B = 128


@cuda.jit
def kernel(a, out):
    s = cuda.shared.array(B, float32)
    t = cuda.threadIdx.x
    s[t] = a[cuda.grid(1)]  # @fill
    cuda.syncthreads()  # @sync
    if t < 64:
        s[t] += s[t + 64]  # @first
    cuda.syncthreads()  # @second
    if t < 32:  # @warp
        v = s[t] + s[t + 32]  # @upper
        cuda.syncwarp()  # @w0
        s[t] = v  # @put
        cuda.syncwarp()  # @w1
        d = 16
        while d > 0:
            v = s[t] + s[(t + d) % 32]  # @get
            cuda.syncwarp()  # @w2
            s[t] = v  # @set
            cuda.syncwarp()  # @w3
            d //= 2
        if t == 0:
            out[cuda.blockIdx.x] = s[0]  # @store


def case(random):
    a = random.random(5 * B, dtype=np.float32)
    return {
        "grid": 5, "block": B,
        "arguments": {"a": a, "out": np.zeros(5, np.float32)},
        "right": {"out": a.reshape(5, B).sum(axis=1)}, "tolerance": 1e-5,
    }


FAULTS = [
    (("drop", "sync"), "race", "fill first"),
    (("drop", "second"), "race", "first upper"),
    (("drop", "w0"), "equivalent", "upper reads s[t] and s[t + 32], and put writes s[t] alone: no other thread of the warp reads it"),
    (("drop", "w1"), "race", "put get"),
    (("drop", "w2"), "race", "get set"),
    (("drop", "w3"), "race", "set get"),
    (("edit", "warp", "t < 32", "t < 64"), "race", "upper put get set"),
    (("edit", "get", "(t + d) % 32", "t + d"), "equivalent", "s[32…] is of earlier steps, and only lane 0 counts: its tree never uses those lanes"),
    (("edit", "upper", "t + 32", "t + 97"), "out-of-bounds", "upper"),
]
