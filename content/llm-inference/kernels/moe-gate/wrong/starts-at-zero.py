import math

from numba import cuda, float32, int32

ALL = 0xFFFFFFFF


@cuda.jit(device=True)
def better(v, e, w, f):
    return v > w or (v == w and e < f)


@cuda.jit
def gate(logits, places, weights):
    lane = cuda.threadIdx.x
    token = cuda.blockIdx.x * 4 + cuda.threadIdx.y
    if token >= logits.shape[0]:
        return
    v1 = v2 = float32(0.0)
    e1 = e2 = int32(0)
    for e in range(lane, logits.shape[1], 32):
        v = logits[token, e]
        if v > v1:
            v2 = v1
            e2 = e1
            v1 = v
            e1 = e
        elif v > v2:
            v2 = v
            e2 = e
    for step in (16, 8, 4, 2, 1):
        w1 = cuda.shfl_xor_sync(ALL, v1, step)
        f1 = cuda.shfl_xor_sync(ALL, e1, step)
        w2 = cuda.shfl_xor_sync(ALL, v2, step)
        f2 = cuda.shfl_xor_sync(ALL, e2, step)
        if better(w1, f1, v1, e1):
            if better(v1, e1, w2, f2):
                v2 = v1
                e2 = e1
            else:
                v2 = w2
                e2 = f2
            v1 = w1
            e1 = f1
        elif better(w1, f1, v2, e2):
            v2 = w1
            e2 = f1
    if lane == 0:
        p = math.exp(v2 - v1)
        places[token, 0] = e1
        places[token, 1] = e2
        weights[token, 0] = float32(1.0) / (float32(1.0) + p)
        weights[token, 1] = p / (float32(1.0) + p)
