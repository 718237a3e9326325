extern "C" __global__ void swiglu(const float* x, float* out, int tokens, int width, int blocks)
{
    for (int t = blockIdx.x; t < tokens; t += gridDim.x) {
        const float* row = x + 2 * t * width;
        for (int c = threadIdx.x; c < width; c += blockDim.x) {
            float gate = row[c], up = row[width + c];
            out[t * width + c] = gate / (1.0f + expf(-gate)) * up;
        }
    }
}
