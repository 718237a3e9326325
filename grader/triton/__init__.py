"""Compiles a kernel that a person wrote in Triton to PTX, without a GPU; needs the extra `triton`.

    with TritonCompiler() as compiler:
        reply = compiler.compile(CompileRequest(source=…, kernel="add", …))

Triton must run the text that holds the kernel. So a process of its own compiles it, confined, with
limits on time, memory and output, and ends; the PTX that comes out is run by `grader.simt`.
"""

from grader.triton.client import CompilerEnded, TritonCompiler
from grader.triton.messages import TritonReply, TritonRequest

__all__ = ["CompilerEnded", "TritonCompiler", "TritonReply", "TritonRequest"]
