// CUDA's names for clang, as far as the shapes of expressions need them. Values mean nothing here.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __restrict __restrict__
#define NULL 0
#define INFINITY __int_as_float(0)
#define NAN __int_as_float(0)
#define FLT_MAX 3.4e38f
#define FLT_MIN 1.2e-38f
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define CUDART_INF_F __int_as_float(0)
#define M_PI 3.14
#define CUDART_PI_F 3.14f
#define RAND_MAX 2147483647
#define FLT_EPSILON 1e-7f
#define DBL_MAX 1e300
#define HUGE_VALF __int_as_float(0)
#define LLONG_MAX 9223372036854775807LL
#define SHRT_MAX 32767
#define UCHAR_MAX 255

typedef unsigned long size_t;
typedef long ptrdiff_t, ssize_t, intptr_t, clock_t, time_t;
typedef unsigned long uintptr_t;
typedef signed char int8_t;
typedef unsigned char uint8_t, uchar;
typedef short int16_t;
typedef unsigned short uint16_t, ushort;
typedef int int32_t;
typedef unsigned int uint32_t, uint;
typedef long int64_t;
typedef unsigned long uint64_t, ulong;
typedef float __half, half;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum cudaError_t { cudaSuccess };
typedef cudaError_t cudaError;

struct char1 { signed char x; };
__device__ __host__ char1 make_char1(signed char);
struct char2 { signed char x, y; };
__device__ __host__ char2 make_char2(signed char, signed char);
struct char3 { signed char x, y, z; };
__device__ __host__ char3 make_char3(signed char, signed char, signed char);
struct char4 { signed char x, y, z, w; };
__device__ __host__ char4 make_char4(signed char, signed char, signed char, signed char);
struct uchar1 { unsigned char x; };
__device__ __host__ uchar1 make_uchar1(unsigned char);
struct uchar2 { unsigned char x, y; };
__device__ __host__ uchar2 make_uchar2(unsigned char, unsigned char);
struct uchar3 { unsigned char x, y, z; };
__device__ __host__ uchar3 make_uchar3(unsigned char, unsigned char, unsigned char);
struct uchar4 { unsigned char x, y, z, w; };
__device__ __host__ uchar4 make_uchar4(unsigned char, unsigned char, unsigned char, unsigned char);
struct short1 { short x; };
__device__ __host__ short1 make_short1(short);
struct short2 { short x, y; };
__device__ __host__ short2 make_short2(short, short);
struct short3 { short x, y, z; };
__device__ __host__ short3 make_short3(short, short, short);
struct short4 { short x, y, z, w; };
__device__ __host__ short4 make_short4(short, short, short, short);
struct ushort1 { unsigned short x; };
__device__ __host__ ushort1 make_ushort1(unsigned short);
struct ushort2 { unsigned short x, y; };
__device__ __host__ ushort2 make_ushort2(unsigned short, unsigned short);
struct ushort3 { unsigned short x, y, z; };
__device__ __host__ ushort3 make_ushort3(unsigned short, unsigned short, unsigned short);
struct ushort4 { unsigned short x, y, z, w; };
__device__ __host__ ushort4 make_ushort4(unsigned short, unsigned short, unsigned short, unsigned short);
struct int1 { int x; };
__device__ __host__ int1 make_int1(int);
struct int2 { int x, y; };
__device__ __host__ int2 make_int2(int, int);
struct int3 { int x, y, z; };
__device__ __host__ int3 make_int3(int, int, int);
struct int4 { int x, y, z, w; };
__device__ __host__ int4 make_int4(int, int, int, int);
struct uint1 { unsigned int x; };
__device__ __host__ uint1 make_uint1(unsigned int);
struct uint2 { unsigned int x, y; };
__device__ __host__ uint2 make_uint2(unsigned int, unsigned int);
struct uint3 { unsigned int x, y, z; };
__device__ __host__ uint3 make_uint3(unsigned int, unsigned int, unsigned int);
struct uint4 { unsigned int x, y, z, w; };
__device__ __host__ uint4 make_uint4(unsigned int, unsigned int, unsigned int, unsigned int);
struct long1 { long x; };
__device__ __host__ long1 make_long1(long);
struct long2 { long x, y; };
__device__ __host__ long2 make_long2(long, long);
struct long3 { long x, y, z; };
__device__ __host__ long3 make_long3(long, long, long);
struct long4 { long x, y, z, w; };
__device__ __host__ long4 make_long4(long, long, long, long);
struct ulong1 { unsigned long x; };
__device__ __host__ ulong1 make_ulong1(unsigned long);
struct ulong2 { unsigned long x, y; };
__device__ __host__ ulong2 make_ulong2(unsigned long, unsigned long);
struct ulong3 { unsigned long x, y, z; };
__device__ __host__ ulong3 make_ulong3(unsigned long, unsigned long, unsigned long);
struct ulong4 { unsigned long x, y, z, w; };
__device__ __host__ ulong4 make_ulong4(unsigned long, unsigned long, unsigned long, unsigned long);
struct longlong1 { long long x; };
__device__ __host__ longlong1 make_longlong1(long long);
struct longlong2 { long long x, y; };
__device__ __host__ longlong2 make_longlong2(long long, long long);
struct longlong3 { long long x, y, z; };
__device__ __host__ longlong3 make_longlong3(long long, long long, long long);
struct longlong4 { long long x, y, z, w; };
__device__ __host__ longlong4 make_longlong4(long long, long long, long long, long long);
struct ulonglong1 { unsigned long long x; };
__device__ __host__ ulonglong1 make_ulonglong1(unsigned long long);
struct ulonglong2 { unsigned long long x, y; };
__device__ __host__ ulonglong2 make_ulonglong2(unsigned long long, unsigned long long);
struct ulonglong3 { unsigned long long x, y, z; };
__device__ __host__ ulonglong3 make_ulonglong3(unsigned long long, unsigned long long, unsigned long long);
struct ulonglong4 { unsigned long long x, y, z, w; };
__device__ __host__ ulonglong4 make_ulonglong4(unsigned long long, unsigned long long, unsigned long long, unsigned long long);
struct float1 { float x; };
__device__ __host__ float1 make_float1(float);
struct float2 { float x, y; };
__device__ __host__ float2 make_float2(float, float);
struct float3 { float x, y, z; };
__device__ __host__ float3 make_float3(float, float, float);
struct float4 { float x, y, z, w; };
__device__ __host__ float4 make_float4(float, float, float, float);
struct double1 { double x; };
__device__ __host__ double1 make_double1(double);
struct double2 { double x, y; };
__device__ __host__ double2 make_double2(double, double);
struct double3 { double x, y, z; };
__device__ __host__ double3 make_double3(double, double, double);
struct double4 { double x, y, z, w; };
__device__ __host__ double4 make_double4(double, double, double, double);
struct dim3 {
    unsigned int x, y, z;
    __device__ __host__ dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1);
    __device__ __host__ dim3(uint3);
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

