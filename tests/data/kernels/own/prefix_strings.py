"""The length of the common prefix of each string with a pattern, in bytes."""
import numpy as np
from numba import cuda


@cuda.jit
def kernel(text, starts, pattern, out):
    i = cuda.grid(1)
    if i < out.size:  # @guard
        first, end = starts[i], starts[i + 1]  # @bounds
        k = 0
        while k < pattern.size and first + k < end and text[first + k] == pattern[k]:  # @loop
            k += 1  # @count
        out[i] = k  # @store


def case(random):
    words = [bytes(random.integers(97, 99, random.integers(0, 9)).astype(np.uint8)) for _ in range(90)]
    words[0], words[-1] = b"ababab", b"abab"
    pattern = b"ababa"
    right = []
    for word in words:
        same = [x == y for x, y in zip(word, pattern)]
        right.append(same.index(False) if False in same else len(same))
    return {
        "grid": 3, "block": 32,
        "arguments": {
            "text": np.frombuffer(b"".join(words), np.uint8).copy(),
            "starts": np.concatenate([[0], np.cumsum([len(w) for w in words])]).astype(np.int32),
            "pattern": np.frombuffer(pattern, np.uint8).copy(), "out": np.zeros(90, np.int32),
        },
        "right": {"out": np.array(right, np.int32)},
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "bounds store guard"),
    (("edit", "loop", "first + k < end and ", ""), "out-of-bounds", "loop"),
    (("edit", "loop", "k < pattern.size and ", ""), "out-of-bounds", "loop"),
    (("drop", "count"), "no-progress", "loop count"),
    (("edit", "bounds", "starts[i + 1]", "starts[i + 2]"), "out-of-bounds", "bounds"),
    (("edit", "guard", "i < out.size", "i + 1 < out.size"), "never-written", "def"),
]
