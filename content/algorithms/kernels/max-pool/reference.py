import numpy as np


def reference(x):
    channels, rows, columns = x.shape
    height, width = (rows + 1) // 2, (columns + 1) // 2
    padded = np.full((channels, 2 * height + 2, 2 * width + 2), -np.inf)
    padded[:, 1 : rows + 1, 1 : columns + 1] = x
    taps = [
        padded[:, i : i + 2 * height : 2, j : j + 2 * width : 2] for i in range(3) for j in range(3)
    ]
    best = np.max(taps, axis=0)
    at = np.argmax(taps, axis=0)
    i = 2 * np.arange(height)[:, None] - 1 + at // 3
    j = 2 * np.arange(width) - 1 + at % 3
    return best, i * columns + j
