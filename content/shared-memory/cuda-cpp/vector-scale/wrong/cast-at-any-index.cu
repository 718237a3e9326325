extern "C" __global__ void scale(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        v.x *= a;
        v.y *= a;
        v.z *= a;
        v.w *= a;
        *reinterpret_cast<float4*>(y + i) = v;
    }
}
