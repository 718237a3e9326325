import numpy as np


def reference(keys, best):
    return np.maximum(best, keys.max(axis=1))
