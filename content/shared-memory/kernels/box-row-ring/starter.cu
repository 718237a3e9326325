constexpr int SIZE = 128, STRIP = 32;

extern "C" __global__ void box(const float* a, float* out, int rows, int columns)
{
    int t = threadIdx.x, c = blockIdx.x * SIZE + t;
    int first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
}
