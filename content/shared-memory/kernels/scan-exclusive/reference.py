import numpy as np


def reference(a):
    parts = [a[i : i + 256] for i in range(0, len(a), 256)]
    out = np.concatenate([np.cumsum(part) - part for part in parts])
    return out, np.array([part.sum() for part in parts])
