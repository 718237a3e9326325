// Small kernels with one fault each, and the same after the fix: what a profile says before and after.
// A name is `SCENARIO, VARIANT`. Every launch of `count` is the one that `time` times.
#include "common.cuh"

#include <functional>

constexpr int N = 1 << 26;  // floats, 256 MB: larger than the L2 cache
constexpr int SIDE = 8192;

// --- array of structs ---
struct Particle { float x, y, z, mass, vx, vy, vz, charge; };
__global__ void kinetic_structs(const Particle* p, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.5f * p[i].mass * p[i].vx * p[i].vx;
}
__global__ void kinetic_arrays(const float* mass, const float* vx, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.5f * mass[i] * vx[i] * vx[i];
}

// --- threads along the wrong axis ---
__global__ void scale_columns(const float* a, float* out, int side) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int col = 0; col < side; ++col) out[row * side + col] = 2.0f * a[row * side + col];
}
__global__ void scale_rows(const float* a, float* out, int side) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = blockIdx.y; row < side; row += gridDim.y)
        out[row * side + col] = 2.0f * a[row * side + col];
}

// --- a transpose's tile ---
template <int PITCH>
__global__ void transpose(const float* a, float* out, int side) {
    __shared__ float tile[32][PITCH];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8) tile[j][threadIdx.x] = a[(y + j) * side + x];
    __syncthreads();
    const int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32;
    for (int j = threadIdx.y; j < 32; j += 8) out[(oy + j) * side + ox] = tile[threadIdx.x][j];
}

// --- one load in flight per thread, few threads ---
template <int LOADS>
__global__ void sum_loads(const float* a, float* out, int n) {
    const int threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = t; i < n; i += threads * LOADS) {
        float v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; ++k) v[k] = a[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; ++k) sum += v[k];
        if constexpr (LOADS == 1) __threadfence_block();  // keeps the compiler from unrolling
    }
    out[t] = sum;
}

// --- counters of a histogram ---
__global__ void histogram_global(const unsigned char* keys, unsigned* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[keys[i]], 1u);
}
__global__ void histogram_shared(const unsigned char* keys, unsigned* bins, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[keys[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void histogram_wide(const uint4* keys, unsigned* bins, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 16; i += gridDim.x * blockDim.x) {
        const uint4 sixteen = keys[i];
        const unsigned words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
        for (int k = 0; k < 16; ++k) atomicAdd(&own[words[k / 4] >> 8 * (k % 4) & 255], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// --- double precision by accident ---
__global__ void gelu_double(const float* a, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i];
        for (int k = 0; k < 64; ++k) v = v * 0.999 + 0.001;  // double literals
        out[i] = v;
    }
}
__global__ void gelu_float(const float* a, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i];
        for (int k = 0; k < 64; ++k) v = v * 0.999f + 0.001f;
        out[i] = v;
    }
}

// --- divergent branches ---
__device__ float heavy(float v, float c) {
    for (int k = 0; k < 200; ++k) v = fmaf(v, c, 0.5f);
    return v;
}
__global__ void branch_by_lane(const float* a, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (threadIdx.x % 4) {
        case 0: out[i] = heavy(a[i], 0.1f) + 1; break;
        case 1: out[i] = heavy(a[i], 0.2f) * 2; break;
        case 2: out[i] = heavy(a[i], 0.3f) - 3; break;
        default: out[i] = heavy(a[i], 0.4f) * 4;
    }
}
__global__ void branch_by_warp(const float* a, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (threadIdx.x / 32 % 4) {
        case 0: out[i] = heavy(a[i], 0.1f) + 1; break;
        case 1: out[i] = heavy(a[i], 0.2f) * 2; break;
        case 2: out[i] = heavy(a[i], 0.3f) - 3; break;
        default: out[i] = heavy(a[i], 0.4f) * 4;
    }
}

// --- a grid of few blocks ---
__global__ void row_sums(const float* a, float* out, int cols, int parts) {
    __shared__ float part[8];
    const int row = blockIdx.x / parts, at = blockIdx.x % parts, each = cols / parts;
    float sum = 0;
    for (int c = threadIdx.x; c < each; c += blockDim.x) sum += a[size_t(row) * cols + at * each + c];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) sum += part[w];
        atomicAdd(&out[row], sum);
    }
}

