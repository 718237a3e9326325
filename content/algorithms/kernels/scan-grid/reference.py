import numpy as np


def reference(a, flags, counter):
    out = np.cumsum(a)
    sums = np.array([part.sum() for part in np.split(a, range(256, len(a), 256))])
    return out, sums, np.cumsum(sums), flags + 2, counter + len(flags)
