// Register blocking: how many shared memory wavefronts each FMA of a matrix multiplication needs.
#include "common.cuh"

constexpr int DEPTH = 32, SIDE = 16;  // 16 x 16 threads; tiles are DEPTH deep

// Thread (x, y) computes R x R outputs, of R consecutive rows and columns or of two groups.
// Start and end of a block on the clock of its SM.
struct Span { long long from, to; unsigned sm; };

template <int R, bool APART>
__device__ int place(int thread, int i) {
    return APART ? i / (R / 2) * (SIDE * R / 2) + thread * (R / 2) + i % (R / 2) : thread * R + i;
}

// With two groups of R/2 half a tile apart, adjacent threads read adjacent 16 bytes.
template <int R, bool APART>
__global__ void __launch_bounds__(SIDE * SIDE) product(int rounds, const float* in, Span* spans, float* out) {
    __shared__ __align__(16) float a[DEPTH][SIDE * R], b[DEPTH][SIDE * R];
    for (int i = threadIdx.y * SIDE + threadIdx.x; i < DEPTH * SIDE * R; i += SIDE * SIDE) {
        (&a[0][0])[i] = in[i];
        (&b[0][0])[i] = in[i];
    }
    __syncthreads();
    float sum[R][R] = {};
    const long long from = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll 8
        for (int k = 0; k < DEPTH; ++k) {
            float left[R], right[R];
#pragma unroll
            for (int i = 0; i < R; ++i) left[i] = a[k][place<R, APART>(threadIdx.y, i)];
#pragma unroll
            for (int i = 0; i < R; ++i) right[i] = b[k][place<R, APART>(threadIdx.x, i)];
#pragma unroll
            for (int i = 0; i < R; ++i)
#pragma unroll
                for (int j = 0; j < R; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
        }
        __syncthreads();
    }
    const long long to = clock64();
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j)
            out[((blockIdx.x * SIDE * R + threadIdx.y * R + i) * SIDE + threadIdx.x) * R + j] = sum[i][j];
    if (threadIdx.x + threadIdx.y == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        spans[blockIdx.x] = {from, to, sm};
    }
}

// Returns the shortest time from first start to last end among SMs that ran the expected number of
// blocks. One block alone would not do: the scheduler favors the oldest.
long long of_an_sm(const std::vector<Span>& spans, size_t blocks) {
    long long found = 1LL << 62;
    for (unsigned sm = 0; sm < 132; ++sm) {
        long long from = 1LL << 62, to = 0;
        size_t many = 0;
        for (const Span& one : spans)
            if (one.sm == sm) from = std::min(from, one.from), to = std::max(to, one.to), ++many;
        if (many == blocks) found = std::min(found, to - from);
    }
    return found;
}

template <int R, bool APART = false>
void blocking(bool counted, const float* in, Span* spans, float* out) {
    const std::string name = std::to_string(R) + " x " + std::to_string(R) + " outputs per thread" + (APART ? ", in groups of " + std::to_string(R / 2) : "");
    const dim3 block(SIDE, SIDE);
    const double warps = SIDE * SIDE / 32;
    if (counted) {
        named(name), product<R, APART><<<1, block>>>(1, in, spans, out);
        figure(name, "FMAs of warps", warps * R * R * DEPTH, "");
        return;
    }
    int resident = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, product<R, APART>, SIDE * SIDE, 0));
    const int rounds = 256, blocks = std::min(resident, R == 8 ? 2 : 4);  // per SM
    long long found = 1LL << 62;
    for (int run = 0; run < 5; ++run) {
        product<R, APART><<<132 * blocks, block>>>(rounds, in, spans, out);
        FINISH();
        found = std::min(found, of_an_sm(on_host(spans, 132 * blocks), blocks));
    }
    figure(name, "blocks of 256 on an SM", blocks, "");
    figure(name, "FMAs per SM and cycle", 256.0 * blocks * R * R * DEPTH * rounds / found, "per cycle");
}

int main(int count, char** values) {
    const bool counted = counting(count, values);
    const float* in = on_device<float>(DEPTH * SIDE * 8);
    float* out = on_device<float>(132 * 4 * SIDE * SIDE * 64);
    Span* spans = on_device<Span>(132 * 4);
    blocking<1>(counted, in, spans, out);
    blocking<2>(counted, in, spans, out);
    blocking<4>(counted, in, spans, out);
    blocking<8>(counted, in, spans, out);
    blocking<8, true>(counted, in, spans, out);
    FINISH();
}