// --- compute-bound already, with a few bank conflicts ---
template <int PITCH>
__global__ void polynomial(const float* a, float* out, int n) {
    __shared__ float tile[32][PITCH];
    const int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = a[i];
    __syncthreads();
    float v = tile[threadIdx.x][threadIdx.y], w = v + 1, x = v + 2, y = v + 3;
    for (int k = 0; k < 1000; ++k) {
        v = fmaf(v, 0.5f, 1.0f); w = fmaf(w, 0.5f, 1.0f);
        x = fmaf(x, 0.5f, 1.0f); y = fmaf(y, 0.5f, 1.0f);
    }
    out[i] = v + w + x + y;
}

// --- 16-byte loads ---
__global__ void copy_scalar(const unsigned char* a, unsigned char* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i];
}
__global__ void copy_vector(const uint4* a, uint4* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i];
}

// --- a matrix that is read again and again ---
template <int TILE>
__global__ void gemm(const float* a, const float* b, float* c, int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        as[ty][tx] = a[row * n + k0 + tx];
        bs[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
__global__ void gemm_naive(const float* a, const float* b, float* c, int n) {
    const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

// --- elementwise steps, apart and fused ---
__global__ void add(const float* a, const float* b, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}
__global__ void relu(float* a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = fmaxf(a[i], 0.0f);
}
__global__ void add_relu(const float* a, const float* b, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fmaxf(a[i] + b[i], 0.0f);
}

// --- an array with a run-time index ---
template <bool UNROLLED>
__global__ void window(const float* a, const int* order, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float kept[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) kept[k] = a[(i + k) % n];
    float sum = 0;
    if constexpr (UNROLLED) {
#pragma unroll
        for (int k = 0; k < 16; ++k) sum = sum * 0.5f + kept[k];
    } else {
        for (int k = 0; k < 16; ++k) sum = sum * 0.5f + kept[order[k]];
    }
    out[i] = sum;
}

int main(int count, char** values) {
    const bool counts = counting(count, values);
    float *a = on_device<float>(N), *b = on_device<float>(N), *out = on_device<float>(N);
    std::vector<unsigned char> some(N);
    for (int i = 0; i < N; ++i) some[i] = i % 10 ? 7 : i * 2654435761u >> 24;  // nine of ten are 7
    unsigned char* keys = on_device(some);
    unsigned* bins = on_device<unsigned>(256);
    std::vector<int> places(16);
    for (int k = 0; k < 16; ++k) places[k] = (k * 7 + 3) % 16;
    int* order = on_device(places);
    auto scenario = [&](const char* name, const std::function<void()>& launch) {
        if (counts) {
            named(name);
            launch();
            FINISH();
        } else {
            figure(name, "ms", median_ms(launch), "ms");
        }
    };
    const int blocks = N / 256;
    const dim3 warp8(32, 8), square(32, 32), tiles(SIDE / 32, SIDE / 32);
    scenario("structs, array of structs", [&] { kinetic_structs<<<N / 8 / 256, 256>>>((Particle*)a, out, N / 8); });
    scenario("structs, struct of arrays", [&] { kinetic_arrays<<<N / 8 / 256, 256>>>(a, b, out, N / 8); });
    scenario("axis, a row per thread", [&] { scale_columns<<<SIDE / 256, 256>>>(a, out, SIDE); });
    scenario("axis, a column per thread", [&] { scale_rows<<<dim3(SIDE / 256, 64), 256>>>(a, out, SIDE); });
    scenario("transpose, pitch 32", [&] { transpose<32><<<tiles, warp8>>>(a, out, SIDE); });
    scenario("transpose, pitch 33", [&] { transpose<33><<<tiles, warp8>>>(a, out, SIDE); });
    scenario("loads, 1 load, 132 blocks", [&] { sum_loads<1><<<132, 256>>>(a, out, N); });
    scenario("loads, 8 loads, 132 blocks", [&] { sum_loads<8><<<132, 256>>>(a, out, N - N % (132 * 256 * 8)); });
    scenario("loads, 1 load, 1056 blocks", [&] { sum_loads<1><<<1056, 256>>>(a, out, N); });
    scenario("histogram, global atomics", [&] { histogram_global<<<1056, 256>>>(keys, bins, N); });
    scenario("histogram, shared counters", [&] { histogram_shared<<<1056, 256>>>(keys, bins, N); });
    scenario("histogram, 16 keys per load",
             [&] { histogram_wide<<<1056, 256>>>(reinterpret_cast<const uint4*>(keys), bins, N); });
    scenario("literals, double", [&] { gelu_double<<<blocks, 256>>>(a, out, N); });
    scenario("literals, float", [&] { gelu_float<<<blocks, 256>>>(a, out, N); });
    scenario("branches, by lane", [&] { branch_by_lane<<<blocks, 256>>>(a, out, N); });
    scenario("branches, by warp", [&] { branch_by_warp<<<blocks, 256>>>(a, out, N); });
    scenario("few rows, a block per row", [&] { row_sums<<<64, 256>>>(a, out, N / 64, 1); });
    scenario("few rows, 32 blocks per row", [&] { row_sums<<<64 * 32, 256>>>(a, out, N / 64, 32); });
    scenario("polynomial, pitch 32", [&] { polynomial<32><<<N / 1024, square>>>(a, out, N); });
    scenario("polynomial, pitch 33", [&] { polynomial<33><<<N / 1024, square>>>(a, out, N); });
    scenario("copy, 1 byte per thread", [&] { copy_scalar<<<N / 256, 256>>>(keys, (unsigned char*)out, N); });
    scenario("copy, 16 bytes per thread", [&] { copy_vector<<<N / 16 / 256, 256>>>((uint4*)keys, (uint4*)out, N / 16); });
    scenario("gemm 2048, naive", [&] { gemm_naive<<<dim3(64, 64), square>>>(a, b, out, 2048); });
    scenario("gemm 2048, tiles of 32", [&] { gemm<32><<<dim3(64, 64), square>>>(a, b, out, 2048); });
    scenario("fusion, add", [&] { add<<<blocks, 256>>>(a, b, out, N); });
    scenario("fusion, relu", [&] { relu<<<blocks, 256>>>(out, N); });
    scenario("fusion, add and relu", [&] { add_relu<<<blocks, 256>>>(a, b, out, N); });
    scenario("window, run-time index", [&] { window<false><<<blocks, 256>>>(a, order, out, N); });
    scenario("window, constant index", [&] { window<true><<<blocks, 256>>>(a, order, out, N); });
    if (!counts) {  // many small launches: a loop, and a graph of them
        cudaStream_t stream;
        CHECK(cudaStreamCreate(&stream));
        const int many = 1000, small = 4096;
        auto loop = [&] { for (int k = 0; k < many; ++k) relu<<<small / 256, 256, 0, stream>>>(out, small); };
        loop();
        CHECK(cudaStreamSynchronize(stream));
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        loop();
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&ready, graph, 0));
        cudaEvent_t from, to;
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
        for (const bool as_graph : {false, true}) {
            std::vector<float> all;
            for (int run = 0; run < 9; ++run) {
                CHECK(cudaEventRecord(from, stream));
                if (as_graph) CHECK(cudaGraphLaunch(ready, stream)); else loop();
                CHECK(cudaEventRecord(to, stream));
                CHECK(cudaEventSynchronize(to));
                float ms = 0;
                CHECK(cudaEventElapsedTime(&ms, from, to));
                all.push_back(ms);
            }
            std::sort(all.begin(), all.end());
            figure(as_graph ? "small launches, a graph of 1000" : "small launches, 1000 in a loop", "ms", all[4], "ms");
        }
    }
    return 0;
}
