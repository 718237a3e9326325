// cuRAND's generators XORWOW and Philox4_32_10, and what is made of their numbers. Products that a
// compiler adds something to are fused, as nvcc fuses them by default.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace quiz_random {
constexpr int NORMAL = 1, LOG_NORMAL = 2;
template <typename S> __device__ void clear(S* s) {
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
}
__device__ inline uint4 scramble(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    unsigned int high = __umulhi(0xD2511F53u, c.x), low = 0xD2511F53u * c.x;
    unsigned int other = __umulhi(0xCD9E8D57u, c.z);
    c = make_uint4(other ^ c.y ^ k.x, 0xCD9E8D57u * c.z, high ^ c.w ^ k.y, low);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
__device__ inline void advance(curandStatePhilox4_32_10* s, unsigned long long n) {
  unsigned long long low = s->ctr.x + ((unsigned long long)s->ctr.y << 32), sum = low + n;
  s->ctr.x = (unsigned int)sum;
  s->ctr.y = (unsigned int)(sum >> 32);
  if (sum < low && ++s->ctr.z == 0) ++s->ctr.w;
  s->output = scramble(s->ctr, s->key);
}
__device__ inline float uniform(unsigned int x) {
  return fmaf((float)x, 2.3283064e-10f, 2.3283064e-10f / 2.0f);
}
__device__ inline double uniform(unsigned int x, unsigned int y) {
  unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
  return fma((double)z, 1.1102230246251565e-16, 1.1102230246251565e-16 / 2.0);
}
__device__ inline float logarithm(float u) {  // as the device's `logf` rounds it, of (0, 1]
  int bits = __float_as_int(u), scale = (bits - 0x3f2aaaab) & -8388608;
  float x = __int_as_float(bits - scale) - 1.0f, p = -1.3018857e-01f;
  p = fmaf(p, x, 1.408461e-01f);
  p = fmaf(p, x, -1.2148628e-01f);
  p = fmaf(p, x, 1.398061e-01f);
  p = fmaf(p, x, -1.6684236e-01f);
  p = fmaf(p, x, 2.00123e-01f);
  p = fmaf(p, x, -2.4999669e-01f);
  p = fmaf(p, x, 3.3333182e-01f);
  p = fmaf(p, x, -5.e-01f);
  return fmaf((float)scale * 1.1920929e-07f, 0.6931472f, fmaf(x * p, x, x));
}
__device__ inline float2 normal(unsigned int x, unsigned int y) {
  float2 r;
  float angle = fmaf((float)y, 2.3283064e-10f * 6.2831855f, 2.3283064e-10f * 6.2831855f / 2);
  float size = sqrtf(-2.0f * logarithm(uniform(x)));
  __sincosf(angle, &r.x, &r.y);
  r.x *= size;
  r.y *= size;
  return r;
}
__device__ inline double2 normal(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  double2 r;
  unsigned long long turn = (unsigned long long)z ^ ((unsigned long long)w << 21);
  double half = fma((double)turn, 1.1102230246251565e-16 * 2.0, 1.1102230246251565e-16);
  double size = sqrt(-2.0 * log(uniform(x, y)));
  sincospi(half, &r.x, &r.y);
  r.x *= size;
  r.y *= size;
  return r;
}
}  // namespace quiz_random

__device__ inline void skipahead(unsigned long long n, curandStateXORWOW* s) {
  quiz_skip_xorwow(s->v, 0, n);
  s->d += 362437u * (unsigned int)n;
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* s) {
  quiz_skip_xorwow(s->v, n, 0);
}
__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
  s->STATE += (unsigned int)(n & 3);
  n /= 4;
  if (s->STATE > 3) {
    n += 1;
    s->STATE -= 4;
  }
  quiz_random::advance(s, n);
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* s) {
  unsigned int low = (unsigned int)n;
  s->ctr.z += low;
  s->ctr.w += (unsigned int)(n >> 32) + (s->ctr.z < low ? 1u : 0u);
  s->output = quiz_random::scramble(s->ctr, s->key);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStateXORWOW* s) {
  unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + high + low;
  s->v[0] = 123456789u + low;
  s->v[1] = 362436069u ^ low;
  s->v[2] = 521288629u + high;
  s->v[3] = 88675123u ^ high;
  s->v[4] = 5783321u + low;
  quiz_skip_xorwow(s->v, sequence, offset);
  s->d += 362437u * (unsigned int)offset;
  quiz_random::clear(s);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStatePhilox4_32_10* s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  s->STATE = 0;
  quiz_random::clear(s);
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}

