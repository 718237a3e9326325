extern "C" __global__ void reverse(const unsigned char* key,
                                   const double* weight,
                                   unsigned char* out_key,
                                   double* out_weight, int n)
{
    extern __shared__ __align__(16) unsigned char pool[];  // 900 bytes
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
}
