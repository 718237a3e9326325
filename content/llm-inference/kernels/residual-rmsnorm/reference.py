import numpy as np


def reference(x, residual, weight, eps):
    total = x + residual
    rms = np.sqrt((total * total).mean(axis=1, keepdims=True) + eps)
    return total, total / rms * weight
