// What cuRAND's header and the one of ours are asked, with STATE, SEQUENCE and MORE as macros.
#include <curand_kernel.h>

extern "C" __global__ void draw(unsigned* u, float* f, double* d, unsigned long long seed,
                                unsigned long long offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  STATE s;
  curand_init(seed, i * SEQUENCE, offset, &s);
  for (int j = 0; j < 4; ++j) u[i * 6 + j] = curand(&s);
  for (int j = 0; j < 3; ++j) f[i * 8 + j] = curand_uniform(&s);
  for (int j = 3; j < 6; ++j) f[i * 8 + j] = curand_normal(&s);
  float2 pair = curand_normal2(&s);
  f[i * 8 + 6] = pair.x;
  f[i * 8 + 7] = pair.y;
  d[i * 3] = curand_uniform_double(&s);
  skipahead(77, &s);
  d[i * 3 + 1] = curand_uniform_double(&s);
  skipahead_sequence(9, &s);
  u[i * 6 + 4] = curand(&s);
#ifdef MORE
  float4 four = curand_uniform4(&s), normal = curand_normal4(&s);
  f[i * 8 + 6] = four.x + four.w * 2;
  f[i * 8 + 7] = normal.y - normal.z;
  double2 two = curand_uniform2_double(&s);
  d[i * 3 + 2] = two.x - two.y;
  uint4 words = curand4(&s);
  u[i * 6 + 5] = words.x ^ words.w;
#endif
}
