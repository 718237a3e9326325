"""Headers that are known. None is read: what kernels need of them is built in.

What a header offers and the emulator lacks is refused by name where a kernel uses it
(`names.REFUSED`), so that a file may include what only its host part needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from grader.simt.cuda.names import words

_STANDARD = """
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv
chrono cinttypes climits clocale cmath codecvt compare complex concepts condition_variable
coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar
cwctype deque exception execution filesystem format forward_list fstream functional future
initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map
memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio
regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept
stop_token streambuf string string_view strstream syncstream system_error thread tuple
type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector
version
assert.h ctype.h
errno.h fenv.h float.h inttypes.h limits.h locale.h malloc.h math.h memory.h setjmp.h signal.h
stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h tgmath.h time.h uchar.h
wchar.h wctype.h bits/stdc++.h unistd.h pthread.h dirent.h err.h fcntl.h getopt.h glob.h libgen.h
omp.h mpi.h sched.h semaphore.h dlfcn.h windows.h conio.h io.h direct.h intrin.h x86intrin.h
immintrin.h emmintrin.h xmmintrin.h arm_neon.h raylib.h cupti.h nvPTXCompiler.h cblas.h
lapacke.h mkl.h cufile.h
aio.h cpio.h execinfo.h fmtmsg.h fnmatch.h ftw.h grp.h iconv.h ifaddrs.h langinfo.h link.h
monetary.h mqueue.h ndbm.h netdb.h nl_types.h poll.h pwd.h regex.h search.h spawn.h stropts.h
syslog.h tar.h termios.h trace.h ucontext.h ulimit.h utime.h utmpx.h wordexp.h complex.h
"""
_CUDA = """
cuda.h cuda_runtime.h cuda_runtime_api.h cuda_device_runtime_api.h device_launch_parameters.h
device_functions.h device_types.h vector_types.h vector_functions.h vector_functions.hpp
driver_types.h driver_functions.h host_defines.h host_config.h builtin_types.h texture_types.h
texture_fetch_functions.h surface_types.h surface_functions.h math_constants.h math_functions.h
cuda_fp16.h cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp cuda_fp8.h cuda_fp8.hpp cuda_fp6.h cuda_fp4.h
cuComplex.h
device_atomic_functions.h sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h
sm_32_intrinsics.h sm_35_intrinsics.h sm_60_atomic_functions.h sm_61_intrinsics.h
common_functions.h channel_descriptor.h library_types.h cudaTypedefs.h cooperative_groups.h
mma.h cuda_pipeline.h cuda_pipeline_primitives.h cuda_pipeline_helpers.h cuda_awbarrier.h
cuda_awbarrier_primitives.h cuda_profiler_api.h cudaProfiler.h nvToolsExt.h
cublas.h cublas_v2.h cublasLt.h cublasXt.h cudnn.h cufft.h cufftXt.h
curand.h curand_kernel.h cusolverDn.h cusolverSp.h cusolverMg.h cusparse.h cusparse_v2.h nccl.h
npp.h nppi.h nvml.h nvrtc.h nvjpeg.h nvgraph.h
cuda_gl_interop.h cuda_d3d11_interop.h cuda_egl_interop.h cuda_vdpau_interop.h cudaGL.h
cudalibxt.h cudaEGL.h cuda_texture_types.h nvshmem.h nvshmemx.h helper_cuda.h
helper_cuda_drvapi.h helper_cuda_gl.h helper_functions.h helper_gl.h helper_image.h
helper_math.h helper_multiprocess.h helper_nvJPEG.hxx helper_string.h helper_timer.h exception.h
drvapi_error_string.h multithreading.h param.h rendercheck_gl.h nvrtc_helper.h
"""
FOLDERS = (
    "cooperative_groups/", "cuda/", "nv/", "cub/", "thrust/", "cutlass/", "cute/", "nvtx3/",
    "crt/", "boost/", "sys/", "bits/", "ext/", "torch/", "ATen/", "c10/", "pybind11/", "opencv/",
    "opencv2/", "EGL/", "GLES3/", "nvbench/", "Eigen/", "gtest/", "gmock/", "benchmark/", "fmt/",
    "spdlog/", "GL/", "GLFW/", "SDL2/", "X11/",
    "arpa/", "net/", "netinet/", "linux/", "asm/", "mach/",
)  # fmt: skip
"""Folders of libraries: all headers in them are known."""
ONLY_COMPILED = ("cutlass/", "cute/")
"""Those whose headers are not read where they are there, either: only a compiler can use them."""
_OTHERS = "Python.h FreeImage.h stb_image.h stb_image_write.h lodepng.h wb.h solve.h"

CUDA_HEADERS = tuple(_CUDA[: _CUDA.index("cublas.h")].split())
"""CUDA's own headers, without those of libraries."""
OF_THE_RUNTIME = ("cuda", "cu", "CU")
"""How the names of types begin that CUDA's headers declare."""
CPP_HEADERS = tuple(_STANDARD[: _STANDARD.index("assert.h")].split())
"""Those of C++, of which libcu++ may have one of the same name."""
_CPP20_WORDS = words("concept requires consteval constinit co_await co_return co_yield char8_t")
_CPP20_OF_STD = words(
    """span ranges views numbers bit_cast popcount has_single_bit bit_ceil bit_floor bit_width
    countl_zero countl_one countr_zero countr_one rotl rotr endian integral signed_integral
    unsigned_integral floating_point same_as convertible_to derived_from invocable predicate
    strong_ordering weak_ordering partial_ordering midpoint lerp ssize to_array jthread latch
    barrier counting_semaphore binary_semaphore stop_token source_location format
    remove_cvref_t type_identity_t u8string erase_if assume_aligned shift_left shift_right"""
)
_PLAIN = words(
    """cassert cctype cerrno cfloat climits cmath cstddef cstdint cstdio cstdlib cstring ctime
    assert.h ctype.h errno.h float.h limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h
    time.h cuda.h cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h math_constants.h
    math_functions.h cuda_fp16.h"""
)
_STANDARD_NAMES = frozenset(_STANDARD.partition("unistd.h")[0].split())
STANDARD_HEADERS = frozenset(_STANDARD.split())
"""Those of C, of C++, of POSIX, and of the host's system."""
KNOWN = frozenset(f"{_STANDARD} {_CUDA} {_OTHERS}".split())
_READ_FIRST = frozenset({"helper_math.h", "exception.h", "param.h", "wb.h"})
"""Known so that their absence is no error; read if they are there, since kernels may use them."""


