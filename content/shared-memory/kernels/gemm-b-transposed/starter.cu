#define T 32

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    __shared__ float sa[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, left = blockIdx.x * T;
}