__device__ inline unsigned int curand(curandStateXORWOW* s) {
  unsigned int t = s->v[0] ^ (s->v[0] >> 2), last = s->v[4];
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = last;
  last = (last ^ (last << 4)) ^ (t ^ (t << 1));
  s->v[4] = last;
  s->d += 362437u;
  return last + s->d;
}
__device__ inline unsigned int curand(curandStatePhilox4_32_10* s) {
  unsigned int at = s->STATE++;
  uint4 all = s->output;
  if (s->STATE == 4) {
    quiz_random::advance(s, 1);
    s->STATE = 0;
  }
  return at == 0 ? all.x : at == 1 ? all.y : at == 2 ? all.z : all.w;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10* s) {
  uint4 a = s->output;
  quiz_random::advance(s, 1);
  uint4 b = s->output;
  switch (s->STATE) {
    case 1: return make_uint4(a.y, a.z, a.w, b.x);
    case 2: return make_uint4(a.z, a.w, b.x, b.y);
    case 3: return make_uint4(a.w, b.x, b.y, b.z);
    default: return a;
  }
}

template <typename S> __device__ float curand_uniform(S* s) {
  return quiz_random::uniform(curand(s));
}
__device__ inline double curand_uniform_double(curandStateXORWOW* s) {
  unsigned int x = curand(s), y = curand(s);
  return quiz_random::uniform(x, y);
}
__device__ inline double curand_uniform_double(curandStatePhilox4_32_10* s) {
  return fma((double)curand(s), 2.3283064365386963e-10, 2.3283064365386963e-10);
}
template <typename S> __device__ float4 curand_uniform4(S* s) {
  uint4 x = curand4(s);
  return make_float4(quiz_random::uniform(x.x), quiz_random::uniform(x.y),
                     quiz_random::uniform(x.z), quiz_random::uniform(x.w));
}
template <typename S> __device__ double2 curand_uniform2_double(S* s) {
  uint4 x = curand4(s);
  return make_double2(quiz_random::uniform(x.x, x.y), quiz_random::uniform(x.z, x.w));
}

template <typename S> __device__ float2 curand_normal2(S* s) {
  unsigned int x = curand(s), y = curand(s);
  return quiz_random::normal(x, y);
}
template <typename S> __device__ float curand_normal(S* s) {
  if (s->boxmuller_flag == quiz_random::NORMAL) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  float2 both = curand_normal2(s);
  s->boxmuller_extra = both.y;
  s->boxmuller_flag = quiz_random::NORMAL;
  return both.x;
}
template <typename S> __device__ float4 curand_normal4(S* s) {
  uint4 x = curand4(s);
  float2 a = quiz_random::normal(x.x, x.y), b = quiz_random::normal(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
__device__ inline double2 curand_normal2_double(curandStateXORWOW* s) {
  unsigned int x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return quiz_random::normal(x, y, z, w);
}
__device__ inline double2 curand_normal2_double(curandStatePhilox4_32_10* s) {
  uint4 x = curand4(s);
  return quiz_random::normal(x.x, x.y, x.z, x.w);
}
template <typename S> __device__ double curand_normal_double(S* s) {
  if (s->boxmuller_flag_double == quiz_random::NORMAL) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  double2 both = curand_normal2_double(s);
  s->boxmuller_extra_double = both.y;
  s->boxmuller_flag_double = quiz_random::NORMAL;
  return both.x;
}
template <typename S> __device__ float curand_log_normal(S* s, float mean, float deviation) {
  if (s->boxmuller_flag == quiz_random::LOG_NORMAL) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  float2 both = curand_normal2(s);
  s->boxmuller_extra = expf(fmaf(deviation, both.y, mean));
  s->boxmuller_flag = quiz_random::LOG_NORMAL;
  return expf(fmaf(deviation, both.x, mean));
}
