"""A sparse matrix times a vector, a thread to a row."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(pointers, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:  # @guard
        total = 0.0
        for k in range(pointers[row], pointers[row + 1]):  # @loop
            total += values[k] * x[columns[k]]  # @mul
        y[row] = total  # @store


def case(random):
    dense = np.where(random.random((70, 40)) < 0.2, random.random((70, 40)), 0)
    dense[:, 39] = 1
    rows, columns = np.nonzero(dense)
    pointers = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=70))]).astype(np.int32)
    x = random.random(40)
    return {
        "grid": 3, "block": 32,
        "arguments": {"pointers": pointers, "columns": columns.astype(np.int32), "values": dense[rows, columns], "x": x, "y": np.zeros(70)},
        "right": {"y": dense @ x}, "tolerance": 1e-12,
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "loop store guard"),
    (("further", "loop"), "out-of-bounds", "mul loop"),
    (("edit", "mul", "x[columns[k]]", "x[columns[k] + 1]"), "out-of-bounds", "mul"),
    (("edit", "mul", "x[columns[k]]", "x[k]"), "out-of-bounds", "mul"),
    (("edit", "loop", "pointers[row + 1]", "pointers[row + 2]"), "out-of-bounds", "loop"),
    (("edit", "store", "y[row]", "y[columns[row]]"), "global-race never-written", "store def"),
    (("edit", "guard", "row < y.size", "row < y.size and pointers[row + 1] - pointers[row] > 8"), "never-written", "def"),
]
