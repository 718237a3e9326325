import numpy as np


def reference(data, bins):
    return bins + np.bincount(data, minlength=256)