_FP8 = words("cuda_fp8.h cuda_fp8.hpp cuda_fp6.h cuda_fp4.h")
_NARROW = _FP8 | {"mma.h"}
_LIBRARIES = words("cublas_v2.h cublasLt.h cublasXt.h cublas_api.h cudnn.h cusparse.h")
_INCLUDED_BY = {
    "cuda_fp16.h": words("cuda_fp16.h cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp")
    | _NARROW
    | _LIBRARIES,
    "cuda_bf16.h": words("cuda_bf16.h cuda_bf16.hpp") | _NARROW | _LIBRARIES,
    "cuda_fp8.h": _FP8,
    "cuda_pipeline_primitives.h": words(
        "cuda_pipeline.h cuda_pipeline_primitives.h cuda_pipeline_helpers.h"
    ),
    **{
        name: words(name)
        for name in (
            "cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h",
        )
    },
}  # fmt: skip
"""Headers that device code needs, and those that have them in them."""
DEVICE_HEADERS = tuple(_INCLUDED_BY)


def declares(name: str, header: str) -> bool:
    """Return True for a header with another in it; all libraries of templates may have it."""
    name = name.replace("\\", "/")
    within = name if "/" in header else name.rsplit("/", 1)[-1]
    return within in _INCLUDED_BY[header] or name.startswith(FOLDERS)


def is_standard(name: str) -> bool:
    """Return True for a header of C, C++ or CUDA itself: it defines no macro for declarations."""
    return name in _STANDARD_NAMES or name in CUDA_HEADERS


def declares_no_others(name: str) -> bool:
    """Return True for a header all of whose types are known, but those of `OF_THE_RUNTIME`."""
    return name in _PLAIN


def is_cpp20(name: str, *, of_std: bool) -> bool:
    """Return True for a keyword of C++20, or for a name of `std` that C++17 has not."""
    return name in (_CPP20_OF_STD if of_std else _CPP20_WORDS)


def is_known(name: str) -> bool:
    """Return True if the header needs no reading."""
    name = name.replace("\\", "/")
    return name in KNOWN or name.startswith(FOLDERS) or name.rsplit("/", 1)[-1] in KNOWN


def is_read_first(name: str) -> bool:
    """Return True if the header is to be read where it can be, though it is known."""
    return name.rsplit("/", 1)[-1] in _READ_FIRST


