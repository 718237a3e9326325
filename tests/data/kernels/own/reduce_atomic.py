"""Sum of all elements: each thread its own, one atomic a thread."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(a, out):
    total = float32(0)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):  # @loop
        total += a[i]  # @load
    cuda.atomic.add(out, 0, total)  # @add


def case(random):
    a = random.random(3001, dtype=np.float32)
    return {
        "grid": 5, "block": 64,
        "arguments": {"a": a, "out": np.zeros(1, np.float32)},
        "right": {"out": a.sum(keepdims=True)}, "tolerance": 1e-4,
    }


FAULTS = [
    (("plain", "add"), "global-race", "add"),
    (("drop", "add"), "never-written", "def"),
    (("further", "loop"), "out-of-bounds", "load loop"),
    (("edit", "add", "out, 0", "out, 1"), "out-of-bounds", "add"),
    (("edit", "add", "out, 0", "out, cuda.threadIdx.x"), "out-of-bounds", "add"),
    (("edit", "loop", "cuda.gridsize(1)", "cuda.gridsize(1) // 2"), "wrong-result", ""),
]
