extern "C" __global__ void overlaps(const int* boxes, unsigned* mask, int percent, int n)
{
    int lane = threadIdx.x, j = blockIdx.x * 32 + lane;
    // Each lane keeps one column's box in registers, for all rows.
    const int* own = boxes + 4 * min(j, n - 1);
    int left = own[0], top = own[1], right = left + own[2], bottom = top + own[3];
    int area = (right - left) * (bottom - top);
    int first = blockIdx.y * 32 + threadIdx.y * 4;
    for (int i = first; i < min(first + 4, n); i++) {
        int x = boxes[4 * i], y = boxes[4 * i + 1], w = boxes[4 * i + 2], h = boxes[4 * i + 3];
        int width = max(min(right, x + w) - max(left, x), 0);
        int height = max(min(bottom, y + h) - max(top, y), 0);
        int both = width * height;
        bool hit = i < j && j < n && 100 * both > percent * (area + w * h);
        unsigned word = __ballot_sync(0xFFFFFFFF, hit);
        if (lane == 0)
            mask[i * gridDim.x + blockIdx.x] = word;
    }
}