_MACROS = """
#define __CUDACC__ 1
#define __NVCC__ 1
#define __cplusplus 201703L
#define __CUDA_ARCH__ 900
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __linux__ 1
#define __unix__ 1
#define __x86_64__ 1
#define __GNUC__ 13
#define __DATE__ "Jan  1 2026"
#define __TIME__ "00:00:00"
"""
HEADER_MACROS = """
#define cudaBoundaryModeZero 0
#define cudaBoundaryModeClamp 1
#define cudaBoundaryModeTrap 2
#define NULL 0
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1L)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1LL)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define FLT_MIN 1.17549435082228750796873653722224568e-38F
#define FLT_MAX 3.40282346638528859811704183484516925e+38F
#define FLT_EPSILON 1.1920928955078125e-07F
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MIN 2.22507385850720138309023271733240406e-308
#define DBL_MAX 1.79769313486231570814527423731704357e+308
#define DBL_EPSILON 2.22044604925031308084726333618164062e-16
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define INFINITY __int_as_float(0x7f800000)
#define HUGE_VALF __int_as_float(0x7f800000)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define NAN __int_as_float(0x7fffffff)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FLT_RADIX 2
#define __FLT_MAX__ FLT_MAX
#define __FLT_MIN__ FLT_MIN
#define __FLT_EPSILON__ FLT_EPSILON
#define __DBL_MAX__ DBL_MAX
#define __DBL_MIN__ DBL_MIN
#define __DBL_EPSILON__ DBL_EPSILON
#define __INT_MAX__ INT_MAX
#define __LONG_MAX__ LONG_MAX
#define __LONG_LONG_MAX__ LLONG_MAX
#define INT8_C(value) value
#define UINT8_C(value) value
#define INT16_C(value) value
#define UINT16_C(value) value
#define INT32_C(value) value
#define UINT32_C(value) value##U
#define INT64_C(value) value##L
#define UINT64_C(value) value##UL
#define FLT_TRUE_MIN 1.40129846432481707092372958328991613e-45F
#define DBL_TRUE_MIN 4.94065645841246544176568792868221372e-324
"""
"""What the host's headers define, whether they are included or not."""

_CONSTANTS: dict[str, float] = {
    "ZERO": 0, "ONE": 1, "THIRD": 1 / 3, "SQRT_TWO": math.sqrt(2), "SQRT_HALF": math.sqrt(1 / 2),
    "PI": math.pi, "PIO2": math.pi / 2, "PIO4": math.pi / 4, "3PIO4": 3 * math.pi / 4,
    "2_OVER_PI": 2 / math.pi, "LNPI": math.log(math.pi), "L2E": math.log2(math.e),
    "L2T": math.log2(10), "LG2": math.log10(2), "LGE": math.log10(math.e), "LN2": math.log(2),
    "LNT": math.log(10), "TWO_TO_23": 2.0**23,
}  # fmt: skip
_DOUBLE_CONSTANTS: dict[str, float] = {
    "TWOTHIRD": 2 / 3, "SQRT_2PI": 2.5066282746310007, "SQRT_PIO2": 1.2533141373155003,
    "SQRT_2OPI": math.sqrt(2 / math.pi),
}  # fmt: skip
_SINGLE_CONSTANTS: dict[str, float] = {
    "SQRT_2_OVER_PI": math.sqrt(2 / math.pi), "TWO_TO_24": 2.0**24, "TWO_TO_31": 2.0**31,
    "TWO_TO_32": 2.0**32, "TWO_TO_126": 2.0**126, "TWO_TO_M126": 2.0**-126,
}  # fmt: skip
_SINGLE_BITS = {
    "INF": 0x7F800000, "NAN": 0x7FFFFFFF, "MIN_DENORM": 1, "MAX_NORMAL": 0x7F7FFFFF,
    "NEG_ZERO": 0x80000000,
}  # fmt: skip
_DOUBLE_BITS = {"INF": 0x7FF << 52, "NAN": 0xFFF8 << 48, "MIN_DENORM": 1, "NEG_ZERO": 1 << 63}
_HALF_BITS = {
    "INF": 0x7C00, "NAN": 0x7FFF, "MIN_DENORM": 1, "MAX_NORMAL": 0x7BFF, "NEG_ZERO": 0x8000,
    "ZERO": 0, "ONE": 0x3C00,
}  # fmt: skip


def _cuda_constants() -> Iterator[str]:
    """Define what `math_constants.h` and `cuda_fp16.h` define."""
    for name, value in {**_CONSTANTS, **_DOUBLE_CONSTANTS}.items():
        yield f"#define CUDART_{name} {float(value)!r}"
    for name, value in {**_CONSTANTS, **_SINGLE_CONSTANTS}.items():
        yield f"#define CUDART_{name}_F {value:.9e}F"
    for name, bits in _DOUBLE_BITS.items():
        yield f"#define CUDART_{name} __longlong_as_double({bits:#x}ULL)"
    for name, bits in _SINGLE_BITS.items():
        yield f"#define CUDART_{name}_F __int_as_float({bits:#x}U)"
    for name, bits in _HALF_BITS.items():
        yield f"#define CUDART_{name}_FP16 __ushort_as_half((unsigned short){bits:#x}U)"


PREDEFINED = _MACROS + HEADER_MACROS + "\n".join(_cuda_constants()) + "\n"
"""Macros of the compiler and of the headers, as Linux on x86-64 and CUDA 13 define them."""
