"""Grey values of an image with three channels."""
import numpy as np
from numba import cuda, float32


@cuda.jit
def kernel(image, out):
    x, y = cuda.grid(2)
    if y < image.shape[0] and x < image.shape[1]:  # @guard
        r, g, b = image[y, x, 0], image[y, x, 1], image[y, x, 2]  # @load
        out[y, x] = (77 * r + 150 * g + 29 * b) >> 8  # @store


def case(random):
    image = random.integers(0, 256, (23, 41, 3)).astype(np.uint8)
    wide = image.astype(np.int64)
    return {
        "grid": (3, 3), "block": (16, 8),
        "arguments": {"image": image, "out": np.zeros((23, 41), np.uint8)},
        "right": {"out": ((wide * [77, 150, 29]).sum(axis=2) >> 8).astype(np.uint8)},
    }


FAULTS = [
    (("always", "guard"), "out-of-bounds", "load store guard"),
    (("edit", "load", "image[y, x, 2]", "image[y, x, 3]"), "out-of-bounds", "load"),
    (("edit", "load", "image[y, x, 0]", "image[x, y, 0]"), "out-of-bounds", "load"),
    (("edit", "guard", "x < image.shape[1]", "x < image.shape[0]"), "never-written", "def"),
    (("edit", "store", "out[y, x]", "out[y, x // 2]"), "global-race never-written", "store def"),
]
