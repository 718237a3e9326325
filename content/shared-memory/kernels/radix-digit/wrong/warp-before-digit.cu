#define ALL 0xffffffff

extern "C" __global__ void sort_digit(const int* __restrict__ keys, int shift, int* out,
                                      int* counts, int n)
{
    __shared__ int places[16 * 8];
    __shared__ int ordered[256];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int start = blockIdx.x * 256, count = min(256, n - start);
    if (t < 128)
        places[t] = 0;
    __syncthreads();

    bool valid = t < count;
    int key = valid ? keys[start + t] : 0;
    int digit = valid ? (key >> shift) & 15 : 16;
    unsigned same = __match_any_sync(ALL, digit);
    int rank = __popc(same & ((1u << lane) - 1));
    if (valid && rank == 0)
        places[warp * 16 + digit] = __popc(same);
    __syncthreads();

    if (warp == 0) {
        int carry = 0;
        for (int i = lane; i < 128; i += 32) {
            int own = places[i], x = own;
            for (int d = 1; d < 32; d *= 2) {
                int below = __shfl_up_sync(ALL, x, d);
                if (lane >= d)
                    x += below;
            }
            places[i] = carry + x - own;
            carry += __shfl_sync(ALL, x, 31);
        }
    }
    __syncthreads();

    if (valid)
        ordered[places[warp * 16 + digit] + rank] = key;
    if (t < 16) {
        int total = 0;
        for (int i = t; i < 128; i += 16)
            total += (i < 127 ? places[i + 1] : count) - places[i];
        counts[blockIdx.x * 16 + t] = total;
    }
    __syncthreads();
    if (valid)
        out[start + t] = ordered[t];
}
