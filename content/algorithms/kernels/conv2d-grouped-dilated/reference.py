import numpy as np


def reference(x, w, dilation):
    filters, depth = w.shape[:2]
    channels, rows, columns = x.shape
    padded = np.pad(x, ((0, 0), (dilation, dilation), (dilation, dilation)))
    grouped = padded.reshape(channels // depth, depth, *padded.shape[1:])
    weights = w.reshape(channels // depth, -1, depth, 3, 3)
    out = np.zeros((*weights.shape[:2], rows, columns))
    for a in range(3):
        for b in range(3):
            bottom, right = a * dilation + rows, b * dilation + columns
            window = grouped[:, :, a * dilation : bottom, b * dilation : right]
            out += np.einsum("gfc,gcpq->gfpq", weights[..., a, b], window)
    return out.reshape(filters, rows, columns)
