"""Runs a text as a module, and compiles a Triton kernel of it: only in the process of `server`.

PTX is the last stage: ptxas is not run, and nothing is read from or written to Triton's cache.
"""

from __future__ import annotations

import linecache
import traceback
from typing import Any

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import CUDABackend
from triton.compiler import ASTSource
from triton.compiler.errors import CompilationError
from triton.runtime.jit import JITFunction

from grader.triton.messages import FILE, TritonReply, TritonRequest
from grader.wire import truncate

CAPABILITY = 80
"""Ampere's: from 9.0 on Triton uses `wgmma`, which is not emulated."""
_LANES = 32
_OPTIONS = {"ptx_version": 86, "enable_fp_fusion": True}
"""Without a version Triton asks ptxas for its own; contraction is Triton's default up to 3.9."""
_STAGES = ("ttir", "ttgir", "llir", "ptx")
_MULTIPLE = ["tt.divisibility", 16]


def build(request: TritonRequest) -> TritonReply:
    """Compile a kernel; what is wrong with the text is part of the answer."""
    source = request.source
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {"__name__": "kernel"}
    try:
        exec(compile(source, FILE, "exec"), names)  # noqa: S102 - its duty, confined
        return _compile(names[request.kernel], request)
    except Exception as error:  # whatever the text raises
        return _explain(error, names)


def _compile(function: Any, request: TritonRequest) -> TritonReply:
    backend = CUDABackend(GPUTarget("cuda", CAPABILITY, _LANES))
    asked = {"num_warps": request.warps, "num_stages": request.stages}
    options = backend.parse_options({**asked, **_OPTIONS})
    source = ASTSource(
        function,
        dict(zip(function.arg_names, request.types, strict=True)),
        {(at,): value for at, value in request.constants},
        {(at,): [_MULTIPLE] for at in request.aligned},
    )
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    made = source.make_ir(
        backend.target, options, backend.get_codegen_implementation(options),
        backend.get_module_map(), context,
    )  # fmt: skip
    stages: dict[str, Any] = {}
    backend.add_stages(stages, options, source.language)
    metadata = dict(options.__dict__)
    for name in _STAGES:
        made = stages[name](made, metadata)
    return TritonReply(ptx=str(made), shared=metadata["shared"], version=triton.__version__)


def _explain(error: BaseException, names: dict[str, Any]) -> TritonReply:
    """Say what Triton or Python says, at its place in the text: of nested errors, the innermost."""
    line = column = 0
    said = ""
    functions = {each.src: each for each in names.values() if isinstance(each, JITFunction)}
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, CompilationError):
            said = cause.error_message or said
            function = functions.get(cause.src)
            if function is not None and hasattr(cause.node, "lineno"):
                line = function.def_file_line_number + cause.node.lineno - 1
                column = cause.node.col_offset + 1
        else:
            said = str(cause) or type(cause).__name__
        cause = cause.__cause__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame.lineno or 0 for frame in frames if frame.filename == FILE]
    if not line and own:
        line, said = own[-1], f"{type(error).__name__}: {said}"
    return TritonReply(refused=truncate(said), line=line, column=column)
