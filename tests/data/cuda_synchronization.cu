// cuda::atomic_ref, cuda::barrier, cuda::pipeline and copies of groups as an H200 computes them:
// cuda_synchronization.txt has what it printed, built by nvcc 13.0 with -std=c++17 -arch=sm_90. Each line
// is a hash of all bytes of an output.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>
namespace cg = cooperative_groups;
constexpr int THREADS = 128, TILE = 256, TILES = 8, N = TILE * TILES;

__global__ void atomics(const int* in, int* out, float* fout, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]), most(out[1]), bits(out[2]), last(out[3]);
    cuda::atomic_ref<float, cuda::thread_scope_device> fsum(fout[0]);
    if (i >= n) return;
    sum.fetch_add(in[i], cuda::memory_order_relaxed);
    most.fetch_max(in[i], cuda::std::memory_order_relaxed);
    bits.fetch_xor(in[i]);
    fsum += 0.5f;
    int seen = last.load(cuda::memory_order_relaxed);
    while (!last.compare_exchange_weak(seen, seen + (in[i] & 1), cuda::memory_order_relaxed)) {}
    cuda::atomic_ref<int, cuda::thread_scope_device> tickets(out[4]);
    if (tickets++ == n - 1) out[5] = sum.load() + 1;
}

__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__global__ void message(const int* in, int* data, int* out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = in[threadIdx.x] * 3;
        __syncthreads();
        if (threadIdx.x == 0) flag.store(1, cuda::memory_order_release);
    } else {
        if (threadIdx.x == 0)
            while (flag.load(cuda::memory_order_acquire) != 1) {}
        __syncthreads();
        out[threadIdx.x] = data[THREADS - 1 - threadIdx.x];
    }
}

__global__ void halves(const float* in, float* out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier ready;
    __shared__ float tile[THREADS];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&ready, block.size());
    block.sync();
    float value = in[blockIdx.x * THREADS + threadIdx.x];
    for (int round = 0; round < 3; ++round) {
        tile[threadIdx.x] = value;
        barrier::arrival_token token = ready.arrive();
        value *= 0.5f;
        ready.wait(std::move(token));
        value += tile[THREADS - 1 - threadIdx.x];
        ready.arrive_and_wait();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = value;
}

__global__ void copied(const float* in, float* out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier ready;
    __shared__ alignas(16) float tile[TILE];
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    block.sync();
    cuda::memcpy_async(block, tile, in + blockIdx.x * TILE, cuda::aligned_size_t<16>(sizeof(tile)), ready);
    ready.arrive_and_wait();
    for (int i = threadIdx.x; i < TILE; i += THREADS) out[blockIdx.x * TILE + i] = tile[TILE - 1 - i] + 1;
}

__global__ void staged(const int* in, int* out)
{
    constexpr int STAGES = 2;
    __shared__ alignas(16) int tile[STAGES][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    unsigned total = 0;
    for (int compute = 0, fetch = 0; compute < TILES; ++compute) {
        for (; fetch < TILES && fetch < compute + STAGES; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetch % STAGES], in + fetch * TILE, sizeof(int) * TILE, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        for (int i = threadIdx.x; i < TILE; i += THREADS) total = total * 31 + tile[compute % STAGES][TILE - 1 - i];
        pipe.consumer_release();
    }
    out[threadIdx.x] = total;
}

__global__ void own(const int* in, int* out)
{
    __shared__ int tile[2][THREADS];
    auto pipe = cuda::make_pipeline();
    unsigned total = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[0][threadIdx.x], in + threadIdx.x, sizeof(int), pipe);
    pipe.producer_commit();
    for (int k = 1; k <= 4; ++k) {
        pipe.producer_acquire();
        if (k < 4) cuda::memcpy_async(&tile[k & 1][threadIdx.x], in + k * THREADS + threadIdx.x, sizeof(int), pipe);
        pipe.producer_commit();
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        total = total * 7 + tile[(k - 1) & 1][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = total;
}

__global__ void specialized(const int* in, int* out)
{
    constexpr int STAGES = 3;
    __shared__ int tile[STAGES][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        for (int k = 0; k < 12; ++k) {
            pipe.producer_acquire();
            for (int i = threadIdx.x; i < 64; i += 32)
                cuda::memcpy_async(&tile[k % STAGES][i], in + k * 64 + i, cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
    } else {
        unsigned total = 0;
        for (int k = 0; k < 12; ++k) {
            pipe.consumer_wait();
            total = total * 5 + tile[k % STAGES][(threadIdx.x * 7) % 64];
            pipe.consumer_release();
        }
        out[threadIdx.x] = total;
    }
}

__global__ void groups(const int* in, int* out)
{
    __shared__ alignas(16) int tile[TILE];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * TILE);
    cg::wait(block);
    out[threadIdx.x] = tile[TILE - 1 - threadIdx.x];
    block.sync();
    auto warp = cg::tiled_partition<32>(block);
    int first = warp.meta_group_rank() * 32;
    cg::memcpy_async(warp, tile + first, in + N / 2 + first, sizeof(int) * 32);
    cg::wait(warp);
    out[THREADS + threadIdx.x] = tile[first + 31 - warp.thread_rank()];
}

template <class T> void show(const char* name, const T* device, int count)
{
    std::vector<T> host(count);
    cudaMemcpy(host.data(), device, sizeof(T) * count, cudaMemcpyDeviceToHost);
    unsigned long long hash = 1469598103934665603ull;
    for (size_t i = 0; i < sizeof(T) * count; ++i)
        hash = (hash ^ reinterpret_cast<unsigned char*>(host.data())[i]) * 1099511628211ull;
    printf("%s %016llx %s\n", name, hash, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemset((void*)device, 0, sizeof(T) * count);
}

int main()
{
    std::vector<int> host(N);
    std::vector<float> floats(N);
    unsigned state = 7;
    for (int i = 0; i < N; ++i) {
        state = state * 1664525u + 1013904223u;
        host[i] = (state >> 12) % 1000;
        floats[i] = host[i] / 64.0f;
    }
    int *in, *out, *data;
    float *fin, *fout;
    cudaMalloc(&in, N * 4); cudaMalloc(&out, N * 4); cudaMalloc(&data, N * 4);
    cudaMalloc(&fin, N * 4); cudaMalloc(&fout, N * 4);
    cudaMemcpy(in, host.data(), N * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(fin, floats.data(), N * 4, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, N * 4); cudaMemset(data, 0, N * 4); cudaMemset(fout, 0, N * 4);
    atomics<<<5, THREADS>>>(in, out, fout, 600);
    show("atomics", out, 8); show("atomics of floats", fout, 1);
    message<<<2, THREADS>>>(in, data, out);
    show("message", out, THREADS);
    halves<<<2, THREADS>>>(fin, fout);
    show("halves", fout, 2 * THREADS);
    copied<<<2, THREADS>>>(fin, fout);
    show("copied", fout, 2 * TILE);
    staged<<<1, THREADS>>>(in, out);
    show("staged", out, THREADS);
    own<<<1, THREADS>>>(in, out);
    show("own", out, THREADS);
    specialized<<<1, 96>>>(in, out);
    show("specialized", out, 96);
    groups<<<1, THREADS>>>(in, out);
    show("groups", out, 2 * THREADS);
}
