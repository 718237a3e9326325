extern "C" __global__ void activate(const float* x, int op, float a, float b, float* out, int n, int blocks)
{
    int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < min(first + each, n); i++) {
        float v = x[i];
        switch (op) {  // the same case for every thread of the grid: no divergence
        case 0:
            v = fmaxf(v, 0.0f);
            break;
        case 1:
            v = v > 0.0f ? v : a * v;
            break;
        case 2:
            v = 1.0f / (1.0f + expf(-v));
            break;
        default:
            v = fminf(fmaxf(v, a), b);
        }
        out[i] = v;
    }
}
