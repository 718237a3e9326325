#include <cuda/barrier>
extern "C" __global__ void barrier_loop(const float* a, float* out, int n){
  __shared__ float buf[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  int t=threadIdx.x;
  if(t==0) init(&b, blockDim.x);
  __syncthreads();
  float v=0;
  _Pragma("unroll 1") for(int k=0;k<n;k++){
    cuda::memcpy_async(&buf[t], a+k*128+t, cuda::aligned_size_t<4>(4), b);
    b.arrive_and_wait();
    v+=buf[(t+1)%128];
    auto tok=b.arrive(); b.wait(std::move(tok));
  }
  out[t]=v;
}
