// Each warp sums an eighth of the rows, one after the other; then every warp adds four columns.
extern "C" __global__ void sum_inner(const float* x, float* out, int outer, int reduced, int inner)
{
    __shared__ float parts[8 * 36];
    int lane = threadIdx.x, warp = threadIdx.y, left = blockIdx.x * 32;
    int share = (reduced + 7) / 8, end = min(reduced, (warp + 1) * share);
    float sum = 0.0f;
    if (left + lane < inner) {
        const float* at = x + ((size_t)blockIdx.y * reduced + warp * share) * inner + left + lane;
        for (int r = warp * share; r < end; r++, at += inner)
            sum += *at;
    }
    parts[warp * 36 + lane] = sum;
    __syncthreads();
    // Lane 8c + w has part w of the warp's column c: eight lanes add up to one output.
    int column = warp * 4 + lane / 8;
    sum = parts[lane % 8 * 36 + column];
    for (int step = 4; step > 0; step /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, step, 8);
    if (lane % 8 == 0 && left + column < inner)
        out[(size_t)blockIdx.y * inner + left + column] = sum;
}
