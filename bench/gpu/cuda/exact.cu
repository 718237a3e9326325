// Kernels whose accesses the compiler leaves as they are written; `exact.py` launches them.
//
// The first part has the kernels of `bench/gpu/kernels.py` once more, with the sizes that Numba's
// arrays bring as the last arguments. Trip counts and distances are arguments, and loops over
// constants are not unrolled: else loads would be merged.
#include <cuda_fp16.h>

#define GRID(axis) (blockIdx.axis * blockDim.axis + threadIdx.axis)

extern "C" __global__ void transpose_naive(const float *a, float *out, int n) {
    int x = GRID(x), y = GRID(y);
    out[x * n + y] = a[y * n + x];
}

extern "C" __global__ void transpose_tiled(const float *a, float *out, int n) {
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 32;
    tile[ty][tx] = a[(y + ty) * n + x + tx];
    __syncthreads();
    out[(x + ty) * n + y + tx] = tile[tx][ty];
}

extern "C" __global__ void transpose_padded(const float *a, float *out, int n) {
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 32;
    tile[ty][tx] = a[(y + ty) * n + x + tx];
    __syncthreads();
    out[(x + ty) * n + y + tx] = tile[tx][ty];
}

extern "C" __global__ void transpose_swizzled(const float *a, float *out, int n) {
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 32;
    tile[ty][tx ^ ty] = a[(y + ty) * n + x + tx];
    __syncthreads();
    out[(x + ty) * n + y + tx] = tile[tx][ty ^ tx];
}

extern "C" __global__ void transpose_double(const double *a, double *out, int n) {
    __shared__ double tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 32;
    tile[ty][tx] = a[(y + ty) * n + x + tx];
    __syncthreads();
    out[(x + ty) * n + y + tx] = tile[tx][ty];
}

extern "C" __global__ void transpose_double_padded(const double *a, double *out, int n) {
    __shared__ double tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 32;
    tile[ty][tx] = a[(y + ty) * n + x + tx];
    __syncthreads();
    out[(x + ty) * n + y + tx] = tile[tx][ty];
}

extern "C" __global__ void half_columns(const half *a, half *out, int n) {
    __shared__ half tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = a[ty * n + tx];
    __syncthreads();
    out[ty * n + tx] = tile[tx][ty];
}

extern "C" __global__ void half_columns_padded(const half *a, half *out, int n) {
    __shared__ half tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = a[ty * n + tx];
    __syncthreads();
    out[ty * n + tx] = tile[tx][ty];
}

extern "C" __global__ void copy(const float *a, float *out) {
    int i = GRID(x);
    out[i] = a[i];
}

extern "C" __global__ void copy_strided(const float *a, float *out, long long stride) {
    long long i = GRID(x) * stride;
    out[i] = a[i];
}

extern "C" __global__ void copy_misaligned(const float *a, float *out, long long shift, int n) {
    int i = GRID(x);
    if (i + shift < n)
        out[i] = a[i + shift];
}

extern "C" __global__ void saxpy(float factor, const float *x, float *y, int n) {
    int i = GRID(x);
    if (i < n)
        y[i] = factor * x[i] + y[i];
}

extern "C" __global__ void reduce_interleaved(const float *a, float *out) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = a[GRID(x)];
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        int i = 2 * distance * t;
        if (i < blockDim.x)
            part[i] += part[i + distance];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_modulo(const float *a, float *out) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = a[GRID(x)];
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        if (t % (2 * distance) == 0)
            part[t] += part[t + distance];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

