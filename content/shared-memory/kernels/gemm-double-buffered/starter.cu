#define T 16

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    __shared__ float sa[2][T][T], sb[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
}
