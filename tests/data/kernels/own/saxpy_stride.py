"""a·x + y with a loop over the grid's stride."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(n, factor, x, y):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)  # @stride
    for i in range(start, n, stride):  # @loop
        y[i] = factor * x[i] + y[i]  # @add


def case(random):
    x, y = random.random((2, 1337), dtype=np.float32)
    return {
        "grid": 3, "block": 96,
        "arguments": {"n": x.size, "factor": np.float32(2.5), "x": x, "y": y.copy()},
        "right": {"y": np.float32(2.5) * x + y},
    }


FAULTS = [
    (("further", "loop"), "out-of-bounds", "add loop"),
    (("edit", "stride", "cuda.gridsize(1)", "cuda.blockDim.x"), "global-race", "add"),
    (("edit", "stride", "cuda.gridsize(1)", "2 * cuda.gridsize(1)"), "never-written", "def"),
    (("edit", "stride", "cuda.gridsize(1)", "cuda.gridDim.x"), "global-race", "add"),
    (("shift", "add", "x", 1), "out-of-bounds", "add"),
    (("edit", "loop", "start, n, stride", "0, n, 1"), "global-race", "add"),
]
