from numba import cuda, uint32

ALL = 0xFFFFFFFF
ROWS = 4  # per warp


@cuda.jit
def overlaps(boxes, mask, percent):
    lane = cuda.threadIdx.x
    n = boxes.shape[0]
    j = cuda.blockIdx.x * 32 + lane
    # Each lane keeps one column's box in registers, for all rows.
    mine = min(j, n - 1)
    left = boxes[mine, 0]
    top = boxes[mine, 1]
    right = left + boxes[mine, 2]
    bottom = top + boxes[mine, 3]
    area = (right - left) * (bottom - top)
    first = cuda.blockIdx.y * 32 + cuda.threadIdx.y * ROWS
    for i in range(first, min(first + ROWS, n)):
        x = boxes[i, 0]
        y = boxes[i, 1]
        w = boxes[i, 2]
        h = boxes[i, 3]
        width = max(min(right, x + w) - max(left, x), 0)
        height = max(min(bottom, y + h) - max(top, y), 0)
        both = width * height
        hit = i <= j < n and 100 * both > percent * (area + w * h - both)
        word = cuda.ballot_sync(ALL, hit)
        if lane == 0:
            mask[i, cuda.blockIdx.x] = uint32(word)
