"""What a C++ compiler is given of a program: only those of our headers that its files name."""

from __future__ import annotations

import pytest

from grader.simt.cuda.headers import CUDA_HEADERS
from grader.simt.host.files.modules import SourceFiles
from grader.simt.native.compiling import compile_program
from grader.simt.native.rewriting import INCLUDE

_KNOWN = sum(not (INCLUDE / each).exists() for each in CUDA_HEADERS)


@pytest.mark.parametrize(
    ("lines", "least", "most"),
    [
        ("#include <cuda_runtime.h>", 0, 0),
        ("#include <cuda.h>\n#include <cuda/std/array>", 2, 2),
        ("#define HEADER <cuda.h>\n#include HEADER", _KNOWN, 999),
    ],
)
def test_headers_are_written_that_a_file_may_include(tmp_path, lines, least, most):
    path = tmp_path / "a.cu"
    path.write_text(lines + "\nint main() { return 0; }\n", encoding="utf-8")
    assert compile_program(SourceFiles(path), tmp_path).exists()
    written = [each for each in (tmp_path / "headers").rglob("*") if each.is_file()]
    assert least <= len(written) <= most
