extern "C" __global__ void overlaps(const int* boxes, unsigned* mask, int percent, int n)
{
    int t = threadIdx.y * 32 + threadIdx.x, i = blockIdx.y * 32 + t;
    if (t >= 32 || i >= n)
        return;
    int first = blockIdx.x * 32;
    int x = boxes[4 * i], y = boxes[4 * i + 1], w = boxes[4 * i + 2], h = boxes[4 * i + 3];
    unsigned word = 0;
    for (int j = max(first, i + 1); j < min(first + 32, n); j++) {
        const int* box = boxes + 4 * j;
        int width = max(min(box[0] + box[2], x + w) - max(box[0], x), 0);
        int height = max(min(box[1] + box[3], y + h) - max(box[1], y), 0);
        int both = width * height;
        if (100 * both > percent * (w * h + box[2] * box[3] - both))
            word |= 1u << (j - first);
    }
    mask[i * gridDim.x + blockIdx.x] = word;
}
