extern "C" __global__ void append(const float* __restrict__ x, int* tail, int* queue, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;

    if (i < n && x[i] > 0.0f) {
        unsigned votes = __ballot_sync(0xffffffff, true);
        int leader = __ffs(votes) - 1;
        int base = 0;
        if (lane == leader)
            base = atomicAdd(tail, __popc(votes));
        base = __shfl_sync(0xffffffff, base, leader);
        queue[base + __popc(votes & ((1u << lane) - 1))] = 1;
    }
}
