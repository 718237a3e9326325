"""What nvcc takes from the host's headers, for NVRTC: types, macros, parts of `std`.

It is what the emulator knows of them, so that a source which passes there compiles here. Headers
that NVRTC does not find are empty: all is declared before the source begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.simt.cuda.headers import HEADER_MACROS, ONLY_COMPILED, STANDARD_HEADERS, is_known
from grader.simt.cuda.names import REAL_FUNCTIONS, STANDARD_FUNCTIONS

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_TYPES = {
    "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short",
    "uint16_t": "unsigned short", "int32_t": "int", "uint32_t": "unsigned int",
    "int64_t": "long", "uint64_t": "unsigned long", "intptr_t": "long",
    "uintptr_t": "unsigned long", "intmax_t": "long", "uintmax_t": "unsigned long",
}  # fmt: skip
_MORE_TYPES = {
    "ssize_t": "long", "uchar": "unsigned char", "ushort": "unsigned short",
    "uint": "unsigned int", "ulong": "unsigned long",
}  # fmt: skip
"""Not in `std`."""
_CONSTANTS = """
#if __CUDACC_VER_MAJOR__ >= 13
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define HUGE_VALF INFINITY
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000LL)
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#endif
"""
"""Constant expressions, as the host's; NVRTC 12 has intrinsics alone, which are none."""
_LIMITS = """
template <class T> struct numeric_limits;
#define QUIZ_LIMITS(T, MIN, MAX, LOWEST, EPSILON, DENORM, INF, NOT) \\
template <> struct numeric_limits<T> { \\
    static constexpr __host__ __device__ T min() { return MIN; } \\
    static constexpr __host__ __device__ T max() { return MAX; } \\
    static constexpr __host__ __device__ T lowest() { return LOWEST; } \\
    static constexpr __host__ __device__ T epsilon() { return EPSILON; } \\
    static constexpr __host__ __device__ T denorm_min() { return DENORM; } \\
    static constexpr __host__ __device__ T infinity() { return INF; } \\
    static constexpr __host__ __device__ T quiet_NaN() { return NOT; } \\
    static constexpr __host__ __device__ T signaling_NaN() { return NOT; } \\
};
#define QUIZ_INTEGER(T, MIN, MAX) QUIZ_LIMITS(T, MIN, MAX, MIN, 0, 0, 0, 0)
QUIZ_INTEGER(bool, false, true)
QUIZ_INTEGER(char, CHAR_MIN, CHAR_MAX)
QUIZ_INTEGER(signed char, SCHAR_MIN, SCHAR_MAX)
QUIZ_INTEGER(unsigned char, 0, UCHAR_MAX)
QUIZ_INTEGER(short, SHRT_MIN, SHRT_MAX)
QUIZ_INTEGER(unsigned short, 0, USHRT_MAX)
QUIZ_INTEGER(int, INT_MIN, INT_MAX)
QUIZ_INTEGER(unsigned int, 0, UINT_MAX)
QUIZ_INTEGER(long, LONG_MIN, LONG_MAX)
QUIZ_INTEGER(unsigned long, 0, ULONG_MAX)
QUIZ_INTEGER(long long, LLONG_MIN, LLONG_MAX)
QUIZ_INTEGER(unsigned long long, 0, ULLONG_MAX)
QUIZ_LIMITS(float, FLT_MIN, FLT_MAX, -FLT_MAX, FLT_EPSILON, FLT_TRUE_MIN, INFINITY, NAN)
QUIZ_LIMITS(double, DBL_MIN, DBL_MAX, -DBL_MAX, DBL_EPSILON, DBL_TRUE_MIN, INFINITY, NAN)
#undef QUIZ_INTEGER
#undef QUIZ_LIMITS
"""
_ALGORITHMS = """
template <class T> constexpr __host__ __device__ const T &min(const T &a, const T &b) {
    return b < a ? b : a;
}
template <class T> constexpr __host__ __device__ const T &max(const T &a, const T &b) {
    return a < b ? b : a;
}
template <class T>
constexpr __host__ __device__ const T &clamp(const T &x, const T &low, const T &high) {
    return x < low ? low : high < x ? high : x;
}
template <class T> __host__ __device__ void swap(T &a, T &b) { T c = a; a = b; b = c; }
"""
_INTEGERS = """
namespace quiz_std {
template <class T> struct of_integer {};
%s
}
"""


def _prelude() -> Iterator[str]:
    yield _CONSTANTS
    for line in HEADER_MACROS.strip().split("\n"):
        name = line.split()[1].partition("(")[0]
        yield f"#ifndef {name}\n{line}\n#endif"
    for name, kind in {**_TYPES, **_MORE_TYPES}.items():
        yield f"typedef {kind} {name};"
    integers = (
        "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int",
        "unsigned int", "long", "unsigned long", "long long", "unsigned long long",
    )  # fmt: skip
    kinds = (
        f"template <> struct of_integer<{kind}> {{ typedef double type; }};" for kind in integers
    )
    yield _INTEGERS % "\n".join(kinds)
    for name in REAL_FUNCTIONS:
        yield (
            f"template <class T> __device__ typename quiz_std::of_integer<T>::type {name}(T x) "
            f"{{ return {name}((double)x); }}"
        )
    yield (
        "template <class T> __device__ bool isnormal(T x) "
        "{ return isfinite(x) && fabs(x) >= (sizeof(T) == 4 ? (T)FLT_MIN : (T)DBL_MIN); }"
    )
    yield "namespace std {"
    for name in ("size_t", "ptrdiff_t", *_TYPES, "abs", *sorted(STANDARD_FUNCTIONS)):
        yield f"using ::{name};"
    yield _ALGORITHMS + _LIMITS + "}"


