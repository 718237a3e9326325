extern "C" __global__ void append(const float* __restrict__ x, int* tail, int* queue, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    bool keep = i < n && x[i] > 0.0f;

    unsigned votes = __ballot_sync(0xffffffff, keep);
    int base = 0;
    if (lane == 0 && votes)
        base = atomicAdd(tail, __popc(votes));

    if (keep)
        queue[base + __popc(votes & ((1u << lane) - 1))] = 1;
}
