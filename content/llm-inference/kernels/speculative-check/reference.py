import numpy as np


def reference(p, q, tokens, draws):
    rows, drafts, _ = q.shape
    u = draws / 256
    p_x = np.take_along_axis(p[:, :drafts], tokens[:, :, None], axis=2)[:, :, 0]
    q_x = np.take_along_axis(q, tokens[:, :, None], axis=2)[:, :, 0]
    rejected = np.pad(u[:, :drafts] * q_x >= p_x, ((0, 0), (0, 1)), constant_values=True)
    accepted = rejected.argmax(axis=1)
    # After the last draft nothing is subtracted.
    q = np.pad(q, ((0, 0), (0, 1), (0, 0)))
    at = np.arange(rows), accepted
    sums = np.maximum(p[at] - q[at], 0).cumsum(axis=1)
    last = (sums <= u[:, drafts:] * sums[:, -1:]).sum(axis=1)
    return sums[:, -1], accepted, last
