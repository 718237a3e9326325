import numpy as np


def reference(x, weight, bias, eps):
    centered = x - x.mean(axis=1, keepdims=True)
    variance = (centered * centered).mean(axis=1, keepdims=True)
    return centered / np.sqrt(variance + eps) * weight + bias
