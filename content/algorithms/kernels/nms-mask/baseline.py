from numba import cuda, uint32


@cuda.jit
def overlaps(boxes, mask, percent):
    n = boxes.shape[0]
    t = cuda.threadIdx.y * 32 + cuda.threadIdx.x
    i = cuda.blockIdx.y * 32 + t
    if t >= 32 or i >= n:
        return
    first = cuda.blockIdx.x * 32
    x = boxes[i, 0]
    y = boxes[i, 1]
    w = boxes[i, 2]
    h = boxes[i, 3]
    word = uint32(0)
    for j in range(max(first, i + 1), min(first + 32, n)):
        left = boxes[j, 0]
        top = boxes[j, 1]
        width = max(min(left + boxes[j, 2], x + w) - max(left, x), 0)
        height = max(min(top + boxes[j, 3], y + h) - max(top, y), 0)
        both = width * height
        if 100 * both > percent * (w * h + boxes[j, 2] * boxes[j, 3] - both):
            word |= uint32(1) << uint32(j - first)
    mask[i, cuda.blockIdx.x] = word
