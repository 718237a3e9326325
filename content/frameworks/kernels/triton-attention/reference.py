import numpy as np


def reference(q, k, v, scale):
    n = q.shape[1]
    score = scale * np.einsum("hid,hjd->hij", q, k)
    score = np.where(np.tri(n, dtype=bool), score, -np.inf)
    power = np.exp(score - score.max(axis=2, keepdims=True))
    return np.einsum("hij,hjd->hid", power / power.sum(axis=2, keepdims=True), v)