extern "C" __global__ void reduce_sequential(const float *a, float *out) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = a[GRID(x)];
    __syncthreads();
    for (int distance = blockDim.x / 2; distance > 0; distance /= 2) {
        if (t < distance)
            part[t] += part[t + distance];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__device__ float sum_of_warp(float total) {
    for (int distance = 16; distance > 0; distance /= 2)
        total += __shfl_down_sync(0xFFFFFFFF, total, distance);
    return total;
}

extern "C" __global__ void reduce_shuffle(const float *a, float *out) {
    __shared__ float part[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float total = sum_of_warp(a[GRID(x)]);
    if (lane == 0)
        part[warp] = total;
    __syncthreads();
    if (warp == 0) {
        total = sum_of_warp(lane < blockDim.x / 32 ? part[lane] : 0.0f);
        if (lane == 0)
            out[blockIdx.x] = total;
    }
}

extern "C" __global__ void scan_block(const float *a, float *out) {
    __shared__ float sums[256];
    int t = threadIdx.x, i = GRID(x);
    sums[t] = a[i];
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        float before = 0;
        if (t >= distance)
            before = sums[t - distance];
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    out[i] = sums[t];
}

extern "C" __global__ void histogram(const int *keys, int *out) {
    __shared__ int bins[64];
    int t = threadIdx.x;
    if (t < 64)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[keys[GRID(x)]], 1);
    __syncthreads();
    if (t < 64)
        out[blockIdx.x * 64 + t] = bins[t];
}

extern "C" __global__ void histogram_weighted(const int *keys, const int *weights, int *out) {
    __shared__ int bins[64];
    int t = threadIdx.x, i = GRID(x);
    if (t < 64)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[keys[i]], weights[i]);
    __syncthreads();
    if (t < 64)
        out[blockIdx.x * 64 + t] = bins[t];
}

extern "C" __global__ void histogram_float(const int *keys, const float *weights, float *out) {
    __shared__ float bins[64];
    int t = threadIdx.x, i = GRID(x);
    if (t < 64)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[keys[i]], weights[i]);
    __syncthreads();
    if (t < 64)
        out[blockIdx.x * 64 + t] = bins[t];
}

extern "C" __global__ void tickets(const int *keys, int *out) {
    __shared__ int taken[64];
    int t = threadIdx.x;
    if (t < 64)
        taken[t] = 0;
    __syncthreads();
    int key = keys[GRID(x)];
    int ticket = atomicAdd(&taken[key], 1);
    out[((blockIdx.x * 64 + key) * 32 + ticket) * 8] = 1;
}

extern "C" __global__ void gemm(const float *a, const float *b, float *c, int n) {
    __shared__ float left[16][16], right[16][16];
    int x = GRID(x), y = GRID(y), tx = threadIdx.x, ty = threadIdx.y;
    float total = 0;
    for (int first = 0; first < n; first += 16) {
        left[ty][tx] = a[y * n + first + tx];
        right[ty][tx] = b[(first + ty) * n + x];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < 16; ++k)
            total += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[y * n + x] = total;
}

