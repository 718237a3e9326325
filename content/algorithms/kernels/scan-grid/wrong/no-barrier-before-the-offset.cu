enum { EMPTY, SUM, PREFIX };

extern "C" __global__ void scan(const int* a, int* out, int* sums, int* prefixes, int* flags, int* counter,
                                int n)
{
    __shared__ int number, before, totals[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t == 0)
        number = atomicAdd(counter, 1);  // smaller numbers belong to blocks that have started already
    __syncthreads();
    int block = number;
    int i = block * 256 + t;

    int v = i < n ? a[i] : 0;
    for (int step = 1; step < 32; step *= 2) {
        int left = __shfl_up_sync(0xFFFFFFFF, v, step);
        if (lane >= step)
            v += left;
    }
    if (lane == 31)
        totals[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        v += totals[w];

    if (t == 255) {
        sums[block] = v;
        __threadfence();
        atomicExch(&flags[block], SUM);
        int offset = 0, p = block - 1;
        while (p >= 0) {
            int flag = EMPTY;
            while (flag == EMPTY)
                flag = atomicAdd(&flags[p], 0);
            __threadfence();
            if (flag == PREFIX) {
                offset += prefixes[p];
                break;
            }
            offset += sums[p];
            p--;
        }
        prefixes[block] = offset + v;
        __threadfence();
        atomicExch(&flags[block], PREFIX);
        before = offset;
    }
    if (i < n)
        out[i] = before + v;
}
