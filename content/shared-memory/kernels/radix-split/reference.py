import numpy as np


def reference(keys, bit):
    parts = [keys[i : i + 256] for i in range(0, len(keys), 256)]
    ones = [(part >> bit) & 1 for part in parts]
    order = [np.argsort(one, kind="stable") for one in ones]
    return np.concatenate([part[at] for part, at in zip(parts, order)])
