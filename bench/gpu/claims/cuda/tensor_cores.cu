// mma.sync by number format: multiply-adds per SM and cycle, latency in a dependent chain.
#include "common.cuh"

constexpr int ROUNDS = 256, CHAINS = 4;

struct Half {
    static constexpr int FMAS = 16 * 8 * 16;
    static __device__ void step(unsigned (&d)[4], unsigned a, unsigned b, unsigned) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a), "r"(b));
    }
};
struct HalfIntoHalf {
    static constexpr int FMAS = 16 * 8 * 16;
    static __device__ void step(unsigned (&d)[4], unsigned a, unsigned b, unsigned) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2, %2, %2}, {%3, %3}, {%0, %1};"
                     : "+r"(d[0]), "+r"(d[1]) : "r"(a), "r"(b));
    }
};
struct Bfloat16 {
    static constexpr int FMAS = 16 * 8 * 16;
    static __device__ void step(unsigned (&d)[4], unsigned a, unsigned b, unsigned) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a), "r"(b));
    }
};
struct Tf32 {
    static constexpr int FMAS = 16 * 8 * 8;
    static __device__ void step(unsigned (&d)[4], unsigned a, unsigned b, unsigned) {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a), "r"(b));
    }
};
struct Int8 {
    static constexpr int FMAS = 16 * 8 * 32;
    static __device__ void step(unsigned (&d)[4], unsigned a, unsigned b, unsigned) {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a), "r"(b));
    }
};
struct Float8 {
    static constexpr int FMAS = 16 * 8 * 32;
    static __device__ void step(unsigned (&d)[4], unsigned a, unsigned b, unsigned salt) {
        a ^= salt;  // ptxas emulates this form and would compute one product for all steps
        asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a), "r"(b));
    }
};
struct Float64 {
    static constexpr int FMAS = 8 * 8 * 4;
    static __device__ void step(unsigned (&d)[4], unsigned a, unsigned b, unsigned) {
        const double x = __hiloint2double(a, a), y = __hiloint2double(b, b);
        double low = __hiloint2double(d[1], d[0]), high = __hiloint2double(d[3], d[2]);
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(low), "+d"(high) : "d"(x), "d"(y));
        d[0] = __double2loint(low), d[1] = __double2hiint(low), d[2] = __double2loint(high), d[3] = __double2hiint(high);
    }
};

template <typename Form, int MANY>
__global__ void run(const unsigned* in, long long* cycles, unsigned* out) {
    unsigned d[MANY][4] = {};
    const unsigned a = in[threadIdx.x], b = in[threadIdx.x + 1024];
    __syncthreads();
    const long long from = clock64();
#pragma unroll 8
    for (int round = 0; round < ROUNDS; ++round)
#pragma unroll
        for (int chain = 0; chain < MANY; ++chain) Form::step(d[chain], a, b, round * MANY + chain);
    __syncthreads();
    const long long to = clock64();
    for (int chain = 0; chain < MANY; ++chain)
        for (int i = 0; i < 4; ++i) out[threadIdx.x] += d[chain][i];
    if (threadIdx.x == 0) *cycles = to - from;
}

template <typename Form>
void format(const char* name) {
    const unsigned* in = on_device<unsigned>(2048);
    unsigned* out = on_device<unsigned>(1024);
    long long* cycles = on_device<long long>(1);
    const auto least = [&](auto kernel, int threads) {
        long long found = 1LL << 62;
        for (int run = 0; run < 5; ++run) {
            kernel<<<1, threads>>>(in, cycles, out);
            FINISH();
            found = std::min(found, on_host(cycles, 1)[0]);
        }
        return double(found);
    };
    figure(name, "multiply-adds per SM and cycle", 16.0 * ROUNDS * CHAINS * Form::FMAS / least(run<Form, CHAINS>, 512), "per cycle");
    figure(name, "cycles of one in a chain", least(run<Form, 1>, 32) / ROUNDS, "cycles");
}

int main() {
    format<Half>("mma.sync m16n8k16, float16 into float32");
    format<HalfIntoHalf>("mma.sync m16n8k16, float16 into float16");
    format<Bfloat16>("mma.sync m16n8k16, bfloat16 into float32");
    format<Tf32>("mma.sync m16n8k8, TF32 into float32");
    format<Float8>("mma.sync m16n8k32, FP8 (E4M3) into float32");
    format<Int8>("mma.sync m16n8k32, int8 into int32");
    format<Float64>("mma.sync m8n8k4, float64");
}
