import numpy as np


def reference(logits):
    places = np.argsort(-logits, axis=1, kind="stable")[:, :2]
    best = np.take_along_axis(logits, places, axis=1)
    p = np.exp(best - best[:, :1])
    return places, p / p.sum(axis=1, keepdims=True)
