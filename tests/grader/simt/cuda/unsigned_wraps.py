"""Bodies of a kernel whose unsigned arithmetic wraps: into an index by mistake, or on purpose.

`t` is the thread, of 64; `o` and `in` have 256 elements; `big` is 2^16 and `half` 2^31. What wraps
by mistake is in the line that ends with `/*here*/`.
"""

HEAD = """
__device__ unsigned at(unsigned row, unsigned pitch, unsigned column) {
    return row * pitch + column;
}
__global__ void k(int *o, const int *in, unsigned n, unsigned big, unsigned half) {
    unsigned t = threadIdx.x;
"""
TAIL = "\n}\n"
MISTAKES = (
    "o[big * big + t] = 1; /*here*/",
    "unsigned row = big + in[t] / 64; unsigned i = row * big + t; /*here*/\nif (i < n) o[i] = 1;",
    "size_t i = big * big + t; /*here*/\no[i] = 1;",
    "int *row = o + big * big; /*here*/\nrow[t] = 1;",
    "unsigned i = t;\nfor (int r = 0; r < 2; r++)\ni += half; /*here*/\no[i] = 1;",
    "__shared__ int s[64];\ns[half * 2 + t] = 1; /*here*/\no[t] = s[t];",
    "unsigned before = t - 64u; /*here*/\nsize_t i = before + 64ull;\no[i] = 1;",
    "unsigned i = t < 32 ? big * big + t : t; /*here*/\no[i] = 1;",
    "unsigned plane = big * half; /*here*/\nunsigned long long i = plane * 3ull + t;\no[i] = 1;",
    "atomicAdd(&o[(big * big + t) * 2], 1); /*here*/",
)
ON_PURPOSE = (
    "o[t * 2654435761u >> 24] = 1;",
    "unsigned h = (t + 1) * 40503u * big; h ^= h >> 16; o[h & 255] = 1;",
    "unsigned s = t; for (int r = 0; r < 9; r++) s = s * 1664525u + 1013904223u; o[s % 256] = 1;",
    "unsigned s = t + 1; for (int r = 0; r < 9; r++) s ^= (s << 13) * 9u; o[s & 63] = 1;",
    "unsigned i = t - 1u; if (i < 64) o[i] = 1;",
    "unsigned i = t - 1u + 64u; if (i >= 64u) i -= 64u; o[i] = 1;",
    "for (unsigned i = 63; i < 64; i--) o[i] = 1;",
    "unsigned char c = (t + 1) * 77u * big * big; o[c] = 1;",
    "int back = (int)(t - 5u) + 5; o[back] = 1;",
    "unsigned back = 0u - t; o[back + t] = 1;",
    "o[t + 1 + 0xffffffffu] = 1;",
    "o[(t + 1) * big * big < n] = 1;",
    "o[min(t - 1u, 63u)] = 1;",
    "unsigned head = half + half - 2 + t, tail = head - t; o[head - tail] = 1;",
    "unsigned i = big * big; i = t; o[i] = 1;",
    "unsigned i = t; if (in[t] > 300) i = big * big + t; o[i] = 1;",
    "o[at(t / 8, 8, t % 8)] = 1;",
)
