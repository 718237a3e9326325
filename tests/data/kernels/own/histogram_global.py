"""Counts bytes by atomics on global memory."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(text, bins):
    i = cuda.grid(1)
    if i < text.size:  # @guard
        cuda.atomic.add(bins, text[i] >> 4, 1)  # @add


def case(random):
    text = random.integers(0, 256, 2000).astype(np.uint8)
    return {
        "grid": 16, "block": 128,
        "arguments": {"text": text, "bins": np.zeros(16, np.int32)},
        "right": {"bins": np.bincount(text >> 4, minlength=16).astype(np.int32)},
    }


FAULTS = [
    (("plain", "add"), "global-race", "add"),
    (("always", "guard"), "out-of-bounds", "add guard"),
    (("edit", "add", ">> 4", ">> 3"), "out-of-bounds", "add"),
    (("edit", "add", "text[i] >> 4", "15 - (text[i] >> 4) + 1"), "out-of-bounds", "add"),
    (("edit", "add", ">> 4", ">> 6"), "never-written", "def"),
]
