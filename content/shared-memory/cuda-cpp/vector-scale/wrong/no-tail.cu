extern "C" __global__ void scale(float a, const float* x, float* y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        // i is a multiple of 4, so the address is a multiple of 16 bytes.
        float4 v = *reinterpret_cast<const float4*>(x + i);
        v.x *= a;
        v.y *= a;
        v.z *= a;
        v.w *= a;
        *reinterpret_cast<float4*>(y + i) = v;
    }
}
