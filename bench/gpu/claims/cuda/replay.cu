// Recorded warp instructions once more: `replay FILE`, a line each: op, width, mask, 32 offsets.
#include <fstream>
#include <sstream>

#include "common.cuh"

constexpr int BYTES = 48 << 10;

#define LANE(op) \
    template <int WIDTH> \
    __global__ void op(unsigned mask, const unsigned* offsets, unsigned* out)
#define START \
    extern __shared__ __align__(1024) unsigned char memory[]; \
    const unsigned at = unsigned(__cvta_generic_to_shared(memory)) + offsets[threadIdx.x]; \
    const bool active = mask >> threadIdx.x & 1; \
    unsigned a = 0, b = 0, c = 0, d = 0;

LANE(ld) {
    START
    unsigned short half = 0;
    if (active) {
        if (WIDTH == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=r"(a) : "r"(at));
        if (WIDTH == 2) asm volatile("ld.shared.u16 %0, [%1];" : "=h"(half) : "r"(at));
        if (WIDTH == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at));
        if (WIDTH == 8) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
        if (WIDTH == 16)
            asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
    }
    out[threadIdx.x] = a + b + c + d + half;
}

LANE(st) {
    START
    if (active) {
        if (WIDTH == 1) asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"(a));
        if (WIDTH == 2) asm volatile("st.shared.u16 [%0], %1;" ::"r"(at), "h"((unsigned short)0));
        if (WIDTH == 4) asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(a));
        if (WIDTH == 8) asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(a), "r"(b));
        if (WIDTH == 16)
            asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(a), "r"(b), "r"(c), "r"(d));
    }
    out[threadIdx.x] = d;
}

LANE(atom) {
    START
    if (active) asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(a) : "r"(at), "r"(mask));
    out[threadIdx.x] = a + b + c + d;
}

LANE(atom_inc) {
    START
    if (active) asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at));
    out[threadIdx.x] = a + b + c + d;
}

// WIDTH bytes are compared and exchanged; the words hold anything.
LANE(atom_cas) {
    START
    unsigned long long wide = 0;
    if (active) {
        if (WIDTH == 4)
            asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;" : "=r"(a) : "r"(at), "r"(mask), "r"(at));
        if (WIDTH == 8)
            asm volatile("atom.shared.cas.b64 %0, [%1], %2, %3;"
                         : "=l"(wide) : "r"(at), "l"((unsigned long long)mask), "l"((unsigned long long)at));
    }
    out[threadIdx.x] = a + b + c + d + unsigned(wide);
}

// Of a matrix form WIDTH is how many matrices: 8 lanes give the addresses of each. None is inactive.
LANE(ldmatrix) {
    START
    (void)active;
    if (WIDTH == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at));
    if (WIDTH == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
    if (WIDTH == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
    out[threadIdx.x] = a + b + c + d;
}

LANE(stmatrix) {
    START
    (void)active;
    if (WIDTH == 1) asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(a));
    if (WIDTH == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(a), "r"(b));
    if (WIDTH == 4)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                     ::"r"(at), "r"(a), "r"(b), "r"(c), "r"(d));
    out[threadIdx.x] = d;
}

using Kernel = void (*)(unsigned, const unsigned*, unsigned*);

Kernel kernel(const std::string& op, int width, unsigned mask) {
    const int matrices = __builtin_popcount(mask) / 8;
    if (op == "ldmatrix") return matrices == 1 ? ldmatrix<1> : matrices == 2 ? ldmatrix<2> : ldmatrix<4>;
    if (op == "stmatrix") return matrices == 1 ? stmatrix<1> : matrices == 2 ? stmatrix<2> : stmatrix<4>;
    if (op == "atom_cas") return width == 4 ? atom_cas<4> : atom_cas<8>;
    if (op == "atom") return atom<4>;
    if (op == "atom_inc") return atom_inc<4>;
    switch (width) {
        case 1: return op == "ld" ? ld<1> : st<1>;
        case 2: return op == "ld" ? ld<2> : st<2>;
        case 4: return op == "ld" ? ld<4> : st<4>;
        case 8: return op == "ld" ? ld<8> : st<8>;
        default: return op == "ld" ? ld<16> : st<16>;
    }
}

int main(int many, char** values) {
    if (many < 2) return 2;
    unsigned* out = on_device<unsigned>(32);
    unsigned* offsets = on_device<unsigned>(32);
    std::ifstream file(values[1]);
    std::string line;
    for (int row = 0; std::getline(file, line); ++row) {
        std::istringstream words(line);
        std::string op;
        int width;
        unsigned mask;
        std::vector<unsigned> at(32);
        words >> op >> width >> std::hex >> mask >> std::dec;
        for (auto& one : at) words >> one;
        if (!words || *std::max_element(at.begin(), at.end()) + 16 > BYTES) return 3;
        CHECK(cudaMemcpy(offsets, at.data(), 32 * sizeof(unsigned), cudaMemcpyHostToDevice));
        named(std::to_string(row));
        kernel(op, width, mask)<<<1, 32, BYTES>>>(mask, offsets, out);
        CHECK(cudaDeviceSynchronize());
    }
}
