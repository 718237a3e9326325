import numpy as np


def reference(x, positions, cosines, sines):
    a, b = np.split(x, 2, axis=2)
    cos, sin = cosines[positions, None], sines[positions, None]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=2)
