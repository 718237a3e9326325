// A sum, a matrix multiplication and a softmax, optimized step by step; axpy on host and device.
#include <chrono>

#include "common.cuh"

// --- A sum of 2^28 floats. ---
__global__ void sum_atomics(const float* in, float* out) { atomicAdd(out, in[blockIdx.x * size_t(blockDim.x) + threadIdx.x]); }

__device__ float of_block_in_shared(float mine) {
    __shared__ float part[256];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    return part[0];
}

__global__ void sum_shared(const float* in, float* out) {
    const float all = of_block_in_shared(in[blockIdx.x * size_t(blockDim.x) + threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(out, all);
}

__device__ float of_warp(float mine) {
    for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
    return mine;
}

__device__ void of_block_by_shuffles(float mine, float* out) {
    __shared__ float part[8];
    mine = of_warp(mine);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int warp = 0; warp < 8; ++warp) all += part[warp];
        atomicAdd(out, all);
    }
}

__global__ void sum_shuffles(const float* in, float* out) {
    of_block_by_shuffles(in[blockIdx.x * size_t(blockDim.x) + threadIdx.x], out);
}

__global__ void sum_many_each(const float4* in, size_t quads, float* out) {
    float mine = 0;
    const size_t all = gridDim.x * size_t(blockDim.x);
#pragma unroll 4
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < quads; i += all) {
        const float4 four = in[i];
        mine += (four.x + four.y) + (four.z + four.w);
    }
    of_block_by_shuffles(mine, out);
}

// --- A product of 4096 x 4096 floats. ---
constexpr int SIDE = 4096;

__global__ void product_column_first(const float* a, const float* b, float* c) {  // adjacent threads compute adjacent rows
    const int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < SIDE; ++k) sum += a[row * SIDE + k] * b[k * SIDE + column];
    c[row * SIDE + column] = sum;
}

__global__ void product_naive(const float* a, const float* b, float* c) {  // adjacent threads compute adjacent columns
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < SIDE; ++k) sum += a[row * SIDE + k] * b[k * SIDE + column];
    c[row * SIDE + column] = sum;
}

__global__ void product_tiled(const float* a, const float* b, float* c) {
    __shared__ float as[32][32], bs[32][32];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    float sum = 0;
    for (int tile = 0; tile < SIDE; tile += 32) {
        as[y][x] = a[row * SIDE + tile + x];
        bs[y][x] = b[(tile + y) * SIDE + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; ++k) sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * SIDE + column] = sum;
}

