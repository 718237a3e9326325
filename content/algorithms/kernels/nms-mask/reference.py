import numpy as np


def reference(boxes, percent):
    x, y, w, h = boxes.astype(np.int64).T
    width = np.minimum.outer(x + w, x + w) - np.maximum.outer(x, x)
    height = np.minimum.outer(y + h, y + h) - np.maximum.outer(y, y)
    both = np.maximum(width, 0) * np.maximum(height, 0)
    hit = np.triu(100 * both > percent * (np.add.outer(w * h, w * h) - both), 1)
    words = -(-len(boxes) // 32)
    bits = np.pad(hit, ((0, 0), (0, 32 * words - len(boxes)))).reshape(len(boxes), words, 32)
    return (bits << np.arange(32)).sum(axis=2).astype(np.uint32)
