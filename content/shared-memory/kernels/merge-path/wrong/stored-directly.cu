extern "C" __global__ void merge(const int* a, const int* b, int* out, int rows, int m, int n)
{
    __shared__ int sa[1024], sb[1024];
    int t = threadIdx.x, r = blockIdx.x;
    for (int i = t; i < m; i += 256)
        sa[i] = a[(size_t)r * m + i];
    for (int j = t; j < n; j += 256)
        sb[j] = b[(size_t)r * n + j];
    __syncthreads();

    int each = (m + n + 255) / 256;
    int first = min(t * each, m + n);
    int last = min(first + each, m + n);

    int low = max(0, first - n), high = min(first, m);
    while (low < high) {
        int middle = (low + high) / 2;
        if (sa[middle] <= sb[first - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }

    int i = low, j = first - low;
    for (int k = first; k < last; k++)
        out[(size_t)r * (m + n) + k] = j >= n || (i < m && sa[i] <= sb[j]) ? sa[i++] : sb[j++];
}
