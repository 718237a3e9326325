import numpy as np


def reference(x, w, stride, padding):
    channels, rows, columns = x.shape
    taps = w.shape[2]
    height, width = (rows - 1) * stride + taps, (columns - 1) * stride + taps
    full = np.zeros((w.shape[1], height, width))
    for a in range(taps):
        for b in range(taps):
            part = np.tensordot(w[:, :, a, b], x, (0, 0))
            bottom, right = a + (rows - 1) * stride + 1, b + (columns - 1) * stride + 1
            full[:, a:bottom:stride, b:right:stride] += part
    return full[:, padding : height - padding, padding : width - padding]
