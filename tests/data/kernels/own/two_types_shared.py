"""Dynamic shared memory used as whole numbers first, and as floats after a barrier."""
import numpy as np
from numba import cuda, float32, int32


@cuda.jit
def kernel(keys, values, out):
    whole = cuda.shared.array(0, int32)
    real = cuda.shared.array(0, float32)
    t, n = cuda.threadIdx.x, cuda.blockDim.x
    whole[t] = keys[t]  # @keys
    cuda.syncthreads()  # @one
    place = whole[n - 1 - t] % n  # @place
    cuda.syncthreads()  # @two
    real[place] = values[t]  # @values
    cuda.syncthreads()  # @three
    out[t] = real[t]  # @out


def case(random):
    keys = random.permutation(96).astype(np.int32)
    values = random.random(96, dtype=np.float32)
    right = np.empty_like(values)
    right[keys[::-1]] = values
    return {
        "grid": 1, "block": 96, "shared_bytes": 4 * 96,
        "arguments": {"keys": keys, "values": values, "out": np.zeros_like(values)},
        "right": {"out": right},
    }


FAULTS = [
    (("drop", "one"), "race", "keys place"),
    (("drop", "two"), "race", "place values"),
    (("drop", "three"), "race", "values out"),
    (("edit", "values", "real[place]", "real[place // 2]"), "race", "values"),
    (("edit", "place", "n - 1 - t", "n - t"), "out-of-bounds", "place"),
    (("drop", "keys"), "uninitialised-read", "place keys"),
    (("edit", "values", "real[place]", "real[place + 1]"), "out-of-bounds", "values"),
]
