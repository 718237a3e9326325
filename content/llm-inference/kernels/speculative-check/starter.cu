extern "C" __global__ void check(const float* p, const float* q, const int* tokens, const int* draws,
                                 float* mass, int* accepted, int* last, int rows, int drafts, int vocab)
{
    int lane = threadIdx.x, r = blockIdx.x * 4 + threadIdx.y;
    if (r >= rows)
        return;
}