extern "C" __global__ void gemm_padded(const float *a, const float *b, float *c, int n) {
    __shared__ float left[16][17], right[16][17];
    int x = GRID(x), y = GRID(y), tx = threadIdx.x, ty = threadIdx.y;
    float total = 0;
    for (int first = 0; first < n; first += 16) {
        left[ty][tx] = a[y * n + first + tx];
        right[ty][tx] = b[(first + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            total += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[y * n + x] = total;
}

extern "C" __global__ void stencil_line(const float *a, float *out, long long radius) {
    __shared__ float near[256 + 16];
    int t = threadIdx.x, i = GRID(x);
    near[t + radius] = a[i + radius];
    if (t < radius)
        near[t] = a[i];
    else if (t >= blockDim.x - radius)
        near[t + 2 * radius] = a[i + 2 * radius];
    __syncthreads();
    float total = 0;
    for (int k = 0; k < 2 * radius + 1; ++k)
        total += near[t + k];
    out[i] = total;
}

extern "C" __global__ void stencil_plane(const float *a, float *out, float centre, int width) {
    __shared__ float near[18][34];
    int x = GRID(x), y = GRID(y), tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    near[ty][tx] = a[(y + 1) * width + x + 1];
    if (tx == 1)
        near[ty][0] = a[(y + 1) * width + x];
    if (tx == 32)
        near[ty][33] = a[(y + 1) * width + x + 2];
    if (ty == 1)
        near[0][tx] = a[y * width + x + 1];
    if (ty == 16)
        near[17][tx] = a[(y + 2) * width + x + 1];
    __syncthreads();
    float across = near[ty][tx - 1] + near[ty][tx + 1];
    float down = near[ty - 1][tx] + near[ty + 1][tx];
    out[y * (width - 2) + x] = across + down - centre * near[ty][tx];
}

extern "C" __global__ void convolution(
    const float *a, const float *weights, float *out, int width, int rows, int columns) {
    int x = GRID(x), y = GRID(y);
    float total = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            total += weights[row * columns + column] * a[(y + row) * width + x + column];
    out[y * gridDim.x * blockDim.x + x] = total;
}

extern "C" __global__ void softmax_rows(const float *a, float *out, int columns) {
    __shared__ float part[128];
    int t = threadIdx.x, row = blockIdx.x * columns;
    float most = -INFINITY;
    for (int i = t; i < columns; i += blockDim.x)
        most = max(most, a[row + i]);
    part[t] = most;
    __syncthreads();
    for (int distance = blockDim.x / 2; distance > 0; distance /= 2) {
        if (t < distance)
            part[t] = max(part[t], part[t + distance]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    float total = 0;
    for (int i = t; i < columns; i += blockDim.x)
        total += expf(a[row + i] - most);
    part[t] = total;
    __syncthreads();
    for (int distance = blockDim.x / 2; distance > 0; distance /= 2) {
        if (t < distance)
            part[t] += part[t + distance];
        __syncthreads();
    }
    total = part[0];
    for (int i = t; i < columns; i += blockDim.x)
        out[row + i] = expf(a[row + i] - most) / total;
}

extern "C" __global__ void matrix_vector(const float *a, const float *x, float *out, int n) {
    __shared__ float part[128];
    int t = threadIdx.x, row = GRID(x);
    float total = 0;
    for (int first = 0; first < n; first += blockDim.x) {
        part[t] = x[first + t];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < blockDim.x; ++k)
            total += a[row * n + first + k] * part[k];
        __syncthreads();
    }
    out[row] = total;
}

extern "C" __global__ void bitonic_sort(const int *a, int *out) {
    __shared__ int keys[256];
    int t = threadIdx.x, i = GRID(x);
    keys[t] = a[i];
    __syncthreads();
    for (int size = 2; size <= blockDim.x; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            int other = t ^ distance;
            if (other > t) {
                int here = keys[t], there = keys[other];
                if ((here > there) == ((t & size) == 0)) {
                    keys[t] = there;
                    keys[other] = here;
                }
            }
            __syncthreads();
        }
    out[i] = keys[t];
}

extern "C" __global__ void broadcast(const float *a, float *out, int n) {
    __shared__ float shared[64];
    int t = threadIdx.x, i = GRID(x);
    if (t < n)
        shared[t] = a[t];
    __syncthreads();
    float total = 0;
#pragma unroll 1
    for (int k = t / 32; k < n; ++k)
        total = total * 0.5f + shared[k];
    out[i] = total;
}

extern "C" __global__ void members(const float *a, float *out, long long member) {
    __shared__ float points[128][4];
    int t = threadIdx.x, i = GRID(x);
    points[t][member] = a[i * 4 + member];
    __syncthreads();
    out[i] = points[blockDim.x - 1 - t][member];
}

extern "C" __global__ void divergent(const float *a, const float *b, float *out) {
    int i = GRID(x);
    if (i % 3 == 0) {
        float total = 0;
        for (int k = 0; k < i % 5; ++k)
            total += b[k];
        out[i] = total;
    } else
        out[i] = a[i];
}

extern "C" __global__ void gather(const float *a, const int *index, float *out) {
    int i = GRID(x);
    out[i] = a[index[i]];
}

extern "C" __global__ void scatter(const float *a, const int *index, float *out) {
    int i = GRID(x);
    out[index[i]] = a[i];
}

// What Numba cannot write: vectors, structs, narrow types, dynamic shared memory.

struct Triple {
    float x, y, z;
};

template <typename T>
__device__ void reverse_through_shared(const T *a, T *out, T *shared, int stride) {
    int t = threadIdx.x, i = GRID(x);
    shared[t * stride] = a[i];
    __syncthreads();
    out[i] = shared[(blockDim.x - 1 - t) * stride];
}

extern "C" __global__ void shared_bytes(const unsigned char *a, unsigned char *out, int stride) {
    __shared__ unsigned char shared[4096];
    reverse_through_shared(a, out, shared, stride);
}

extern "C" __global__ void shared_shorts(const short *a, short *out, int stride) {
    __shared__ short shared[4096];
    reverse_through_shared(a, out, shared, stride);
}

extern "C" __global__ void shared_floats(const float *a, float *out, int stride) {
    __shared__ float shared[4096];
    reverse_through_shared(a, out, shared, stride);
}

extern "C" __global__ void shared_doubles(const double *a, double *out, int stride) {
    __shared__ double shared[4096];
    reverse_through_shared(a, out, shared, stride);
}

extern "C" __global__ void shared_float2(const float *a, float *out, int stride) {
    __shared__ float2 shared[2048];
    reverse_through_shared((const float2 *)a, (float2 *)out, shared, stride);
}

extern "C" __global__ void shared_float4(const float *a, float *out, int stride) {
    __shared__ float4 shared[1024];
    reverse_through_shared((const float4 *)a, (float4 *)out, shared, stride);
}

extern "C" __global__ void shared_dynamic(const float *a, float *out, int stride) {
    extern __shared__ float of_launch[];
    reverse_through_shared(a, out, of_launch, stride);
}

template <typename T>
__device__ void pick_from_shared(const T *a, const int *index, T *out, T *shared) {
    int t = threadIdx.x, i = GRID(x);
    shared[t] = a[i];
    __syncthreads();
    out[i] = shared[index[i]];
}

extern "C" __global__ void shared_gather(const float *a, const int *index, float *out) {
    __shared__ float shared[256];
    pick_from_shared(a, index, out, shared);
}

extern "C" __global__ void shared_gather2(const float *a, const int *index, float *out) {
    __shared__ float2 shared[256];
    pick_from_shared((const float2 *)a, index, (float2 *)out, shared);
}

extern "C" __global__ void shared_gather4(const float *a, const int *index, float *out) {
    __shared__ float4 shared[256];
    pick_from_shared((const float4 *)a, index, (float4 *)out, shared);
}

extern "C" __global__ void shared_scatter(const float *a, const int *index, float *out) {
    __shared__ float shared[256];
    int t = threadIdx.x, i = GRID(x);
    shared[index[i]] = a[i];
    __syncthreads();
    out[i] = shared[t];
}

extern "C" __global__ void shared_maximum(const int *keys, const int *values, int *out) {
    __shared__ int bins[256];
    int t = threadIdx.x, i = GRID(x);
    bins[t] = 0;
    __syncthreads();
    atomicMax(&bins[keys[i]], values[i]);
    __syncthreads();
    out[i] = bins[t];
}

extern "C" __global__ void shared_exchange(const int *keys, int *out) {
    __shared__ int bins[256];
    int t = threadIdx.x, i = GRID(x);
    bins[t] = 0;
    __syncthreads();
    int key = keys[i];
    atomicExch(&bins[key], 3 * key + 1);
    __syncthreads();
    out[i] = bins[t];
}

extern "C" __global__ void shared_compare(const int *keys, int *out) {
    __shared__ int bins[256];
    int t = threadIdx.x, i = GRID(x);
    bins[t] = 0;
    __syncthreads();
    int key = keys[i];
    atomicCAS(&bins[key], 0, 3 * key + 1);
    __syncthreads();
    out[i] = bins[t];
}

extern "C" __global__ void global_bytes(
    const unsigned char *a, unsigned char *out, int stride, int shift) {
    int i = GRID(x) * stride + shift;
    out[i] = a[i];
}

extern "C" __global__ void global_doubles(const double *a, double *out, int stride, int shift) {
    int i = GRID(x) * stride + shift;
    out[i] = a[i];
}

extern "C" __global__ void global_float2(const float *a, float *out, int stride, int shift) {
    int i = GRID(x) * stride + shift;
    ((float2 *)out)[i] = ((const float2 *)a)[i];
}

extern "C" __global__ void global_float4(const float *a, float *out, int stride, int shift) {
    int i = GRID(x) * stride + shift;
    ((float4 *)out)[i] = ((const float4 *)a)[i];
}

extern "C" __global__ void global_triples(const float *a, float *out) {
    int i = GRID(x);
    Triple from = ((const Triple *)a)[i];
    ((Triple *)out)[i] = Triple{from.x, from.y, from.z};
}

extern "C" __global__ void global_cached(const float *a, const int *index, float *out) {
    int i = GRID(x);
    out[i] = __ldg(&a[index[i]]);
}

extern "C" __global__ void global_odd_lanes(const float *a, float *out) {
    int i = GRID(x);
    if (i % 2 == 1)
        out[i] = a[i];
}
