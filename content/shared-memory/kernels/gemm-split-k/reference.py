import numpy as np


def reference(a, b, parts, arrived):
    splits = parts.shape[0]
    each = -(-a.shape[1] // splits)
    slices = [slice(s * each, (s + 1) * each) for s in range(splits)]
    parts = np.stack([a[:, at] @ b[at] for at in slices])
    return parts, arrived, parts.sum(axis=0)