// 128 x 128 outputs per block, 8 x 8 per thread in four groups of 4 x 4, so no load conflicts.
__global__ void __launch_bounds__(256) product_blocked(const float* a, const float* b, float* c) {
    __shared__ __align__(16) float as[8][128 + 4], bs[8][128];
    const int t = threadIdx.x, x = t % 16, y = t / 16, left = blockIdx.x * 128, top = blockIdx.y * 128;
    float sum[8][8] = {};
    for (int tile = 0; tile < SIDE; tile += 8) {
        const float4 of_a = *reinterpret_cast<const float4*>(&a[(top + t / 2) * SIDE + tile + t % 2 * 4]);
        const float4 of_b = *reinterpret_cast<const float4*>(&b[(tile + t / 32) * SIDE + left + t % 32 * 4]);
        __syncthreads();
        as[t % 2 * 4 + 0][t / 2] = of_a.x;
        as[t % 2 * 4 + 1][t / 2] = of_a.y;
        as[t % 2 * 4 + 2][t / 2] = of_a.z;
        as[t % 2 * 4 + 3][t / 2] = of_a.w;
        *reinterpret_cast<float4*>(&bs[t / 32][t % 32 * 4]) = of_b;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            float l[8], r[8];
#pragma unroll
            for (int i = 0; i < 8; ++i) l[i] = as[k][i / 4 * 64 + 4 * y + i % 4];
#pragma unroll
            for (int i = 0; i < 8; ++i) r[i] = bs[k][i / 4 * 64 + 4 * x + i % 4];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(l[i], r[j], sum[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; j += 4)
            *reinterpret_cast<float4*>(&c[(top + i / 4 * 64 + 4 * y + i % 4) * SIDE + left + j / 4 * 64 + 4 * x]) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

// --- Softmax of 16384 rows of 4096 floats. ---
constexpr int ROWS = 16384, WIDTH = 4096;

template <typename Combine>
__device__ float of_row(float mine, Combine combine) {
    __shared__ float part[8];
    for (int d = 16; d > 0; d /= 2) mine = combine(mine, __shfl_xor_sync(~0u, mine, d));
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    float all = part[0];
    for (int warp = 1; warp < 8; ++warp) all = combine(all, part[warp]);
    return all;
}

__global__ void row_maxima(const float* in, float* maxima) {
    float most = -INFINITY;
    for (int i = threadIdx.x; i < WIDTH; i += 256) most = fmaxf(most, in[blockIdx.x * size_t(WIDTH) + i]);
    most = of_row(most, [](float a, float b) { return fmaxf(a, b); });
    if (threadIdx.x == 0) maxima[blockIdx.x] = most;
}
__global__ void exponentials(const float* in, const float* maxima, float* out) {
    const size_t i = blockIdx.x * size_t(256) + threadIdx.x;
    out[i] = __expf(in[i] - maxima[i / WIDTH]);
}
__global__ void row_sums(const float* in, float* sums) {
    float sum = 0;
    for (int i = threadIdx.x; i < WIDTH; i += 256) sum += in[blockIdx.x * size_t(WIDTH) + i];
    sum = of_row(sum, [](float a, float b) { return a + b; });
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
__global__ void quotients(float* values, const float* sums) {
    const size_t i = blockIdx.x * size_t(256) + threadIdx.x;
    values[i] /= sums[i / WIDTH];
}

__global__ void softmax_fused(const float* in, float* out) {  // keeps the row in registers
    const float4* row = reinterpret_cast<const float4*>(in + blockIdx.x * size_t(WIDTH));
    float4* to = reinterpret_cast<float4*>(out + blockIdx.x * size_t(WIDTH));
    float4 kept[4];
    float most = -INFINITY, sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        kept[i] = row[i * 256 + threadIdx.x];
        most = fmaxf(most, fmaxf(fmaxf(kept[i].x, kept[i].y), fmaxf(kept[i].z, kept[i].w)));
    }
    most = of_row(most, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        kept[i] = make_float4(__expf(kept[i].x - most), __expf(kept[i].y - most), __expf(kept[i].z - most),
                              __expf(kept[i].w - most));
        sum += (kept[i].x + kept[i].y) + (kept[i].z + kept[i].w);
    }
    sum = 1 / of_row(sum, [](float a, float b) { return a + b; });
#pragma unroll
    for (int i = 0; i < 4; ++i)
        to[i * 256 + threadIdx.x] = make_float4(kept[i].x * sum, kept[i].y * sum, kept[i].z * sum, kept[i].w * sum);
}

// --- y = a*x + y on the host, on the device with its copies, and on the device alone. ---
__global__ void axpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

template <typename Work>
double host_us(Work work) {
    std::vector<double> all;
    for (int run = -2; run < 9; ++run) {
        CHECK(cudaDeviceSynchronize());
        const auto from = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - from;
        if (run >= 0) all.push_back(took.count());
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

void sums() {
    const size_t n = size_t(1) << 28;
    const float* in = on_device<float>(n);
    float* out = on_device<float>(1);
    const auto step = [&](const char* name, auto launch) {
        const double ms = median_ms(launch, 7);
        figure("sum of 2^28 floats", name, ms, "ms");
        figure("sum of 2^28 floats", (std::string(name) + ": bandwidth").c_str(), 4.0 * n / ms / 1e6, "GB/s");
    };
    const unsigned blocks = unsigned(n / 256);
    step("an atomicAdd per thread", [&] { sum_atomics<<<blocks, 256>>>(in, out); });
    step("a tree in shared memory per block", [&] { sum_shared<<<blocks, 256>>>(in, out); });
    step("shuffles, one value per thread", [&] { sum_shuffles<<<blocks, 256>>>(in, out); });
    step("grid-stride loop of float4, shuffles", [&] {
        sum_many_each<<<132 * 8, 256>>>(reinterpret_cast<const float4*>(in), n / 4, out);
    });
    CHECK(cudaFree(const_cast<float*>(in)));
}

void products() {
    std::vector<float> some(size_t(SIDE) * SIDE);
    for (size_t i = 0; i < some.size(); ++i) some[i] = float(unsigned(i) * 2654435761u >> 28) - 7;
    const float *a = on_device(some), *b = on_device(some);
    float *c = on_device<float>(some.size()), *right = on_device<float>(some.size());
    product_tiled<<<dim3(128, 128), dim3(32, 32)>>>(a, b, right);
    FINISH();
    const auto expected = on_host(right, some.size());
    const auto step = [&](const char* name, auto launch) {
        const double ms = median_ms(launch, 5);
        const auto found = on_host(c, some.size());
        if (found != expected) std::exit(6);  // integers: every order of additions gives the same sum
        figure("product, 4096 cubed", name, ms, "ms");
        figure("product, 4096 cubed", (std::string(name) + ": TFLOP/s").c_str(), 2.0 * SIDE * SIDE * SIDE / ms / 1e9, "TFLOP/s");
    };
    const dim3 grid(SIDE / 32, SIDE / 32), block(32, 32);
    step("global memory, neighbors in a column", [&] { product_column_first<<<grid, block>>>(a, b, c); });
    step("global memory, neighbors in a row", [&] { product_naive<<<grid, block>>>(a, b, c); });
    step("32 x 32 tiles in shared memory", [&] { product_tiled<<<grid, block>>>(a, b, c); });
    step("128 x 128 tiles, 8 x 8 outputs per thread", [&] { product_blocked<<<dim3(32, 32), 256>>>(a, b, c); });
}

void softmaxes() {
    const size_t n = size_t(ROWS) * WIDTH;
    const float* in = on_device<float>(n);
    float *out = on_device<float>(n), *rows = on_device<float>(ROWS);
    const unsigned blocks = unsigned(n / 256);
    figure("softmax, 16384 rows of 4096", "four kernels", median_ms([&] {
               row_maxima<<<ROWS, 256>>>(in, rows);
               exponentials<<<blocks, 256>>>(in, rows, out);
               row_sums<<<ROWS, 256>>>(out, rows);
               quotients<<<blocks, 256>>>(out, rows);
           }), "ms");
    figure("softmax, 16384 rows of 4096", "one kernel, the row in registers",
           median_ms([&] { softmax_fused<<<ROWS, 256>>>(in, out); }), "ms");
}

void choices() {
    const int most = 1 << 24;
    float *x = nullptr, *y = nullptr, *on_x = on_device<float>(most), *on_y = on_device<float>(most);
    CHECK(cudaMallocHost(&x, most * 4));
    CHECK(cudaMallocHost(&y, most * 4));
    std::fill(x, x + most, 1.0f);
    std::fill(y, y + most, 2.0f);
    for (int n = 1 << 10; n <= most; n *= 4) {
        const std::string name = "axpy of " + std::to_string(n);
        figure(name, "one host thread", host_us([&] {
                   for (int i = 0; i < n; ++i) y[i] += 0.5f * x[i];
               }), "us");
        figure(name, "device, with the copies", host_us([&] {
                   CHECK(cudaMemcpyAsync(on_x, x, n * 4, cudaMemcpyHostToDevice));
                   CHECK(cudaMemcpyAsync(on_y, y, n * 4, cudaMemcpyHostToDevice));
                   axpy<<<(n + 255) / 256, 256>>>(n, 0.5f, on_x, on_y);
                   CHECK(cudaMemcpyAsync(y, on_y, n * 4, cudaMemcpyDeviceToHost));
                   CHECK(cudaDeviceSynchronize());
               }), "us");
        figure(name, "device, data already there", host_us([&] {
                   axpy<<<(n + 255) / 256, 256>>>(n, 0.5f, on_x, on_y);
                   CHECK(cudaDeviceSynchronize());
               }), "us");
    }
}

int main() {
    sums();
    products();
    softmaxes();
    choices();
}
