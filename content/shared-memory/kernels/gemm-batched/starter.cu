#define SIDE 16
#define EACH 8

extern "C" __global__ void batched(const float* __restrict__ a, const float* __restrict__ b,
                                   float* c, int batch, int n)
{
    __shared__ float sa[8][SIDE][SIDE], sb[8][SIDE][SIDE];
    int lane = threadIdx.x, warp = threadIdx.y;
    int which = blockIdx.x * 8 + warp;
}
