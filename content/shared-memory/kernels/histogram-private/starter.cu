constexpr int BINS = 256;

extern "C" __global__ void histogram(const unsigned char* data, int* bins, int n)
{
    __shared__ int counts[BINS];
    int t = threadIdx.x;
}
