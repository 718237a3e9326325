// One warp stores and loads the fragments of a 16-row half tile: stmatrix, ldmatrix, plain accesses.
#include "common.cuh"

// Returns the offset of a 16-byte chunk; PITCH is in bytes.
template <int PITCH, bool SWIZZLED>
__device__ unsigned chunk_at(unsigned row, unsigned chunk) {
    return row * PITCH + 16 * (SWIZZLED ? chunk ^ row % 8 : chunk);
}

// The accumulators of mma.m16n8: lane l holds columns 2*(l%4) and +1 of rows l/4 and l/4 + 8.
template <int PITCH, bool SWIZZLED>
__global__ void plain_stores(unsigned value, unsigned* out) {
    __shared__ __align__(1024) unsigned char tile[16 * PITCH];
    const unsigned row = threadIdx.x / 4, within = 4 * (threadIdx.x % 4), base = __cvta_generic_to_shared(tile);
    for (unsigned chunk = 0; chunk < 8; ++chunk) {
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(base + chunk_at<PITCH, SWIZZLED>(row, chunk) + within), "r"(value));
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(base + chunk_at<PITCH, SWIZZLED>(row + 8, chunk) + within), "r"(value));
    }
    __syncwarp();
    if (value == 0) out[threadIdx.x] = tile[threadIdx.x];
}

// Lane l passes the address of row l % 16, in the left or right 8 of 16 columns.
template <int PITCH, bool SWIZZLED>
__global__ void matrix_stores(unsigned value, unsigned* out) {
    __shared__ __align__(1024) unsigned char tile[16 * PITCH];
    const unsigned row = threadIdx.x % 16, right = threadIdx.x / 16, base = __cvta_generic_to_shared(tile);
    for (unsigned chunk = 0; chunk < 8; chunk += 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(
                         base + chunk_at<PITCH, SWIZZLED>(row, chunk + right)), "r"(value));
    __syncwarp();
    if (value == 0) out[threadIdx.x] = tile[threadIdx.x];
}

// The A fragment of mma.m16n8k16, by 4-byte loads.
template <int PITCH, bool SWIZZLED>
__global__ void plain_loads(unsigned* out) {
    __shared__ __align__(1024) unsigned char tile[16 * PITCH];
    const unsigned row = threadIdx.x / 4, within = 4 * (threadIdx.x % 4), base = __cvta_generic_to_shared(tile);
    unsigned sum = 0, found;
    for (unsigned chunk = 0; chunk < 8; ++chunk)
        for (unsigned down = 0; down < 16; down += 8) {
            const unsigned at = base + chunk_at<PITCH, SWIZZLED>(row + down, chunk) + within;
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(found) : "r"(at));
            sum += found;
        }
    out[threadIdx.x] = sum;
}

template <int PITCH, bool SWIZZLED>
__global__ void matrix_loads(unsigned* out) {
    __shared__ __align__(1024) unsigned char tile[16 * PITCH];
    const unsigned row = threadIdx.x % 16, right = threadIdx.x / 16, base = __cvta_generic_to_shared(tile);
    unsigned sum = 0, a, b, c, d;
    for (unsigned chunk = 0; chunk < 8; chunk += 2) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(base + chunk_at<PITCH, SWIZZLED>(row, chunk + right)));
        sum += a + b + c + d;
    }
    out[threadIdx.x] = sum;
}

// Accumulators kept as float: 8-byte stores into rows of 64 floats.
template <int PITCH>
__global__ void float_stores(float value, unsigned* out) {
    __shared__ __align__(1024) unsigned char tile[16 * PITCH];
    const unsigned row = threadIdx.x / 4, base = __cvta_generic_to_shared(tile);
    for (unsigned column = 2 * (threadIdx.x % 4); column < 64; column += 8)
        for (unsigned down = 0; down < 16; down += 8)
            asm volatile("st.shared.v2.f32 [%0], {%1, %1};" ::"r"(base + (row + down) * PITCH + 4 * column), "f"(value));
    __syncwarp();
    if (value == 0) out[threadIdx.x] = tile[threadIdx.x];
}

template <int PITCH, bool SWIZZLED>
void all(const std::string& rows, unsigned* out) {
    named("plain 4-byte stores, " + rows), plain_stores<PITCH, SWIZZLED><<<1, 32>>>(1, out);
    named("stmatrix.x4, " + rows), matrix_stores<PITCH, SWIZZLED><<<1, 32>>>(1, out);
    named("plain 4-byte loads, " + rows), plain_loads<PITCH, SWIZZLED><<<1, 32>>>(out);
    named("ldmatrix.x4, " + rows), matrix_loads<PITCH, SWIZZLED><<<1, 32>>>(out);
}

int main() {
    unsigned* out = on_device<unsigned>(64);
    all<128, false>("rows of 128 bytes", out);
    all<144, false>("rows of 128 + 16 bytes", out);
    // Matrix rows would not be 16-byte aligned here, so only plain accesses.
    named("plain 4-byte stores, rows of 128 + 8 bytes"), plain_stores<136, false><<<1, 32>>>(1, out);
    named("plain 4-byte loads, rows of 128 + 8 bytes"), plain_loads<136, false><<<1, 32>>>(out);
    all<128, true>("rows of 128 bytes, swizzled", out);
    named("8-byte stores of float pairs, rows of 256 bytes"), float_stores<256><<<1, 32>>>(1, out);
    named("8-byte stores of float pairs, rows of 256 + 16 bytes"), float_stores<272><<<1, 32>>>(1, out);
    named("8-byte stores of float pairs, rows of 256 + 32 bytes"), float_stores<288><<<1, 32>>>(1, out);
    FINISH();
}
