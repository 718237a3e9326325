from numba import cuda, float32

SIZE = 256
RADIUS = 4
FULL = 0xFFFFFFFF


@cuda.jit
def stencil(a, out):
    i = cuda.blockIdx.x * SIZE + cuda.threadIdx.x
    lane = cuda.threadIdx.x % 32
    x = a[i] if i < a.size else float32(0.0)
    halo = float32(0.0)
    if lane < RADIUS:
        left = i - RADIUS
        halo = a[left] if 0 <= left < a.size else float32(0.0)
    elif lane >= 32 - RADIUS:
        right = i + RADIUS
        halo = a[right] if right < a.size else float32(0.0)
    total = x
    for d in range(1, RADIUS + 1):
        below = cuda.shfl_up_sync(FULL, x, d)
        before = cuda.shfl_sync(FULL, halo, (lane - d + RADIUS) % 32)
        total += below if lane >= d else before
        above = cuda.shfl_down_sync(FULL, x, d)
        after = cuda.shfl_sync(FULL, halo, (lane + d - RADIUS) % 32)
        total += above if lane + d < 32 else after
    if i < a.size:
        out[i] = total
