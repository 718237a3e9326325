extern "C" __global__ void expand(const int* frontier, const int* starts, const int* edges, int level,
                                  int* dist, int* tail, int* queue, int m, int n, int edge_count)
{
    int lane = threadIdx.x, f = blockIdx.x * 4 + threadIdx.y;
    if (f >= m)
        return;
    int v = frontier[f];
}
