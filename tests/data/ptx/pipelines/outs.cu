#include <cuda/std/cstdint>
__device__ __forceinline__ unsigned sptr(const void* p){ return (unsigned)__cvta_generic_to_shared(p); }
extern "C" __global__ void outs(const float* a, float* out){
  __shared__ alignas(128) float buf[512];
  int i=threadIdx.x;
  buf[i]=2*a[blockIdx.x*512+i]; buf[i+256]=3*a[blockIdx.x*512+256+i];
  asm volatile("fence.proxy.async.shared::cta;":::"memory");
  __syncthreads();
  if(i==0){
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"::"l"(out+blockIdx.x*512),"r"(sptr(buf)),"r"(2048):"memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;":::"memory");
  }
}