template <class T> __device__ T __ldg(const T*);
template <class T> __device__ T __ldcs(const T*);
template <class T> __device__ T __ldcg(const T*);
template <class T, class U> __device__ T min(T, U);
template <class T, class U> __device__ T max(T, U);
template <class T, class... A> __device__ T __shfl_sync(unsigned, T, A...);
template <class T, class... A> __device__ T __shfl_xor_sync(unsigned, T, A...);
template <class T, class... A> __device__ T __shfl_up_sync(unsigned, T, A...);
template <class T, class... A> __device__ T __shfl_down_sync(unsigned, T, A...);
template <class T, class... A> __device__ T atomicAdd(T*, A...);
template <class T, class... A> __device__ T atomicSub(T*, A...);
template <class T, class... A> __device__ T atomicMax(T*, A...);
template <class T, class... A> __device__ T atomicMin(T*, A...);
template <class T, class... A> __device__ T atomicExch(T*, A...);
template <class T, class... A> __device__ T atomicCAS(T*, A...);
template <class T, class... A> __device__ T atomicOr(T*, A...);
template <class T, class... A> __device__ T atomicAnd(T*, A...);
template <class... A> __device__ void __syncthreads(A...);
template <class... A> __device__ void __syncwarp(A...);
template <class... A> __device__ void __threadfence(A...);
template <class... A> __device__ void __threadfence_block(A...);
template <class... A> __device__ void __threadfence_system(A...);
template <class... A> __device__ void __nanosleep(A...);
template <class... A> __device__ void __trap(A...);
template <class... A> __device__ unsigned __ballot_sync(A...);
template <class... A> __device__ unsigned __activemask(A...);
template <class... A> __device__ unsigned __popc(A...);
template <class... A> __device__ unsigned __clz(A...);
template <class... A> __device__ unsigned __ffs(A...);
template <class... A> __device__ unsigned __brev(A...);
template <class... A> __device__ unsigned __float_as_int(A...);
template <class... A> __device__ unsigned __float_as_uint(A...);
template <class... A> __device__ unsigned __syncthreads_or(A...);
template <class... A> __device__ unsigned __syncthreads_and(A...);
template <class... A> __device__ unsigned __syncthreads_count(A...);
template <class... A> __device__ unsigned __any_sync(A...);
template <class... A> __device__ unsigned __all_sync(A...);
template <class... A> __device__ unsigned __match_any_sync(A...);
template <class... A> __device__ unsigned __mul24(A...);
template <class... A> __device__ unsigned __umulhi(A...);
template <class... A> __device__ unsigned __byte_perm(A...);
template <class... A> __device__ unsigned __funnelshift_l(A...);
template <class... A> __device__ unsigned __vcmpeq4(A...);
template <class... A> __device__ unsigned __dp4a(A...);
template <class... A> __device__ unsigned __popcll(A...);
template <class... A> __device__ unsigned __ffsll(A...);
template <class... A> __device__ unsigned __reduce_add_sync(A...);
template <class... A> __device__ unsigned __cvta_generic_to_shared(A...);
template <class... A> __device__ unsigned lround(A...);
template <class... A> __device__ unsigned __float2int_rd(A...);
template <class... A> __device__ unsigned __double2int_rz(A...);
template <class... A> __device__ unsigned atomicInc(A...);
template <class... A> __device__ unsigned abs(A...);
template <class... A> __device__ long long clock64(A...);
template <class... A> __device__ long long clock(A...);
template <class... A> __device__ int printf(A...);
