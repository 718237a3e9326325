// CUB, WMMA, and the language as an H200 computes them: cuda_libraries.txt has what it printed, built by
// nvcc 13.0 with -std=c++20 -arch=sm_90 -fmad=false. Each line is a hash of all bytes of an output.
#include <cstdio>
#include <cstring>
#include <cub/cub.cuh>
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;

__global__ void sums(const int* x, const float* f, int* out, float* fout, int n)
{
    using Reduce = cub::BlockReduce<int, 128>;
    using Scan = cub::BlockScan<int, 128>;
    using FReduce = cub::BlockReduce<float, 128>;
    using Sort = cub::BlockRadixSort<int, 128, 2>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename FReduce::TempStorage freduce;
        typename Sort::TempStorage sort;
    } temp;
    int i = blockIdx.x * 128 + threadIdx.x, total, prefix;
    int v = i < n ? x[i] : 0;
    int sum = Reduce(temp.reduce).Sum(v);
    __syncthreads();
    int most = Reduce(temp.reduce).Reduce(v, [](int a, int b) { return a > b ? a : b; });
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(v, prefix, total);
    __syncthreads();
    float fsum = FReduce(temp.freduce).Sum(i < n ? f[i] : 0.f);
    __syncthreads();
    int keys[2] = {v, v ^ 85};
    Sort(temp.sort).Sort(keys);
    out[i] = prefix;
    out[1024 + 2 * i] = keys[0];
    out[1024 + 2 * i + 1] = keys[1];
    if (threadIdx.x == 0) {
        out[4096 + 3 * blockIdx.x] = sum;
        out[4096 + 3 * blockIdx.x + 1] = most;
        out[4096 + 3 * blockIdx.x + 2] = total;
        fout[blockIdx.x] = fsum;
    }
}

template <class T, int M, int N, int K>
__global__ void product(const T* a, const T* b, float* c)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, float> fc;
    wmma::fill_fragment(fc, 0.5f);
    wmma::load_matrix_sync(fa, a, K);
    wmma::load_matrix_sync(fb, b, K);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int e = 0; e < fc.num_elements; ++e)
        fc.x[e] *= 2.f;
    wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}

__global__ void bytes(const signed char* a, const signed char* b, int* c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, 3);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

union Bits { float f; unsigned u; unsigned char b[4]; };
struct Point { int x, y, z; };
__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
template <class F> __device__ int apply(F f, int v) { return f(v) + 1; }

__global__ void language(unsigned* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int count = 0;
    auto add = [&count, i](auto v) { count += v; return v * i; };
    int first = add(3), second = (int)add(2.5f);
    int (*const table)(int) = square;
    Point p{.x = i, .z = 7};
    auto [x, y, z] = p;
    Bits bits;
    bits.f = i * 1.25f;
    unsigned lop, lane, perm;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(lop) : "r"(i), "r"(0x55aau), "r"(i << 3));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(perm) : "r"(bits.u), "r"(0xdeadbeefu));
    int sum = 0;
    int list[] = {1, i, 3};
    for (int v : list)
        sum += v;
    float copied;
    memcpy(&copied, &bits.u, 4);
    unsigned h = bits.u ^ lop ^ (perm * 31u) ^ (bits.b[2] << 20);
    out[i] = h + first * 7 + second * 13 + count * 17 + apply(table, i) * 19 + (x + y + z) * 23 + sum * 29
        + lane * 37 + apply([=](int v) { return v - i; }, 5) * 41 + (unsigned)copied * 43;
}

template <class T> void show(const char* name, const T* data, int n)
{
    T host[8192];
    cudaMemcpy(host, data, n * sizeof(T), cudaMemcpyDeviceToHost);
    unsigned long long hash = 1469598103934665603ull;
    for (int i = 0; i < n * (int)sizeof(T); ++i)
        hash = (hash ^ ((unsigned char*)host)[i]) * 1099511628211ull;
    printf("%s %016llx\n", name, hash);
}

template <class T, int M, int N, int K> void multiply(const char* name)
{
    float *c; T *a, *b; T ha[1024], hb[1024];
    for (int i = 0; i < 1024; ++i) { ha[i] = T(float((i * 7 % 23) - 11) / 8); hb[i] = T(float((i * 5 % 19) - 9) / 4); }
    cudaMalloc(&a, sizeof ha); cudaMalloc(&b, sizeof hb); cudaMalloc(&c, 4 * M * N);
    cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice); cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
    product<T, M, N, K><<<1, 32>>>(a, b, c);
    show(name, c, M * N);
}

int main()
{
    int hx[512]; float hf[512];
    for (int i = 0; i < 512; ++i) { hx[i] = (i * 7919 + 13) % 1001 - 500; hf[i] = (i * 31 % 97) / 16.f; }
    int *x, *out; float *f, *fout; unsigned* u;
    cudaMalloc(&x, 2048); cudaMalloc(&f, 2048); cudaMalloc(&out, 5000 * 4); cudaMalloc(&fout, 16); cudaMalloc(&u, 1024);
    cudaMemset(out, 0, 20000);
    cudaMemcpy(x, hx, 2048, cudaMemcpyHostToDevice); cudaMemcpy(f, hf, 2048, cudaMemcpyHostToDevice);
    sums<<<4, 128>>>(x, f, out, fout, 500);
    show("cub ints", out, 5000);
    show("cub floats", fout, 4);
    multiply<half, 16, 16, 16>("wmma half 16");
    multiply<half, 32, 8, 16>("wmma half 32x8");
    multiply<half, 8, 32, 16>("wmma half 8x32");
    multiply<__nv_bfloat16, 16, 16, 16>("wmma bf16");
    signed char hb[512], *b; int* c;
    for (int i = 0; i < 512; ++i) hb[i] = i * 37 % 251 - 125;
    cudaMalloc(&b, 512); cudaMalloc(&c, 1024);
    cudaMemcpy(b, hb, 512, cudaMemcpyHostToDevice);
    bytes<<<1, 32>>>(b, b + 256, c);
    show("wmma s8", c, 256);
    language<<<2, 128>>>(u);
    show("language", u, 256);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
