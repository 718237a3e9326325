"""Median of five neighbours, sorted in a local array."""
import numpy as np
from numba import cuda, int32


@cuda.jit
def kernel(a, out):
    w = cuda.local.array(5, int32)
    i = cuda.grid(1)
    if i < out.size:  # @guard
        for k in range(5):  # @load
            w[k] = a[i + k]  # @fill
        for p in range(1, 5):  # @outer
            v = w[p]  # @take
            q = p - 1
            while q >= 0 and w[q] > v:  # @test
                w[q + 1] = w[q]  # @move
                q -= 1  # @down
            w[q + 1] = v  # @put
        out[i] = w[2]  # @store


def case(random):
    a = random.integers(0, 1000, 304).astype(np.int32)
    windows = np.lib.stride_tricks.sliding_window_view(a, 5)
    return {
        "grid": 5, "block": 64,
        "arguments": {"a": a, "out": np.zeros(300, np.int32)},
        "right": {"out": np.median(windows, axis=1).astype(np.int32)},
    }


FAULTS = [
    (("edit", "load", "range(5)", "range(4)"), "uninitialised-read", "take load test move"),
    (("further", "load"), "out-of-bounds", "fill load"),
    (("further", "outer"), "out-of-bounds", "take outer put"),
    (("always", "guard"), "out-of-bounds", "fill store guard"),
    (("drop", "fill"), "uninitialised-read", "take fill test store"),
    (("drop", "down"), "budget", "test down move"),
    (("shift", "fill", "w", 1), "out-of-bounds uninitialised-read", "fill test"),
    (("edit", "fill", "a[i + k]", "a[i + 2 * k]"), "out-of-bounds", "fill"),
    (("edit", "store", "out[i] =", "out[i - i % 2] ="), "global-race never-written", "store def"),
]
