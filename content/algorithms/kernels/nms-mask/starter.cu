extern "C" __global__ void overlaps(const int* boxes, unsigned* mask, int percent, int n)
{
    int lane = threadIdx.x, j = blockIdx.x * 32 + lane;
    int first = blockIdx.y * 32 + threadIdx.y * 4;
}
