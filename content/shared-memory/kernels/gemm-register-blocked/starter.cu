#define TILE 64  // the block's side of c
#define DEEP 8   // step along k
#define EACH 4   // a thread's side of c

extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b,
                                  float* c, int m, int n, int k)
{
    __shared__ float sa[TILE][DEEP], sb[DEEP][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float sum[EACH][EACH];
}
