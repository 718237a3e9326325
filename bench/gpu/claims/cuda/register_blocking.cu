// Why a thread computes several outputs of a product: what it reads from shared memory per FMA.
#include "common.cuh"

constexpr int DEPTH = 32, SIDE = 16;  // 16 x 16 threads; tiles are DEPTH deep

// Thread (x, y) computes R x R outputs: of R consecutive rows and columns, or APART.
template <int R, bool APART>
__device__ int place(int thread, int i) {
    return APART ? i / (R / 2) * (SIDE * R / 2) + thread * (R / 2) + i % (R / 2) : thread * R + i;
}

// As two groups of R/2 that lie half a tile apart, neighbors read neighboring 16 bytes.
template <int R, bool APART>
__global__ void __launch_bounds__(SIDE * SIDE) product(int rounds, const float* in, long long* cycles, float* out) {
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
    if (blockIdx.x == 0 && threadIdx.x + threadIdx.y == 0) *cycles = to - from;
}

template <int R, bool APART = false>
void blocking(bool counted, const float* in, long long* cycles, float* out) {
    const std::string name = std::to_string(R) + " x " + std::to_string(R) + " outputs per thread" + (APART ? ", in groups of " + std::to_string(R / 2) : "");
    const dim3 block(SIDE, SIDE);
    const double warps = SIDE * SIDE / 32;
    if (counted) {
        named(name), product<R, APART><<<1, block>>>(1, in, cycles, out);
        figure(name, "FMAs of warps", warps * R * R * DEPTH, "");
        return;
    }
    int resident = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, product<R, APART>, SIDE * SIDE, 0));
    const int rounds = 64, blocks = std::min(resident, R == 8 ? 2 : 4);  // of one SM
    long long found = 1LL << 62;
    for (int run = 0; run < 5; ++run) {
        product<R, APART><<<132 * blocks, block>>>(rounds, in, cycles, out);
        FINISH();
        found = std::min(found, on_host(cycles, 1)[0]);
    }
    figure(name, "blocks of 256 on an SM", blocks, "");
    figure(name, "FMAs per SM and cycle", 256.0 * blocks * R * R * DEPTH * rounds / found, "per cycle");
}

int main(int count, char** values) {
    const bool counted = counting(count, values);
    const float* in = on_device<float>(DEPTH * SIDE * 8);
    float* out = on_device<float>(132 * 4 * SIDE * SIDE * 64);
    long long* cycles = on_device<long long>(1);
    blocking<1>(counted, in, cycles, out);
    blocking<2>(counted, in, cycles, out);
    blocking<4>(counted, in, cycles, out);
    blocking<8>(counted, in, cycles, out);
    blocking<8, true>(counted, in, cycles, out);
    FINISH();
}
