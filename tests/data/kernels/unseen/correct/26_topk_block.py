"""The four largest values of each block's 128 distinct scores with their positions, by repeated arg-max reduction."""
import numpy as np
from numba import cuda, int32

B = 128
K = 4
LOWEST = -2147483648


@cuda.jit
def topk(scores, best, where):
    val = cuda.shared.array(B, int32)
    pos = cuda.shared.array(B, int32)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    mine = LOWEST
    if i < scores.size:
        mine = scores[i]

    for k in range(K):
        val[tid] = mine
        pos[tid] = tid
        cuda.syncthreads()

        half = B // 2
        while half > 0:
            if tid < half and val[tid + half] > val[tid]:
                val[tid] = val[tid + half]
                pos[tid] = pos[tid + half]
            cuda.syncthreads()
            half //= 2

        winner = pos[0]
        if tid == 0:
            best[cuda.blockIdx.x, k] = val[0]
            where[cuda.blockIdx.x, k] = cuda.blockIdx.x * B + winner
        if tid == winner:
            mine = LOWEST
        cuda.syncthreads()


rng = np.random.default_rng(26)
n = 500
scores = rng.permutation(5000)[:n].astype(np.int32)
blocks = (n + B - 1) // B
d_best = cuda.device_array((blocks, K), dtype=np.int32)
d_where = cuda.device_array((blocks, K), dtype=np.int32)
topk[blocks, B](cuda.to_device(scores), d_best, d_where)
best, where = d_best.copy_to_host(), d_where.copy_to_host()
for b in range(blocks):
    part = scores[b * B : (b + 1) * B]
    order = np.argsort(part)[::-1][:K]
    np.testing.assert_array_equal(best[b], part[order])
    np.testing.assert_array_equal(where[b], order + b * B)
print("ok")
