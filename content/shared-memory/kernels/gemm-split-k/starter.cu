#define T 16

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* parts, unsigned* arrived, float* c,
                                  int m, int n, int k, int splits)
{
    __shared__ float sa[T][T], sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
    int each = (k + splits - 1) / splits;
    int begin = blockIdx.z * each, end = min(begin + each, k);
}
