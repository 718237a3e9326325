import numpy as np


def reference(a):
    p = np.pad(a, 1)
    rows, columns = a.shape
    return sum(p[i : i + rows, j : j + columns] for i in range(3) for j in range(3))
