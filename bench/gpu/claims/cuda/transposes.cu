// Transposes through a 32x32 tile: where an element lies in the tile is all that differs.
#include "common.cuh"

enum Map { None, Padded, Xor, Diagonal, ChunkXor, ShiftedXor, BlockCyclic, RowXor };

template <Map M>
__device__ int place(int y, int x) {
    if (M == Padded) return y * 33 + x;
    if (M == Xor) return y * 32 + (x ^ y);
    if (M == Diagonal) return y * 32 + (x + y) % 32;
    if (M == ChunkXor) return y * 32 + (x ^ ((y & 7) << 2));
    if (M == ShiftedXor) return y * 32 + (x ^ ((y & 31) >> 2));
    if (M == BlockCyclic) return y * 32 + x / 4 * 4 + (x % 4 + y / 4) % 4;
    if (M == RowXor) return (y ^ (x & 7)) * 32 + x;
    return y * 32 + x;
}

// Blocks of 32 columns of threads and HIGH rows, each of which does 32 / HIGH elements.
template <Map M, int HIGH>
__global__ void transpose(const float* in, float* out, int edge) {
    __shared__ float tile[32 * 33];
    const int x = threadIdx.x;
#pragma unroll
    for (int i = 0; i < 32; i += HIGH) {
        const int y = threadIdx.y + i;
        tile[place<M>(y, x)] = in[size_t(blockIdx.y * 32 + y) * edge + blockIdx.x * 32 + x];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i += HIGH) {
        const int y = threadIdx.y + i;
        out[size_t(blockIdx.x * 32 + y) * edge + blockIdx.y * 32 + x] = tile[place<M>(x, y)];
    }
}

template <Map M, int HIGH>
void launch(const float* in, float* out, int edge) {
    transpose<M, HIGH><<<dim3(edge / 32, edge / 32), dim3(32, HIGH)>>>(in, out, edge);
    CHECK(cudaGetLastError());
}

bool right(const float* in, const float* out, int edge) {
    auto a = on_host(in, size_t(edge) * edge), b = on_host(out, size_t(edge) * edge);
    for (int y = 0; y < edge; ++y)
        for (int x = 0; x < edge; ++x)
            if (a[size_t(y) * edge + x] != b[size_t(x) * edge + y]) return false;
    return true;
}

template <Map M>
void each(const char* name, bool count, float* in, float* out) {
    const std::string map = name;
    if (count) {
        for (int edge : {256, 2048, 4096}) {
            named(map + " " + std::to_string(edge));
            launch<M, 32>(in, out, edge);
        }
        return;
    }
    CHECK(cudaMemset(out, 0, 512 * 512 * sizeof(float)));
    launch<M, 32>(in, out, 512);
    CHECK(cudaDeviceSynchronize());
    figure(map, "right", right(in, out, 512), "");
    const int edge = 16384;
    figure(map, "ms of 16384", median_ms([&] { launch<M, 32>(in, out, edge); }), "ms");
    figure(map, "ms of 16384, 32x8 threads", median_ms([&] { launch<M, 8>(in, out, edge); }), "ms");
}

int main(int many, char** values) {
    const bool count = counting(many, values);
    const size_t edge = count ? 4096 : 16384, elements = edge * edge;
    std::vector<float> numbers(elements);
    for (size_t i = 0; i < elements; ++i) numbers[i] = float(i * 2654435761u >> 8);
    float *in = on_device(numbers), *out = on_device<float>(elements);
    each<None>("unpadded", count, in, out);
    each<Padded>("33 columns", count, in, out);
    each<Xor>("x ^ y", count, in, out);
    each<Diagonal>("(x + y) % 32", count, in, out);
    each<ChunkXor>("x ^ ((y & 7) << 2)", count, in, out);
    each<ShiftedXor>("x ^ ((y & 31) >> 2)", count, in, out);
    each<BlockCyclic>("blocks of 4", count, in, out);
    each<RowXor>("row ^ (col & 7)", count, in, out);
    CHECK(cudaDeviceSynchronize());
}
