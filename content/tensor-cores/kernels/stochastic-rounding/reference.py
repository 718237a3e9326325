import numpy as np


def reference(x, r):
    bits = x.astype(np.int64)
    return np.where((bits & 0x7FFFFFFF) > 0x7F800000, 0x7FFF, (bits + r) >> 16)
