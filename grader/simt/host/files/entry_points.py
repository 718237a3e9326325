"""Runs a source as practice sites have it: `extern "C" void solve(…)` and kernels, no `main`.

A generated `main` allocates the arrays on the device, calls the function, and stores what it wrote;
with that, the source is a whole program like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.lowering.kernel import read_cuda
from grader.simt.errors import InvalidLaunch
from grader.simt.host.files.checking import Outputs, check_outputs
from grader.simt.host.files.modules import SourceFiles, SourceKernel, open_source
from grader.simt.host.files.written_arguments import WrittenArgument
from grader.simt.host.session import ScriptSession
from grader.simt.launches.reports import Launch, WriteOrigin
from grader.simt.native.hosting import run_program

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ENTRY = re.compile(
    r'extern\s+"C"\s*\{?\s+void\s+(?P<name>\w+)\s*\((?P<parameters>[^(){};]*)\)\s*\{'
)
ENTRY_NAMES = frozenset({"solve", "solution"})
"""What practice sites call the function."""
_ADDRESS = 8
"""Bytes."""
_TWIN = "_parameters"
"""Suffix of an empty kernel with the same parameters."""
_MAIN = """\
#include <cstdio>
#include <vector>
namespace {{
struct quiz_pointer {{
    void* quiz_at;
    template <class quiz_type> operator quiz_type*() const {{ return (quiz_type*)quiz_at; }}
}};
quiz_pointer quiz_make(FILE* quiz_from, size_t quiz_bytes, bool quiz_filled)
{{
    quiz_pointer quiz_made{{nullptr}};
    cudaMalloc(&quiz_made.quiz_at, quiz_bytes);
    std::vector<char> quiz_data(quiz_bytes);
    if (quiz_filled && fread(quiz_data.data(), 1, quiz_bytes, quiz_from) == quiz_bytes)
        cudaMemcpy(quiz_made.quiz_at, quiz_data.data(), quiz_bytes, cudaMemcpyHostToDevice);
    return quiz_made;
}}
void quiz_keep(FILE* quiz_to, quiz_pointer quiz_array, size_t quiz_bytes)
{{
    fwrite(&quiz_array.quiz_at, sizeof quiz_array.quiz_at, 1, quiz_to);
    std::vector<char> quiz_data(quiz_bytes);
    cudaMemcpy(quiz_data.data(), quiz_array.quiz_at, quiz_bytes, cudaMemcpyDeviceToHost);
    fwrite(quiz_data.data(), 1, quiz_bytes, quiz_to);
}}
}}
int main(int, char** quiz_files)
{{
    FILE* quiz_from = fopen(quiz_files[1], "rb");
{made}
    fclose(quiz_from);
    {name}({given});
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    FILE* quiz_to = fopen(quiz_files[2], "wb");
{kept}
    fclose(quiz_to);
    return 0;
}}
"""


class EntryPoint(NamedTuple):
    """A function of the host that is called in place of a `main`: its name and parameters."""

    name: str
    parameters: str


class _Output(NamedTuple):
    """An array that the function may have stored to: its name, its address, and its elements."""

    name: str
    address: int
    array: NDArray[Any]


def find_entry(text: str) -> EntryPoint | None:
    """Return the function `extern "C" void …` that is called: `solve`, or the only one."""
    found = list(_ENTRY.finditer(_COMMENT.sub(" ", text)))
    chosen = [each for each in found if each["name"] in ENTRY_NAMES] or found
    return EntryPoint(chosen[0]["name"], chosen[0]["parameters"]) if len(chosen) == 1 else None


def run_entry(
    files: SourceFiles, entry: EntryPoint, session: ScriptSession, asked: Mapping[str, Any]
) -> int:
    """Call an entry point with arguments as a person writes them; return the exit status.

    Args:
        files: of the source.
        entry: what is called.
        session: runs the launches.
        asked: see `sources.run_source`.

    Raises:
        Refused: the source does not compile, or something is not emulated.
        InvalidLaunch: the arguments do not fit.
    """
    kernel = _as_kernel(files, entry, session, asked)
    parameters = kernel.declared.parameters
    if asked["arguments"] is None and parameters:
        what = fact("cpp.entry-arguments", function=kernel.signature)
        example = fact("cpp.launch-example", example=f"--args {kernel.example}")
        raise InvalidLaunch(what, example)
    written, _, _ = kernel.fit_text(asked["arguments"] or "")
    with TemporaryDirectory(dir=asked["folder"]) as name:
        folder = Path(name)
        driver, before, after = (folder / each for each in ("main.cu", "before", "after"))
        driver.write_text(_write_main(entry, parameters, written), "utf-8")
        with before.open("wb") as filled:
            for argument in written:
                if isinstance(argument.value, np.ndarray) and not argument.unfilled:
                    filled.write(np.ascontiguousarray(argument.value).tobytes())
        whole = files._replace(more=(*files.more, driver))
        source = open_source(whole, dict(asked["defines"]), compiled=True)
        session.keeps_writers = asked["check"] is not None
        status = run_program(whole, source, [str(before), str(after)], session, asked)
        if status == 0 and asked["check"] is not None:
            if not after.exists():
                raise InvalidLaunch(fact("compared.ended", name=entry.name))
            found = list(_read_outputs(after, parameters, written))
            outputs = _outputs(found, parameters, written, session.writers)
            return check_outputs(Path(asked["check"]), outputs)
    return status


def _outputs(
    found: Sequence[_Output],
    parameters: Sequence[declared.Parameter],
    written: Sequence[WrittenArgument],
    writers: Mapping[int, tuple[Launch, str]],
) -> Outputs:
    """Return what is compared: what launches have stored to; if nothing, what they could have."""
    given = {
        parameter.name or "": argument.value
        for parameter, argument in zip(parameters, written, strict=True)
    }
    places = {each.name: each.address for each in found}

    def find_writer(name: str, place: int) -> WriteOrigin | None:
        done, inner = writers.get(places[name], (None, ""))
        return None if done is None else done.origin(inner, place)

    stored = {each.name: each.array for each in found if each.address in writers}
    every = {each.name: each.array for each in found}
    return Outputs(given, stored or every, find_writer, any_stored=bool(stored))


def _as_kernel(
    files: SourceFiles, entry: EntryPoint, session: ScriptSession, asked: Mapping[str, Any]
) -> SourceKernel:
    """Return an empty kernel with the parameters of an entry point, and the types of its source."""
    name = f"{entry.name}{_TWIN}"
    declared = f'\nextern "C" __global__ void {name}({entry.parameters}) {{}}\n'
    source = read_cuda(
        files.read() + declared, path=files.path, defines=dict(asked["defines"]), read=files.find,
        compiled=True,
    )  # fmt: skip
    kernel = SourceKernel(source, name, session, compiles=False)
    kernel.signature = kernel.signature.replace(name, entry.name)
    return kernel


def _is_output(parameter: declared.Parameter) -> bool:
    match parameter.type:
        case syntax.PointerType(_, syntax.NamedType(_, _, const)) | syntax.ArrayType(
            _, syntax.NamedType(_, _, const)
        ):
            return not const
    return False


def _write_main(
    entry: EntryPoint, parameters: Sequence[declared.Parameter], written: Sequence[WrittenArgument]
) -> str:
    made, kept, given = list[str](), list[str](), list[str]()
    for at, (parameter, argument) in enumerate(zip(parameters, written, strict=True)):
        value = argument.value
        if isinstance(value, np.ndarray):
            filled = "false" if argument.unfilled else "true"
            made.append(f"    auto quiz_{at} = quiz_make(quiz_from, {value.nbytes}, {filled});")
            given.append(f"quiz_{at}")
            if _is_output(parameter):
                kept.append(f"    quiz_keep(quiz_to, quiz_{at}, {value.nbytes});")
        elif value is None:
            given.append("quiz_pointer{nullptr}")
        elif isinstance(value, bool | int | float):
            given.append(_literal(value))
        else:
            raise InvalidLaunch(fact("cpp.entry-struct", name=parameter.name, function=entry.name))
    return _MAIN.format(
        name=entry.name, made="\n".join(made), kept="\n".join(kept), given=", ".join(given)
    )


def _literal(value: Any) -> str:
    """Write a number in C++, exactly."""
    if not isinstance(value, float):
        return f"{int(value)}{'ull' if value >= 1 << 63 else 'll'}"
    return f"(double){value.hex()}" if np.isfinite(value) else f'strtod("{value}", nullptr)'


def _read_outputs(
    file: Path, parameters: Sequence[declared.Parameter], written: Sequence[WrittenArgument]
) -> Iterator[_Output]:
    with file.open("rb") as stored:
        for parameter, argument in zip(parameters, written, strict=True):
            value = argument.value
            if isinstance(value, np.ndarray) and _is_output(parameter):
                address = int.from_bytes(stored.read(_ADDRESS), "little", signed=True)
                data = np.frombuffer(stored.read(value.nbytes), value.dtype)
                yield _Output(parameter.name or "", address, data.reshape(value.shape))
