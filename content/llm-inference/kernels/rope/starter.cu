extern "C" __global__ void rope(float* x, const int* positions, const float* cosines, const float* sines,
                                int tokens, int heads, int half, int longest)
{
    int t = blockIdx.x;
}
