"""Compiles the host part of a program with the C++ compiler that is found.

The compiler reads copies of the person's files, in which kernels are stubs; its errors name the
files themselves.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grader.facts import Fact, fact
from grader.lifeline import run_group
from grader.simt.cuda.headers import CPP_HEADERS, CUDA_HEADERS, ONLY_COMPILED, is_cpp20
from grader.simt.cuda.names import LIBRARIES, refused_name
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.files.modules import SourceFiles
from grader.simt.native.rewriting import INCLUDE, find_specifiers, rewrite

COMPILERS = ("c++", "g++", "clang++")
"""Tried in this order, after the compiler that `CXX` names."""
_COMMON = (
    "-O2", "-g1", "-w", "-pthread", "-fno-strict-aliasing",
    "-fno-optimize-sibling-calls",  # else a function that ends with a call is in no frame
)  # fmt: skip
_C, _CPP = ("-x", "c"), ("-std=gnu++17", "-x", "c++")
_OPTIONS = (
    "-Wno-narrowing",
    "-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
    "-D__CUDA_RUNTIME_H__", "-D__DRIVER_TYPES_H__",
)  # fmt: skip
_SECONDS = 120.0
"""For the compiler."""
_LIBRARIES = {
    "cublas": "cuBLAS", "cudnn": "cuDNN", "cufft": "cuFFT", "curand": "cuRAND",
    "cusolver": "cuSOLVER", "cusparse": "cuSPARSE", "nccl": "NCCL", "npp": "NPP", "nvml": "NVML",
    "thrust": "Thrust", "cub": "CUB", "cutlass": "CUTLASS", "cute": "CUTLASS",
    "opencv": "OpenCV", "opencv2": "OpenCV", "torch": "PyTorch", "ATen": "PyTorch", "mpi": "MPI",
    "GL": "OpenGL", "GLFW": "GLFW", "cooperative_groups": "cooperative groups",
}  # fmt: skip
_OURS = {
    "cooperative_groups/": "cooperative_groups.h",
    "cuda/": "quiz_libcudacxx.h",
    "cub/": "quiz_cub_device.h",
    "thrust/functional.h": "quiz_cub.h",
    "thrust/": "quiz_thrust.h",
}
"""Folders of headers for kernels: host code needs the names of their types at most."""
_COMPUTED = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[A-Za-z_]", re.MULTILINE)
"""An include of what a macro names."""
_ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<what>.*)"
)
_FROM_HERE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+):"
    r"\s+(?:required from here|note: in instantiation of .* requested here)"
)
"""The place that leads to an error in a header of ours, as g++ and as clang++ say it."""
_MISSING = re.compile(r"'?(?P<name>[^\s:']+)'?(?:: No such file or directory| file not found)")
_UNKNOWN = re.compile(
    r"'(?P<name>cu(?:da|blas|blasLt|rand)?[A-Z]\w*)'[^']*"
    r"(?:was not declared|has not been declared|does not name)"
    r"|(?:unknown type name|undeclared identifier) '(?P<other>cu(?:da|blas|blasLt|rand)?[A-Z]\w*)'"
)
"""A name of CUDA that our runtime lacks, as g++ and as clang++ say it."""
_NO_MEMBER = re.compile(
    r"'(?P<space>cub|thrust)::(?P<name>\w+)' has not been declared"
    r"|'(?P<of>\w+)' is not a member of '(?P<around>cub|thrust)'"
    r"|(?:undeclared identifier|no member named) '(?P<other>\w+)' in namespace '(?P<in>cub|thrust)'"
)
"""A name that our headers of a library lack, as g++ and as clang++ say it."""
_NO_TYPE = re.compile(
    r"'(?P<name>\w+)' does not name a (?:type|template)"
    r"|(?:no template named|unknown type name) '(?P<other>\w+)'"
)
"""A name that begins a declaration and means nothing, as g++ and as clang++ say it."""
_NOT_DECLARED = re.compile(
    r"'(?P<name>\w+)' was not declared|undeclared identifier '(?P<other>\w+)'"
)
_OF_THE_DEVICE = re.compile(r"\b__(?:device|constant)__\b.*=")
"""A line in which a variable of the device begins with something."""
_NOT_OF_STD = re.compile(
    r"'(?P<name>\w+)' is not a member of 'std'|'std::(?P<declared>\w+)' has not been declared"
    r"|no [\w ]*named '(?P<other>\w+)' in namespace 'std'"
)
"""A name that `std` lacks, as g++ and as clang++ say it."""
_UNDEFINED = re.compile(
    r"(?:(?P<file>[^\s:][^:\n]*):(?P<line>\d+): )?undefined reference to [`'](?P<name>[^'\n]+)'"
    r"|\"(?P<other>[^\"\n]+)\", referenced from"
)


def find_compiler() -> list[str]:
    """Return the command of the C++ compiler.

    Raises:
        InvalidLaunch: there is none.
    """
    asked = os.environ.get("CXX")
    if asked:
        words = shlex.split(asked)
        if words and shutil.which(words[0]):
            return words
        raise InvalidLaunch(fact("program.no-such-compiler", name=asked))
    for name in COMPILERS:
        found = shutil.which(name)
        if found:
            return [found]
    raise InvalidLaunch(fact("program.no-compiler", names=COMPILERS))


def compile_program(
    files: SourceFiles, folder: Path, defines: Sequence[tuple[str, str]] = ()
) -> Path:
    """Compile the host part of a program; return the executable.

    Args:
        folder: for the executable and all that it is made of.
        defines: macros and their texts.

    Raises:
        Refused: it does not compile; says why, at the first error's place.
        InvalidLaunch: there is no compiler, or it does not end.
    """
    compiler = find_compiler()
    headers = folder / "headers"
    texts, includes = _find_includes(files, headers)
    _write_headers(headers, None if files.apart else texts.values())
    source = _write_copies(files.path, folder, texts, includes)
    executable = folder / "program"
    folders = (INCLUDE, headers, Path(files.path).parent, *files.folders)
    options = [*(f"-D{name}={text}" for name, text in defines), *(f"-I{each}" for each in folders)]
    objects = list[str]()
    for file in files.apart:
        objects.append(str(folder / f"{len(objects)}.o"))
        language = _C if file.suffix == ".c" else _CPP
        command = [*compiler, *_COMMON, *language, *options, "-c", str(file), "-o", objects[-1]]
        _run(command, str(file), Path(objects[-1]))
    command = [
        *compiler, *_COMMON, *_OPTIONS, "-include", str(INCLUDE / "cuda_runtime.h"), *options,
        *_CPP, str(source), "-x", "none", *objects, "-o", str(executable), "-lm", "-ldl",
    ]  # fmt: skip
    _run(command, files.path, executable)
    return executable


def _run(command: Sequence[str], path: str, made: Path) -> None:
    """Run a command of the compiler that makes a file of the one at a path."""
    compiler = command[0]
    try:
        done = run_group(command, _SECONDS, {**os.environ, "LC_ALL": "C"})
    except subprocess.TimeoutExpired:
        raise InvalidLaunch(
            fact("program.compile-slow", compiler=compiler, n=int(_SECONDS))
        ) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise InvalidLaunch(fact("program.compiler-failed", compiler=compiler, why=why)) from None
    if done.returncode != 0 or not made.exists():
        raise _describe(done.stderr.decode("utf-8", "replace"), compiler, path)


def _find_includes(
    files: SourceFiles, headers: Path
) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Find a program's own files; return their texts by path, and which path an include names.

    Args:
        headers: for headers that host code needs nothing of.
    """
    texts = {files.path: files.read()}
    waiting = [files.path]
    includes: dict[tuple[str, str], str] = {}
    while waiting:
        including = waiting.pop()
        pattern = r'^[ \t]*#[ \t]*include[ \t]*("[^"\n]+"|<[^>\n]+>)'
        for match in re.finditer(pattern, texts[including], re.MULTILINE):
            written = match[1]
            name = written[1:-1]
            if written.startswith("<") and (name in CUDA_HEADERS or (INCLUDE / name).exists()):
                continue
            found = files.find(name, including)
            if found is None:
                own = next((_OURS[each] for each in _OURS if name.startswith(each)), "")
                if own:
                    _forward(headers / name, own)
                continue
            includes[including, written] = found[0]
            if found[0] not in texts:
                texts[found[0]] = found[1]
                waiting.append(found[0])
    return texts, includes


