// Throughput per SM and latency of instructions; cost of divergent paths.
#include <cuda_fp16.h>

#include "common.cuh"

constexpr int STEPS = 512, CHAINS = 8;  // steps of one chain; independent chains

// Steps of a chain per loop iteration: many, because the loop itself takes time, but fewer if a step is
// so long that the instruction cache would overflow.
struct Light { static constexpr int AT_ONCE = 64; };
struct Heavy { static constexpr int AT_ONCE = 8; };

// One step of a dependent chain: x becomes the result.
struct Fma : Light {
    using Value = float;
    static __device__ float step(float x, float a, float b) { return fmaf(x, a, b); }
};
struct Fma64 : Light {
    using Value = double;
    static __device__ double step(double x, double a, double b) { return fma(x, a, b); }
};
struct MultiplyAdd : Light {
    using Value = int;
    static __device__ int step(int x, int a, int b) { return x * a + b; }
};
struct MultiplyAdd64 : Heavy {
    using Value = long long;
    static __device__ long long step(long long x, long long a, long long b) { return x * a + b; }
};
struct Funnel : Light {
    using Value = int;
    static __device__ int step(int x, int a, int b) { return __funnelshift_l(x, a, b); }
};
struct Popc : Light {
    using Value = int;
    static __device__ int step(int x, int, int) { return __popc(x); }
};
struct Divide : Heavy {
    using Value = int;
    static __device__ int step(int x, int a, int b) { return x / a + b; }
};
struct Rsqrt : Light {
    using Value = float;
    static __device__ float step(float x, float, float) {
        asm volatile("rsqrt.approx.f32 %0, %0;" : "+f"(x));
        return x;
    }
};
struct Ex2 : Light {
    using Value = float;
    static __device__ float step(float x, float, float) {
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
        return x;
    }
};
struct DivideFloat : Heavy {
    using Value = float;
    static __device__ float step(float x, float a, float) { return __fdiv_rn(x, a); }
};
struct Sqrt : Heavy {
    using Value = float;
    static __device__ float step(float x, float, float) { return __fsqrt_rn(x); }
};
struct Shuffle : Light {
    using Value = int;
    static __device__ int step(int x, int, int) {  // inline PTX: the compiler would cancel two in a row
        asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
        return x;
    }
};
struct Ballot : Light {
    using Value = int;
    static __device__ int step(int x, int, int) { return __ballot_sync(~0u, x); }
};
struct ToDouble : Light {  // and back
    using Value = float;
    static __device__ float step(float x, float, float) {
        double wide;
        asm volatile("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(x));
        asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(x) : "d"(wide));
        return x;
    }
};
struct ToInt : Light {  // and back
    using Value = float;
    static __device__ float step(float x, float, float) {
        int whole;
        asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(whole) : "f"(x));
        asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(x) : "r"(whole));
        return x;
    }
};
struct Half2Fma : Light {
    using Value = __half2;
    static __device__ __half2 step(__half2 x, __half2 a, __half2 b) { return __hfma2(x, a, b); }
};

template <typename Op, int MANY>
__global__ void run(typename Op::Value a, typename Op::Value b, long long* cycles, typename Op::Value* values) {
    typename Op::Value x[MANY];  // loaded, because the compiler would move a uniform value to the uniform datapath
    for (int chain = 0; chain < MANY; ++chain) x[chain] = values[chain * blockDim.x + threadIdx.x];
    long long from = 0, to = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {  // the first pass fills the instruction cache
        __syncthreads();
        from = clock64();
#pragma unroll 1
        for (int round = 0; round < STEPS / Op::AT_ONCE; ++round)
#pragma unroll
            for (int i = 0; i < Op::AT_ONCE; ++i)
#pragma unroll
                for (int chain = 0; chain < MANY; ++chain) x[chain] = Op::step(x[chain], a, b);
        __syncthreads();
        to = clock64();
    }
    for (int chain = 0; chain < MANY; ++chain) values[chain * blockDim.x + threadIdx.x] = x[chain];
    if (blockIdx.x == 0 && threadIdx.x == 0) *cycles = to - from;
}

long long* cycles;

