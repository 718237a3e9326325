import numpy as np


def reference(weights, top_p, draws):
    sums = np.cumsum(weights, axis=1)
    total = sums[:, -1:]
    first = (sums <= (1 - top_p) * total).sum(axis=1)
    padded = np.pad(sums, ((0, 0), (1, 0)))
    rows = np.arange(len(weights))
    base = padded[rows, first]
    nucleus = total[:, 0] - base
    token = (sums <= (base + draws / 256 * nucleus)[:, None]).sum(axis=1)
    return weights.shape[1] - first, token, weights[rows, token] / nucleus
