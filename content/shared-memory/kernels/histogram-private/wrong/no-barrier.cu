extern "C" __global__ void histogram(const unsigned char* __restrict__ data, int* bins, int n)
{
    __shared__ int counts[256];
    int t = threadIdx.x;
    counts[t] = 0;

    int first = blockIdx.x * blockDim.x + t;
    int stride = gridDim.x * blockDim.x;
    const uchar4* data4 = reinterpret_cast<const uchar4*>(data);
    for (int i = first; i < n / 4; i += stride) {
        uchar4 v = data4[i];
        atomicAdd(&counts[v.x], 1);
        atomicAdd(&counts[v.y], 1);
        atomicAdd(&counts[v.z], 1);
        atomicAdd(&counts[v.w], 1);
    }
    int i = n / 4 * 4 + first;
    if (i < n)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();

    if (counts[t] > 0)
        atomicAdd(&bins[t], counts[t]);
}
