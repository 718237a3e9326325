"""Words and names of CUDA C++ by what they are: types, specifiers, and what is refused by name."""

from __future__ import annotations

from collections.abc import Mapping

from grader.facts import Fact, fact


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set: tables of names are short to read so."""
    return frozenset(text.split())


GLOBAL_SPACES = words("__constant__ __device__ __managed__")
"""Where variables of a source may be that no function declares."""

ARITHMETIC_WORDS = frozenset(
    {"void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"}
    | {"wchar_t", "char8_t", "char16_t", "char32_t", "auto", "__int128"}
)
"""Words that make a type, alone or together."""

REAL_FUNCTIONS = words(
    """acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma
    log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc"""
)
"""C++ computes these in double for an integer; NVRTC has them for float and double alone."""

_VECTORS = (
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong",
    "float", "double",
)  # fmt: skip
VECTOR_TYPES = frozenset(f"{base}{n}" for base in _VECTORS for n in (1, 2, 3, 4)) | {"dim3"}
POSITIONS = words("threadIdx blockIdx blockDim gridDim warpSize")
"""Variables that are there without a declaration."""
TYPES = VECTOR_TYPES | frozenset(
    [f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    + [f"{sign}int_{kind}{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
       for kind in ("fast", "least")]
    ) | words(
    """size_t ssize_t ptrdiff_t intptr_t uintptr_t intmax_t uintmax_t nullptr_t clock_t time_t
    uchar ushort uint ulong half __half half2 __half2 __nv_bfloat16 nv_bfloat16 __nv_bfloat162
    nv_bfloat162 __half_raw __half2_raw __nv_bfloat16_raw __nv_bfloat162_raw __nv_fp8_e4m3
    __nv_fp8_e5m2 __nv_fp8x2_e4m3 __nv_fp8x2_e5m2 __nv_fp8x4_e4m3 __nv_fp8x4_e5m2
    __nv_fp8_storage_t __nv_fp8x2_storage_t __nv_fp8x4_storage_t __nv_saturation_t
    __nv_fp8_interpretation_t cudaStream_t cudaEvent_t cudaError_t cudaError
    cudaDeviceProp cudaMemcpyKind cudaGraph_t cudaGraphExec_t cudaArray_t cudaTextureObject_t
    cudaSurfaceObject_t FILE"""
)  # fmt: skip
"""Types that are there without a declaration. A source may declare the same names for others."""

TEXTURE_FUNCTIONS = words(
    """tex1Dfetch tex1D tex2D tex3D tex1DLayered tex2DLayered surf1Dread surf2Dread surf3Dread
    surf1Dwrite surf2Dwrite surf3Dwrite surf1DLayeredread surf2DLayeredread surf1DLayeredwrite
    surf2DLayeredwrite"""
)
"""Templates of functions that are there without a declaration."""

STANDARD_TYPES = frozenset(
    name for name in TYPES if name.endswith("_t") and not name.startswith("cuda")
) | {"true_type", "false_type"}
STANDARD_TYPE_TEMPLATES = words(
    """numeric_limits integral_constant is_same is_integral is_floating_point is_arithmetic
    is_signed is_unsigned is_pointer is_const is_void is_convertible is_trivially_copyable
    conditional conditional_t enable_if enable_if_t remove_cv remove_cv_t remove_const
    remove_const_t remove_reference remove_reference_t remove_pointer remove_pointer_t decay
    decay_t make_signed make_signed_t make_unsigned make_unsigned_t common_type common_type_t
    void_t bool_constant underlying_type underlying_type_t"""
)
STANDARD_VALUE_TEMPLATES = words(
    """is_same_v is_integral_v is_floating_point_v is_arithmetic_v is_signed_v is_unsigned_v
    is_pointer_v is_const_v is_void_v is_convertible_v is_trivially_copyable_v min max clamp
    swap move forward abs declval"""
)
STANDARD_FUNCTIONS = words(
    """sqrt cbrt hypot pow exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2
    sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma fabs fmod remainder fma fmin fmax
    fdim floor ceil trunc round lround llround rint lrint nearbyint copysign nextafter ldexp
    frexp modf scalbn ilogb logb isnan isinf isfinite isnormal signbit printf memcpy memset"""
)
STANDARD_NAMES = (
    STANDARD_TYPES | STANDARD_TYPE_TEMPLATES | STANDARD_VALUE_TEMPLATES | STANDARD_FUNCTIONS
)
"""Names of `std` that device code may use. All others are refused by name."""

FLAGS = words(
    """__global__ __device__ __host__ __shared__ __constant__ __managed__ static extern inline
    constexpr mutable explicit friend virtual __forceinline__ __noinline__"""
)
"""Specifiers that the tree keeps."""
SAME_FLAGS: Mapping[str, str] = {
    "__inline__": "inline", "__inline": "inline", "__forceinline": "__forceinline__",
    "consteval": "constexpr",
}  # fmt: skip
DROPPED_FLAGS = frozenset(
    {"register", "__grid_constant__", "__extension__", "__cdecl", "__nv_pure__"}
)
"""Specifiers that change nothing here."""
CONST = frozenset({"const", "__const__", "__const"})
RESTRICT = frozenset({"__restrict__", "__restrict", "restrict"})
ALIGNMENT = frozenset({"__align__", "alignas", "_Alignas"})
ATTRIBUTES = frozenset({"__attribute__", "__declspec"})
WITH_PARENTHESES = (
    ALIGNMENT
    | ATTRIBUTES
    | words("__launch_bounds__ __maxnreg__ __cluster_dims__ decltype noexcept requires")
)
"""Words of a declaration whose parentheses do not belong to a declarator."""
STRUCTS = frozenset({"struct", "class", "union"})

ASM = words("asm __asm__ __asm")
WORDS_REFUSED: Mapping[str, Fact] = {
    **dict.fromkeys(ASM, fact("cpp.no-inline-ptx")),  # where no statement begins
    "goto": fact("cpp.no-goto"),
    "try": fact("cpp.no-exceptions"),
    "catch": fact("cpp.no-exceptions"),
    "throw": fact("cpp.no-exceptions"),
    "new": fact("cpp.no-new"),
    "delete": fact("cpp.no-new"),
    "typeid": fact("cpp.no-run-time-types"),
    "dynamic_cast": fact("cpp.no-run-time-types"),
    "concept": fact("cpp.no-concepts"),
    "requires": fact("cpp.no-concepts"),
    "co_await": fact("cpp.no-coroutines"),
    "co_yield": fact("cpp.no-coroutines"),
    "co_return": fact("cpp.no-coroutines"),
    "thread_local": fact("cpp.no-thread-local"),
    "__int128": fact("cpp.no-int128"),
    "__int128_t": fact("cpp.no-int128"),
    "__uint128_t": fact("cpp.no-int128"),
    "offsetof": fact("cpp.no-offsetof"),
}
"""Words of the language that are refused."""

KEYWORDS = words(
    """break case const const_cast constexpr continue default do else enum explicit extern false
    for friend if inline mutable namespace noexcept nullptr operator private protected public
    reinterpret_cast return sizeof alignof static static_assert static_cast struct class union
    switch template this true typedef typename using virtual volatile while decltype alignas"""
) | (ARITHMETIC_WORDS | WORDS_REFUSED.keys() - {"offsetof", "restrict"})
"""Words that are no names."""


def _each(names: str, what: Fact) -> dict[str, Fact]:
    return dict.fromkeys(names.split(), what)


NAMES_REFUSED: Mapping[str, Fact] = {
    **_each(
        """__nv_fp4_e2m1 __nv_fp4x2_e2m1 __nv_fp4x4_e2m1 __nv_fp6_e2m3 __nv_fp6_e3m2
        __nv_fp6x2_e2m3 __nv_fp6x2_e3m2 __nv_fp6x4_e2m3 __nv_fp6x4_e3m2 __nv_fp8_e8m0
        __nv_fp8x2_e8m0 __nv_fp8x4_e8m0 __nv_fp4_storage_t __nv_fp6_storage_t""",
        fact("cpp.no-fp4"),
    ),
    **_each("nvcuda wmma", fact("cpp.include-missing", name="nvcuda::wmma", header="mma.h")),
    **_each("texture surface textureReference", fact("cpp.no-texture-references")),
    **_each(
        """CUtexObject CUsurfObject tex1DLod tex2DLod tex3DLod tex1DLayeredLod tex2DLayeredLod
        tex1DGrad tex2DGrad tex3DGrad tex2Dgather texCubemap texCubemapLayered texCubemapLod
        surfCubemapread surfCubemapwrite""",
        fact("cpp.no-textures"),
    ),
    **_each(
        """cuComplex cuFloatComplex cuDoubleComplex make_cuComplex make_cuFloatComplex
        make_cuDoubleComplex cufftComplex cufftDoubleComplex cufftReal cufftDoubleReal""",
        fact("cpp.no-complex"),
    ),
    **_each("CUtensorMap", fact("cpp.no-tensor-maps")),
    "cub": fact("cpp.include-missing", name="cub", header="cub/cub.cuh"),
    "thrust": fact("cpp.no-library", name="Thrust"),
    "cutlass": fact("cpp.no-library", name="CUTLASS"),
    "cute": fact("cpp.no-library", name="CuTe"),
    "at": fact("cpp.no-library", name="ATen"),
    "c10": fact("cpp.no-library", name="c10"),
    "torch": fact("cpp.no-library", name="PyTorch"),
    "cuda": fact("cpp.no-libcu"),
}
"""Names that are refused unless the source declares them itself."""
QUALIFIED_ONLY = frozenset(
    {"cub", "thrust", "cutlass", "cute", "at", "c10", "torch", "cuda", "wmma"}
)
"""Of these, names that are refused before `::` alone: they are variables, too."""
_PREFIXES = {
    "curand": fact("cpp.no-curand"),
    "__pipeline_arrive": fact("cpp.no-pipelines"),
    "__mbarrier_": fact("cpp.no-pipelines"),
}

GROUP_TYPES = words("thread_group thread_block grid_group cluster_group coalesced_group")
GROUP_TYPE_TEMPLATES = words("thread_block_tile plus less greater bit_and bit_or bit_xor")
GROUP_FUNCTIONS = words(
    """this_thread_block this_grid this_cluster coalesced_threads labeled_partition
    binary_partition reduce inclusive_scan exclusive_scan sync thread_rank group_size"""
)
GROUP_FUNCTION_TEMPLATES = words("tiled_partition")
GROUPS_REFUSED = words(
    """memcpy_async wait wait_prior multi_grid_group this_multi_grid
    invoke_one invoke_one_broadcast block_tile_memory reduce_update_async reduce_store_async
    inclusive_scan_update exclusive_scan_update"""
)
"""Names of `cooperative_groups`; the last are refused by name, as all others are."""
LIBRARIES = {"cub": "CUB", "nvcuda": "WMMA", "wmma": "WMMA", "cuda": "libcu++",
             "thrust": "Thrust"}  # fmt: skip
"""Libraries by their namespaces, of which headers of ours have some names."""
WMMA = ["wmma"]
"""What `using namespace` of a refused namespace makes visible."""


def refused_name(name: str, *, qualifies: bool) -> Fact | None:
    """Return why a name that the source does not declare is refused; None if it is not.

    Args:
        name: the first identifier of a name.
        qualifies: whether `::` follows.
    """
    if name in NAMES_REFUSED:
        return NAMES_REFUSED[name] if qualifies or name not in QUALIFIED_ONLY else None
    return next((what for prefix, what in _PREFIXES.items() if name.startswith(prefix)), None)
