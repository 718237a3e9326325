import numpy as np


def reference(q, k, v, scale, slope, window, sinks):
    i, j = np.ogrid[: len(q), : len(k)]
    s = scale * (q @ k.T) - slope * (i - j)
    s[(j > i) | ((i - j >= window) & (j >= sinks))] = -np.inf
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True) @ v
