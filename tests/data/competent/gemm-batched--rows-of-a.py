from numba import cuda, float32


@cuda.jit
def batched(a, b, c):
    sa = cuda.shared.array((8, 256), float32)
    sb = cuda.shared.array((8, 256), float32)
    row_of_a = cuda.local.array(16, float32)
    lane = cuda.threadIdx.x
    w = cuda.threadIdx.y
    i = cuda.blockIdx.x * 8 + w
    batch, n, _ = a.shape
    if i < batch:
        for j in range(8):
            y = 2 * j + (lane >> 4)
            x = lane & 15
            va = float32(0)
            vb = float32(0)
            if y < n and x < n:
                va = a[i, y, x]
                vb = b[i, y, x]
            sa[w, y * 16 + (x ^ y)] = va
            sb[w, y * 16 + x] = vb
        cuda.syncwarp()
        row = lane & 15
        left = (lane >> 4) * 8
        for p in range(16):
            row_of_a[p] = sa[w, row * 16 + (p ^ row)]
        for j in range(8):
            total = float32(0)
            for p in range(16):
                total += row_of_a[p] * sb[w, p * 16 + left + j]
            if row < n and left + j < n:
                c[i, row, left + j] = total
