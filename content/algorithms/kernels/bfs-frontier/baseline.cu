extern "C" __global__ void expand(const int* frontier, const int* starts, const int* edges, int level,
                                  int* dist, int* tail, int* queue, int m, int n, int edge_count)
{
    int lane = threadIdx.x, f = blockIdx.x * 4 + threadIdx.y;
    if (f >= m)
        return;
    int v = frontier[f], end = starts[v + 1];
    for (int first = starts[v]; first < end; first += 32) {
        int e = first + lane;
        bool won = e < end && atomicCAS(&dist[edges[e]], -1, level) == -1;
        if (won)
            queue[atomicAdd(tail, 1)] = level;
    }
}
