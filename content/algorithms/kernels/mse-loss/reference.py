import numpy as np


def reference(prediction, target, arrived):
    squares = (prediction - target) ** 2
    parts = np.add.reduceat(squares, np.arange(0, len(squares), 256))
    return parts, arrived, [squares.mean()]
