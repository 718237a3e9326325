"""A process that compiles one kernel to PTX: a request on its input, an answer on its output.

    python -m grader.gpu.ptx_compiler < request.json

`grader.one_request` limits it.
"""

from __future__ import annotations

from typing import Any

from grader.compiled.parts import has_nvrtc
from grader.gpu.devices.nvrtc import NotCompiled, compile_ptx, version
from grader.one_request import answer_once


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Compile; return `ptx`, `entry` and `version`, or `refused` with the log, or `missing`."""
    if not has_nvrtc():
        return {"missing": True}
    try:
        image = compile_ptx(
            request["source"], request["name"], request["capability"], request["entry"],
            request["folders"],
        )  # fmt: skip
    except NotCompiled as error:
        return {"refused": str(error)}
    except RuntimeError as error:  # the library is not there
        return {"missing": True, "why": str(error)}
    return {
        "ptx": image.code.rstrip(b"\0").decode("utf-8", "replace"),
        "entry": image.entry,
        "version": version(),
    }


if __name__ == "__main__":
    answer_once(answer)
