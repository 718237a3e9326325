extern "C" __global__ void merge(const int* __restrict__ a, const int* __restrict__ b, int* out,
                                 int rows, int m, int n)
{
    int t = threadIdx.x, r = blockIdx.x;
    const int *ra = a + (size_t)r * m, *rb = b + (size_t)r * n;
    int* merged = out + (size_t)r * (m + n);

    // An element's place: its own index and its rank in the other row.
    for (int i = t; i < m; i += 256) {
        int value = ra[i], low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (rb[middle] < value)
                low = middle + 1;
            else
                high = middle;
        }
        merged[i + low] = value;
    }
    for (int j = t; j < n; j += 256) {
        int value = rb[j], low = 0, high = m;
        while (low < high) {
            int middle = (low + high) / 2;
            if (ra[middle] <= value)  // equal elements of a come first
                low = middle + 1;
            else
                high = middle;
        }
        merged[j + low] = value;
    }
}
