extern "C" __global__ void named(const float* a, float* out, int n){
  __shared__ float x[64], y[64];
  int t=threadIdx.x, g=t/64, i=t%64;
  float* s = g? y : x;
  _Pragma("unroll 1") for(int k=0;k<n;k++){
    s[i]=a[k*128+t];
    asm volatile("bar.sync %0, 64;"::"r"(g+1):"memory");
    out[k*128+t]=s[63-i];
    asm volatile("bar.sync %0, 64;"::"r"(g+1):"memory");
  }
}
