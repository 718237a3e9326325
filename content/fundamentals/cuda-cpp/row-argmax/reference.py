import numpy as np


def reference(x):
    return np.argmax(x, axis=1)
