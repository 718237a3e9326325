import numpy as np


def reference(a):
    return np.convolve(np.pad(a, 4), np.ones(9), "valid")
