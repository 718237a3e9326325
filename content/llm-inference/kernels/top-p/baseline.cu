__device__ int first_above(const float* sums, int columns, float limit)
{
    int low = 0, high = columns;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sums[middle] > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

extern "C" __global__ void sample(const float* weights, float top_p, const int* draws, int* kept, int* tokens,
                                  float* probs, int rows, int columns)
{
    __shared__ float all_sums[4][512];
    int lane = threadIdx.x, row = blockIdx.x * 4 + threadIdx.y;
    if (row >= rows)
        return;
    float* sums = all_sums[threadIdx.y];
    float total = 0.0f;
    if (lane == 0)
        for (int c = 0; c < columns; c++) {
            total += weights[row * columns + c];
            sums[c] = total;
        }
    total = __shfl_sync(0xFFFFFFFF, total, 0);
    __syncwarp();

    int first = first_above(sums, columns, (1.0f - top_p) * total);
    float base = first > 0 ? sums[first - 1] : 0.0f;
    float u = draws[row] / 256.0f;
    int token = first_above(sums, columns, base + u * (total - base));
    if (lane == 0) {
        float before = token > 0 ? sums[token - 1] : 0.0f;
        kept[row] = columns - first;
        tokens[row] = token;
        probs[row] = (sums[token] - before) / (total - base);
    }
}
