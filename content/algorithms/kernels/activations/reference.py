import numpy as np


def reference(x, op, a, b):
    if op == 0:
        return np.maximum(x, 0)
    if op == 1:
        return np.where(x > 0, x, a * x)
    if op == 2:
        return np.exp(-np.logaddexp(0, -x))
    return np.clip(x, a, b)
