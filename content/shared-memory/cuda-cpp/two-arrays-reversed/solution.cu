extern "C" __global__ void reverse(const unsigned char* key, const double* weight,
                                   unsigned char* out_key, double* out_weight, int n)
{
    extern __shared__ __align__(16) unsigned char pool[];
    // The widest elements first: no padding is needed between the arrays.
    double* weights = reinterpret_cast<double*>(pool);
    unsigned char* keys = reinterpret_cast<unsigned char*>(weights + blockDim.x);
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    keys[t] = key[i];
    weights[t] = weight[i];
    __syncthreads();
    int other = blockDim.x - 1 - t;
    out_key[i] = keys[other];
    out_weight[i] = weights[other];
}
