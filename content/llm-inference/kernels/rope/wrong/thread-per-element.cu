extern "C" __global__ void rope(float* x, const int* positions, const float* cosines, const float* sines,
                                int tokens, int heads, int half, int longest)
{
    int t = blockIdx.x, p = positions[t];
    for (int i = threadIdx.x; i < heads * 2 * half; i += blockDim.x) {
        int h = i / (2 * half), d = i % (2 * half), c = d % half;
        float* head = x + (t * heads + h) * 2 * half;
        if (d < half)
            head[d] = head[d] * cosines[p * half + c] - head[d + half] * sines[p * half + c];
        else
            head[d] = head[d] * cosines[p * half + c] + head[d - half] * sines[p * half + c];
    }
}
