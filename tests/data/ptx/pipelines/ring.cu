// A producer warp copies tiles with the copy engine; three consumer warps add them up.
#include <cuda/std/cstdint>
#define STAGES 3
#define TILE 256
__device__ __forceinline__ unsigned sptr(const void* p){ return (unsigned)__cvta_generic_to_shared(p); }
__device__ void minit(uint64_t* b, unsigned n){ asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"::"r"(sptr(b)),"r"(n):"memory"); }
__device__ void mexpect(uint64_t* b, unsigned n){ asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"::"r"(sptr(b)),"r"(n):"memory"); }
__device__ void marrive(uint64_t* b){ asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"::"r"(sptr(b)):"memory"); }
__device__ void mwait(uint64_t* b, unsigned parity){
  asm volatile("{\n.reg .pred p;\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra L;\nD:\n}"::"r"(sptr(b)),"r"(parity):"memory"); }
__device__ void bulk(void* to,const void* from,unsigned n,uint64_t* b){
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"::"r"(sptr(to)),"l"(from),"r"(n),"r"(sptr(b)):"memory"); }
extern "C" __global__ void ring(const float* a, float* out, int tiles){
  __shared__ alignas(128) float buf[STAGES][TILE];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  int warp=threadIdx.x/32, lane=threadIdx.x%32;
  if(threadIdx.x==0){ for(int i=0;i<STAGES;i++){ minit(&full[i],1); minit(&empty[i],3);} asm volatile("fence.proxy.async;":::"memory"); }
  __syncthreads();
  const float* mine = a + (size_t)blockIdx.x*tiles*TILE;
  if(warp==3){
    if(lane==0) _Pragma("unroll 1") for(int t=0;t<tiles;t++){
      int s=t%STAGES, k=t/STAGES;
      mwait(&empty[s], (k&1)^1);
      mexpect(&full[s], TILE*4);
      bulk(buf[s], mine+(size_t)t*TILE, TILE*4, &full[s]);
    }
  } else {
    float sum=0;
    _Pragma("unroll 1") for(int t=0;t<tiles;t++){
      int s=t%STAGES, k=t/STAGES;
      mwait(&full[s], k&1);
      _Pragma("unroll 1") for(int i=threadIdx.x;i<TILE;i+=96) sum+=buf[s][i];
      __syncwarp();
      if(lane==0) marrive(&empty[s]);
    }
    out[blockIdx.x*96+threadIdx.x]=sum;
  }
}
