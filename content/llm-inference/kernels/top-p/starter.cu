extern "C" __global__ void sample(const float* weights, float top_p, const int* draws, int* kept, int* tokens,
                                  float* probs, int rows, int columns)
{
    int lane = threadIdx.x, row = blockIdx.x * 4 + threadIdx.y;
}
