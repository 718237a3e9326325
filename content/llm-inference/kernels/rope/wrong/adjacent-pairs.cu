extern "C" __global__ void rope(float* x, const int* positions, const float* cosines, const float* sines,
                                int tokens, int heads, int half, int longest)
{
    int t = blockIdx.x, p = positions[t];
    for (int i = threadIdx.x; i < heads * half; i += blockDim.x) {
        int h = i / half, c = i % half;
        float* head = x + (t * heads + h) * 2 * half;
        float cos = cosines[p * half + c], sin = sines[p * half + c];
        float a = head[2 * c], b = head[2 * c + 1];
        head[2 * c] = a * cos - b * sin;
        head[2 * c + 1] = b * cos + a * sin;
    }
}
