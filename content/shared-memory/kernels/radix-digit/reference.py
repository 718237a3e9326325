import numpy as np


def reference(keys, shift):
    parts = [keys[i : i + 256] for i in range(0, len(keys), 256)]
    digits = [(part >> shift) & 15 for part in parts]
    out = [part[np.argsort(digit, kind="stable")] for part, digit in zip(parts, digits)]
    return np.concatenate(out), np.array([np.bincount(digit, minlength=16) for digit in digits])