def _write_copies(
    path: str, folder: Path, texts: Mapping[str, str], includes: Mapping[tuple[str, str], str]
) -> Path:
    """Write a copy of the program at a path and of each of its own includes; return its own."""
    macros = find_specifiers(list(texts.values()))
    calls_functors = any("<thrust/" in text for text in texts.values())
    of_libraries = {
        path for (_, written), path in includes.items() if written[1:].startswith(ONLY_COMPILED)
    }
    copies = {each: folder / f"{place}.cu" for place, each in enumerate(texts)}
    for each, own in texts.items():

        def include(written: str, each: str = each) -> str | None:
            found = includes.get((each, written))
            return None if found is None else str(copies[found])

        functors = calls_functors and each not in of_libraries
        made = rewrite(own, each, macros, include, calls_functors=functors)
        copies[each].write_text(made, encoding="utf-8")
    return copies[path]


def _write_headers(headers: Path, texts: Iterable[str] | None) -> None:
    """Write headers of CUDA that include our `cuda_runtime.h` instead.

    Args:
        texts: of all files that may include them; None if these are not known.
    """
    known = [each for each in CUDA_HEADERS if not (INCLUDE / each).exists()]
    named = dict.fromkeys(known, ()) | {
        f"cuda/std/{each}": (each, _OURS["cuda/"]) for each in CPP_HEADERS
    }
    whole = "" if texts is None else "\n".join(texts)
    every = texts is None or _COMPUTED.search(whole) is not None
    for name, others in named.items():
        if every or name in whole:  # also where a macro names it
            _forward(headers / name, *others)


