"""Reverses an array in place: each thread exchanges a pair."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(a):
    i = cuda.grid(1)
    j = a.size - 1 - i  # @mirror
    if i < j:  # @guard
        v = a[i]  # @take
        a[i] = a[j]  # @swap
        a[j] = v  # @put


def case(random):
    a = random.integers(0, 1000, 333)
    return {
        "grid": 3, "block": 64,
        "arguments": {"a": a.copy()},
        "right": {"a": a[::-1]}, "outputs": [],
    }


FAULTS = [
    (("edit", "guard", "i < j", "i < a.size"), "global-race", "take swap put guard"),
    (("edit", "mirror", "a.size - 1 - i", "a.size - i"), "out-of-bounds", "swap put mirror"),
    (("edit", "mirror", "a.size - 1 - i", "i + 1"), "global-race out-of-bounds", "take swap put"),
    (("edit", "put", "a[j] = v", "a[j - 1] = v"), "global-race", "take swap put"),
    (("drop", "put"), "wrong-result", ""),
]
