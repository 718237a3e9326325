"""Names of `numba.cuda` that are known and not emulated, and what to read or to write instead."""

from __future__ import annotations

import re

from grader.facts import Fact, fact

_INTRIN = r"(experimental\.)?(intrin\.)?"
"""Where numba-cuda-mlir has what needs compute capability 9.0 or 10.0."""
_INTERNAL = (
    r"alias|api|api_util|args|cache_hints|cext|cgutils|cloudpickle|codegen|compiler|"
    r"config_default_cc|core|cpython|cuda_paths|datamodel|debuginfo|decorators|descriptor|"
    r"device_init|deviceufunc|dispatcher|extending|ffi|ffi_forced_object|flags|implementation|"
    r"initialize|intrinsics|itanium_mangler|kernels|launchconfig|libdevicefuncs|literal|locks|"
    r"lowering|mathimpl|memory_management|misc|models|np|numba_cuda_default_ptx_cc|nvvm|nvvmutils|"
    r"prepare_shape_strides_dtype|reduction|resolve_cuda_array_interface_dtype|serialize|simulator|"
    r"stubs|target|typeconv|typing|ufuncs|utils"
)
_ADVICE: tuple[tuple[str, Fact], ...] = (
    (r"(half|float16x)[1-4]|vector(_types)?", fact("advice.vector-type")),
    (r"(experimental\.)?inline_ptx", fact("advice.ptx")),
    (rf"{_INTRIN}(fence_)?mbarrier_\w+", fact("advice.mbarrier")),
    (rf"{_INTRIN}cp_async_bulk_(load|store)", fact("advice.bulk-copy")),
    (
        rf"tensor_map(\.\w+)?|{_INTRIN}(cp_async_bulk_tensor_\w+|prefetch_tensormap)",
        fact("advice.tensor-map"),
    ),
    (
        rf"{_INTRIN}(tcgen05_\w+|encode_\w+_descriptor)|experimental\.tcgen05_descriptors(\.\w+)?",
        fact("advice.tcgen05"),
    ),
    (rf"{_INTRIN}(cluster_\w+|block_idx_in_cluster|mapa)", fact("advice.cluster")),
    (r"experimental\.(struct|union)", fact("advice.structs")),
    (r"(experimental\.)?intrin(\.\w+)?|experimental(\.\w+)?", fact("advice.experimental")),
    (r"fp16\.\w+", fact("advice.half")),
    (
        r"Archive|CUSource|Cubin|Fatbin|LTOIR|LinkableCode|Object|PTXSource",
        fact("advice.linked-code"),
    ),
    (
        r"(Base|HostOnly)CUDAMemoryManager|(Mapped|Pinned)Memory|MemoryPointer|set_memory_manager",
        fact("advice.memory-manager"),
    ),
    (r"GetIpcHandleMixin|IpcHandle|open_ipc_array", fact("advice.ipc")),
    (
        r"types\.[A-Z]\w*|Dim3|GridGroup|deferred_type|dim3|grid_group|optional",
        fact("advice.signature-type"),
    ),
    (r"complex32", fact("advice.complex32")),
    (r"carray|farray", fact("advice.pointers")),
    (r"compile(_\w+)?|declare_device", fact("advice.compile")),
    (_INTERNAL, fact("advice.internal-name")),
)
MODULES = frozenset(
    f"cuda.{name}" for name in ("experimental", "experimental.intrin", "intrin", "tensor_map")
)
"""Those whose members are refused, each by its own name."""
_PATTERNS = [(re.compile(rf"cuda\.({names})"), advice) for names, advice in _ADVICE]


def instead_of(path: str) -> Fact | None:
    """Return what to read or to write instead of a name of Numba's, if that is known."""
    return next((advice for names, advice in _PATTERNS if names.fullmatch(path)), None)
