extern "C" __global__ void merge(const int* a, const int* b, int* out, int rows, int m, int n)
{
    __shared__ int sa[1024], sb[1024], so[2048];
    int t = threadIdx.x, r = blockIdx.x;
    for (int i = t; i < m; i += 256)
        sa[i] = a[(size_t)r * m + i];
    for (int j = t; j < n; j += 256)
        sb[j] = b[(size_t)r * n + j];
    __syncthreads();

    for (int i = t; i < m; i += 256) {
        int low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (sb[middle] < sa[i])
                low = middle + 1;
            else
                high = middle;
        }
        so[i + low] = sa[i];
    }
    for (int j = t; j < n; j += 256) {
        int low = 0, high = m;
        while (low < high) {
            int middle = (low + high) / 2;
            if (sa[middle] < sb[j])
                low = middle + 1;
            else
                high = middle;
        }
        so[j + low] = sb[j];
    }
    __syncthreads();
    for (int k = t; k < m + n; k += 256)
        out[(size_t)r * (m + n) + k] = so[k];
}
