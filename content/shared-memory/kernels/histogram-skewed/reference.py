import numpy as np


def reference(classes, weights, sums):
    return sums + np.bincount(classes, weights=weights, minlength=16).astype(np.int64)
