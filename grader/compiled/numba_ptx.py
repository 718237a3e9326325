"""A process that compiles a kernel for Numba to PTX: a request on its input, an answer out of it.

    python -m grader.compiled.numba_ptx < request.json

`grader.one_request` limits it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from grader.compiled.numba_compiler import ArgumentType, NumbaCompiler
from grader.compiled.parts import is_installed
from grader.one_request import answer_once


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Compile; return `ptx` and `version`, or `refused` with the error, or `missing`."""
    if not is_installed():
        return {"missing": True}
    arguments = [ArgumentType(*argument) for argument in request["arguments"]]
    try:
        text = NumbaCompiler().compile_ptx(
            request["source"], request["kernel"], arguments, request["capability"]
        )
    except Exception as error:  # Numba's and NVVM's have no common root
        return {"refused": f"{type(error).__name__}: {error}"}
    return {"ptx": text, "version": version("numba-cuda")}


if __name__ == "__main__":
    answer_once(answer)