PRELUDE = "\n".join(_prelude()) + "\n"
"""Goes before a source."""


_PIPELINE = """
static __device__ __forceinline__ void __pipeline_memcpy_async(
        void *to, const void *from, size_t size, size_t zeros = 0) {
    unsigned there = (unsigned)__cvta_generic_to_shared(to), read = (unsigned)(size - zeros);
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :: "r"(there), "l"(from), "r"(read) : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :: "r"(there), "l"(from), "r"(read) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :: "r"(there), "l"(from), "r"(read) : "memory");
}
static __device__ __forceinline__ void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t groups) {
    switch (groups) {
        case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
        case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
        case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
        case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
        case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
        case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
        case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
        default: asm volatile("cp.async.wait_group 7;" ::: "memory");
    }
}
"""
_TENSOR_MAP = """
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };
typedef CUtensorMap CUtensorMap_st;
"""
_EXPERIMENTAL = """
namespace nvcuda { namespace experimental {
struct pipeline {
  __device__ size_t commit() { __pipeline_commit(); return 0; }
  __device__ void wait(size_t) { __pipeline_wait_prior(0); }
  template <unsigned N> __device__ void wait_prior() { __pipeline_wait_prior(N); }
};
} }
"""
"""What `cooperative_groups/memcpy_async.h` has deprecated overloads for."""
_CUB = """
block/block_adjacent_difference block/block_discontinuity block/block_exchange
block/block_histogram block/block_load block/block_merge_sort block/block_radix_rank
block/block_radix_sort block/block_reduce block/block_run_length_decode block/block_scan
block/block_shuffle block/block_store thread/thread_operators warp/warp_exchange warp/warp_load
warp/warp_merge_sort warp/warp_reduce warp/warp_scan warp/warp_store
"""
"""What of CUB a kernel may use; a header of all has launches, too, which NVRTC rejects."""
OWN_HEADERS = {
    "cub/cub.cuh": "#pragma once\n"
    + "".join(f"#include <cub/{name}.cuh>\n" for name in _CUB.split()),
    "cuda.h": f"#pragma once\n{_TENSOR_MAP}",
    "cudaTypedefs.h": '#include "cuda.h"\n',
    "cuda_pipeline.h": f'#pragma once\n#include "cuda_pipeline_primitives.h"\n{_EXPERIMENTAL}',
    "cuda_pipeline_primitives.h": f"#pragma once\n{_PIPELINE}",
}
"""What a source gets for these names: NVIDIA's declare standard types again, and may not be there.
"""


_OF_HOSTS = re.compile(
    r"cutlass/(?:util/|cluster_launch\.hpp)"
    r"|thrust/(?!addressof|advance|distance|functional|iterator/|pair|tuple|version|zip_function)"
)
"""How names begin of headers with what the host calls, which NVRTC rejects."""


def list_missing(
    source: str, folders: Sequence[Path], of_source: Sequence[Path] = ()
) -> tuple[str, ...]:
    """List the headers that a source may include, itself or through others, and NVRTC lacks.

    Args:
        source: with all its own files in it.
        folders: of CUDA.
        of_source: further ones, of which libraries that only a compiler reads are read.
    """
    included = {name for name in _INCLUDE.findall(source) if is_known(name)}

    def has(name: str) -> bool:
        searched = [*of_source, *folders] if name.startswith(ONLY_COMPILED) else folders
        return not _OF_HOSTS.match(name) and any((folder / name).exists() for folder in searched)

    wanted = sorted(included | STANDARD_HEADERS)
    return tuple(name for name in wanted if name not in OWN_HEADERS and not has(name))


_OF_LIBCUDACXX = re.compile(
    r"#[ \t]*include[ \t]*<(?:cooperative_groups|cuda/|cub/|thrust/|cute/|cutlass/|nv/)"
)
_LIBCUDACXX = """
#include <cuda/std/cstdint>
#include <cuda/std/climits>
#include <cuda/std/cfloat>
#include <cuda/std/cmath>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std { using namespace cuda::std; }
"""


_OF_CUTLASS = re.compile(r"#[ \t]*include[ \t]*[<\"](?:cute/|cutlass/)")
_CUTLASS = "".join(
    f"#undef FP_{kind}\n" for kind in ("NAN", "INFINITE", "ZERO", "SUBNORMAL", "NORMAL")
)
"""It has an enumeration of these names, and expects none of a host's headers where NVRTC reads it.
"""


def prelude_of(source: str) -> str:
    """Return what comes before a source: libcu++'s declarations where it includes what needs them.

    They take a second to compile, and ours would be declared twice.
    """
    if not _OF_LIBCUDACXX.search(source):
        return PRELUDE
    return _LIBCUDACXX + (_CUTLASS if _OF_CUTLASS.search(source) else "")