def _forward(header: Path, *others: str) -> None:
    """Write a header that has what others have, else what our runtime has."""
    header.parent.mkdir(parents=True, exist_ok=True)
    lines = (f"#include <{name}>\n" for name in others or ("cuda_runtime.h",))
    header.write_text("".join(lines), encoding="utf-8")


def _place_of(found: re.Match[str], output: str) -> re.Match[str]:
    """Return the place of an error; of one in a header of ours, the person's that leads there."""
    if not Path(found["file"]).is_relative_to(INCLUDE):
        return found
    leading = filter(None, map(_FROM_HERE.match, output.splitlines()))
    return next((each for each in leading if not Path(each["file"]).is_relative_to(INCLUDE)), found)


def _explain(said: str, compiler: str) -> Fact:
    """Say what a compiler's error is about, where that is known better than it says."""
    if (missing := _MISSING.search(said)) is not None:
        header = missing["name"]
        if header in CPP_HEADERS:
            return fact("program.cpp20", name=f"<{header}>")
        if header.startswith(ONLY_COMPILED):
            return fact("program.missing-header", header=header)
        stem = re.split(r"[/.]|_v2", header)[0]
        for name, library in _LIBRARIES.items():  # `cusolverDn.h` is of cuSOLVER
            if stem == name or re.match(rf"{name}[A-Z_]", stem):
                return fact("program.missing-library", header=header, library=library)
        return fact("program.missing-header", header=header)
    if (unknown := _UNKNOWN.search(said)) is not None:
        return fact("program.no-runtime", name=unknown["name"] or unknown["other"])
    if (lacks := _NO_MEMBER.search(said)) is not None:
        library = LIBRARIES[lacks["space"] or lacks["around"] or lacks["in"]]
        lacking = lacks["name"] or lacks["of"] or lacks["other"]
        return fact("cpp.no-library-name", name=lacking, library=library)
    lost = _NO_TYPE.search(said)
    for found, of_std in ((lost, False), (_NOT_OF_STD.search(said), True)):
        name = next(filter(None, found.groups()), "") if found else ""
        if is_cpp20(name, of_std=of_std):
            return fact("program.cpp20", name=f"std::{name}" if of_std else name)
    known = lost and refused_name(lost["name"] or lost["other"], qualifies=False)
    return known or fact("program.does-not-compile", compiler=compiler, why=said)


def _begins_with_device_function(found: re.Match[str]) -> bool:
    """Return True if a variable of the device has a function of the device, which no host has."""
    lost = _NOT_DECLARED.search(found["what"])
    if lost is None:
        return False
    try:
        text = Path(found["file"]).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    line = text.splitlines()[int(found["line"]) - 1 :][:1]
    function = rf"__device__[^;{{}}=]*\b{lost['name'] or lost['other']}\s*\("
    return any(map(_OF_THE_DEVICE.search, line)) and re.search(function, text) is not None


def _describe(output: str, compiler: str, path: str) -> Refused:
    """Make the error for a program that does not compile."""
    name = Path(compiler).name
    for line in output.splitlines():
        found = _ERROR.match(line)
        if found is not None:
            at = _place_of(found, output)
            place = int(at["line"]), int(at["column"])
            holds = _begins_with_device_function(found)
            what = fact("cpp.no-function-pointers") if holds else _explain(found["what"], name)
            return Refused(what, *place, None, at["file"])
    undefined = _UNDEFINED.search(output)
    if undefined is not None:
        lacking = undefined["name"] or undefined["other"]
        is_openmp = lacking.lstrip("_").startswith(("omp_", "GOMP_", "kmpc_"))
        what = fact("program.undefined", name=lacking)
        if is_openmp:
            what = fact("program.no-openmp", name=lacking, compiler=name)
        return Refused(what, int(undefined["line"] or 1), 1, None, undefined["file"] or path)
    last = (output.strip().splitlines() or [""])[-1]
    return Refused(fact("program.does-not-compile", compiler=name, why=last), 1, 1, None, path)
