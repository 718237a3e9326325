extern "C" __global__ void swiglu(const float* x, float* out, int tokens, int width, int blocks)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = start; i < tokens * width; i += gridDim.x * blockDim.x) {
        int t = i / width, c = i % width;
        const float* row = x + 2 * t * width;
        float gate = row[width + c], up = row[c];
        out[i] = gate / (1.0f + expf(-gate)) * up;
    }
}
