extern "C" __global__ void rope(float* x, const int* positions, const float* cosines, const float* sines,
                                int tokens, int heads, int half, int longest)
{
    int t = blockIdx.x, p = positions[t];
    for (int h = threadIdx.x; h < heads; h += blockDim.x) {
        float* head = x + (t * heads + h) * 2 * half;
        for (int c = 0; c < half; c++) {
            float cos = cosines[p * half + c], sin = sines[p * half + c];
            float a = head[c], b = head[half + c];
            head[c] = a * cos - b * sin;
            head[half + c] = b * cos + a * sin;
        }
    }
}