template <typename Launch>
double least(Launch launch) {
    long long found = 1LL << 62;
    for (int run = 0; run < 5; ++run) {
        launch();
        FINISH();
        found = std::min(found, on_host(cycles, 1)[0]);
    }
    return double(found);
}

template <typename Op>
void instruction(const char* what, typename Op::Value start, typename Op::Value a, typename Op::Value b, int each = 1) {
    auto* values = on_device(std::vector<typename Op::Value>(CHAINS * 1024, start));
    const double all = least([&] { run<Op, CHAINS><<<1, 1024>>>(a, b, cycles, values); });
    figure("throughput per SM", what, each * 1024 * CHAINS * double(STEPS) / all, "per cycle");
    const double one = least([&] { run<Op, 1><<<1, 32>>>(a, b, cycles, values); });
    figure("instruction latency", what, one / STEPS, "cycles");
    CHECK(cudaFree(values));
}

// The lanes of a warp take this many paths in turn; each path is 64 dependent FMAs.
__global__ void paths_of_a_loop(int paths, float a, float b, long long* cycles, float* out) {
    const int mine = threadIdx.x % paths;
    float x = threadIdx.x;
    const long long from = clock64();
#pragma unroll 1
    for (int path = 0; path < 32; ++path)
        if (mine == path) {
#pragma unroll
            for (int i = 0; i < 64; ++i) x = fmaf(x, a, b);
        }
    const long long to = clock64();
    out[threadIdx.x] = x;
    if (threadIdx.x == 0) *cycles = to - from;
}

// The same without the cost of 32 loop iterations: one iteration per path.
__global__ void paths_alone(int paths, float a, float b, long long* cycles, float* out) {
    const int mine = threadIdx.x % paths;
    float x = threadIdx.x;
    long long from = 0, to = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {  // the first pass fills the instruction cache
        from = clock64();
#pragma unroll 1
        for (int path = 0; path < paths; ++path)
            if (mine == path) {
#pragma unroll
                for (int i = 0; i < 64; ++i) x = fmaf(x, a, b);
            }
        to = clock64();
    }
    out[threadIdx.x] = x;
    if (threadIdx.x == 0) *cycles = to - from;
}

int main() {
    cycles = on_device<long long>(1);
    float* out = on_device<float>(1024);
    for (int paths : {1, 2, 4, 8, 16, 32}) {
        const std::string what = std::to_string(paths) + " paths in one warp, 64 dependent FMAs each";
        figure("divergence", what.c_str(),
               least([&] { paths_of_a_loop<<<1, 32>>>(paths, 0.5f, 1.0f, cycles, out); }), "cycles");
        figure("divergence", (what + ", and nothing else").c_str(),
               least([&] { paths_alone<<<1, 32>>>(paths, 0.5f, 1.0f, cycles, out); }), "cycles");
    }
    instruction<Fma>("FP32 FMA", 1, 0.5f, 1.0f);
    instruction<Fma64>("FP64 FMA", 1, 0.5, 1.0);
    instruction<MultiplyAdd>("int32 multiply-add", 1, 3, 5);
    instruction<MultiplyAdd64>("int64 multiply-add", 1, 3, 5);
    instruction<Funnel>("funnel shift", 1, 3, 5);
    instruction<Popc>("popc", 12345, 0, 0);
    instruction<Divide>("int32 division by a variable, plus add", 1000000, 7, 1000000);
    instruction<Rsqrt>("rsqrt.approx", 2.0f, 0, 0);
    instruction<Ex2>("ex2.approx", 0.5f, 0, 0);
    instruction<DivideFloat>("FP32 division, IEEE", 2.0f, 1.0001f, 0);
    instruction<Sqrt>("sqrtf, IEEE", 2.0f, 0, 0);
    instruction<Shuffle>("shfl_xor", 1, 0, 0);
    instruction<Ballot>("ballot", 1, 0, 0);
    instruction<ToDouble>("float-double-float conversions (two)", 2.5f, 0, 0, 2);
    instruction<ToInt>("float-int-float conversions (two)", 2.5f, 0, 0, 2);
    instruction<Half2Fma>("half2 FMA (two results each)", __floats2half2_rn(1, 1), __floats2half2_rn(0.5f, 0.5f),
                          __floats2half2_rn(1, 1));
}
