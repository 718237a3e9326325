"""Runs a source as practice sites have it: `extern "C" void solve(…)` and kernels, no `main`.

A generated `main` allocates the arrays on the device, calls the function, and stores what it wrote;
with that, the source is a whole program like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.cuda import declared
from grader.simt.cuda.lowering.kernel import read_cuda
from grader.simt.errors import InvalidLaunch
from grader.simt.host.files.checking import Outputs, check_outputs
from grader.simt.host.files.drawing import DrawnShape
from grader.simt.host.files.judging import (
    SubjectRun,
    has_all,
    judge,
    say_indices,
    suggest_arguments,
)
from grader.simt.host.files.modules import SourceFiles, SourceKernel, is_output, open_source
from grader.simt.host.files.written_arguments import WrittenArgument
from grader.simt.host.session import ScriptSession
from grader.simt.host.touched import TouchedMemory
from grader.simt.launches.reports import Launch, WriteOrigin
from grader.simt.native.hosting import HostProgram

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ENTRY = re.compile(
    r'extern\s+"C"\s*\{?\s+void\s+(?P<name>\w+)\s*\((?P<parameters>[^(){};]*)\)\s*\{'
)
ENTRY_NAMES = frozenset({"solve", "solution"})
"""What practice sites call the function."""
_ADDRESS = 8
"""Bytes."""
_WORD = (1 << 64) - 1
_TWIN = "_parameters"
"""Suffix of an empty kernel with the same parameters."""
_MAIN = """\
#include <cstdio>
#include <vector>
namespace {{
struct quiz_pointer {{
    void* quiz_at;
    size_t quiz_bytes;
    template <class quiz_type> operator quiz_type*() const {{ return (quiz_type*)quiz_at; }}
}};
template <class quiz_type> quiz_type quiz_read(FILE* quiz_from)
{{
    quiz_type quiz_value{{}};
    return fread(&quiz_value, sizeof quiz_value, 1, quiz_from) == 1 ? quiz_value : quiz_type();
}}
quiz_pointer quiz_make(FILE* quiz_from)
{{
    size_t quiz_filled = quiz_read<size_t>(quiz_from);
    quiz_pointer quiz_made{{nullptr, quiz_read<size_t>(quiz_from)}};
    if (!quiz_made.quiz_bytes)
        return quiz_made;
    cudaMalloc(&quiz_made.quiz_at, quiz_made.quiz_bytes);
    std::vector<char> quiz_data(quiz_made.quiz_bytes);
    if (quiz_filled && fread(quiz_data.data(), 1, quiz_data.size(), quiz_from) == quiz_data.size())
        cudaMemcpy(quiz_made.quiz_at, quiz_data.data(), quiz_data.size(), cudaMemcpyHostToDevice);
    return quiz_made;
}}
void quiz_keep(FILE* quiz_to, quiz_pointer quiz_array)
{{
    fwrite(&quiz_array.quiz_at, sizeof quiz_array.quiz_at, 1, quiz_to);
    std::vector<char> quiz_data(quiz_array.quiz_bytes);
    cudaMemcpy(quiz_data.data(), quiz_array.quiz_at, quiz_data.size(), cudaMemcpyDeviceToHost);
    fwrite(quiz_data.data(), 1, quiz_data.size(), quiz_to);
}}
}}
int main(int, char** quiz_files)
{{
    FILE* quiz_from = fopen(quiz_files[1], "rb");
{made}
    fclose(quiz_from);
    {name}({given});
    bool quiz_failed = cudaDeviceSynchronize() != cudaSuccess;
    FILE* quiz_to = fopen(quiz_files[2], "wb");
{kept}
    fclose(quiz_to);
    return quiz_failed;
}}
"""


class EntryPoint(NamedTuple):
    """A function of the host that is called in place of a `main`: its name and parameters."""

    name: str
    parameters: str


class _Output(NamedTuple):
    """An array of the function: its name, address, and elements; may it have stored to it?"""

    name: str
    address: int
    array: NDArray[Any]
    output: bool


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
        asked: see `sources.run_source`.

    Raises:
        Refused: the source does not compile, or something is not emulated.
        InvalidLaunch: the arguments do not fit.
    """
    kernel = _as_kernel(files, entry, session, asked)
    parameters, text = kernel.drawn_parameters, asked["arguments"]
    with EntrySubject(files, entry, kernel, session, asked) as subject:
        if has_all(parameters, kernel.signature, text):
            ran = subject.run(DrawnShape(text or "", {}))
            say_indices(subject, text or "")
            if ran.outputs is None or asked["check"] is None:
                return ran.status
            return check_outputs(Path(asked["check"]), ran.outputs)
        if asked["check"] is not None:
            return judge(subject, Path(asked["check"]), text)
        what = fact("cpp.entry-arguments", function=kernel.signature)
        raise InvalidLaunch(what, suggest_arguments(subject))


class EntrySubject:
    """An entry point, compiled with a `main` that reads its arguments from a file."""

    def __init__(
        self,
        files: SourceFiles,
        entry: EntryPoint,
        kernel: SourceKernel,
        session: ScriptSession,
        asked: Mapping[str, Any],
    ) -> None:
        self._files, self._entry, self._kernel, self._asked = files, entry, kernel, asked
        self._declared = kernel.declared.parameters
        self.session = session
        self.signature = kernel.signature
        self.parameters = kernel.drawn_parameters
        self._opened = ExitStack()
        self._programs: dict[str, HostProgram] = {}

    def __enter__(self) -> Self:
        self._folder = Path(
            self._opened.enter_context(TemporaryDirectory(dir=self._asked["folder"]))
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def probe(self, shape: DrawnShape) -> Mapping[str, TouchedMemory]:
        """See `judging.Subject`."""
        session, found = self.session, dict[str, TouchedMemory]()
        session.touched = {}
        try:
            _, addresses = self._run(shape)
            for name, address in addresses.items():
                found[name] = session.touched.get(address, TouchedMemory())
        finally:
            session.touched = None
        return found

    def run(self, shape: DrawnShape) -> SubjectRun:
        """See `judging.Subject`."""
        return self._run(shape)[0]

    def options(self, _shape: DrawnShape) -> str:
        """See `judging.Subject`."""
        return ""

    def _run(self, shape: DrawnShape) -> tuple[SubjectRun, dict[str, int]]:
        """Run it; return also where its arrays were."""
        written, _, _ = self._kernel.fit_text(shape.text)
        before, after = self._folder / "before", self._folder / "after"
        after.unlink(missing_ok=True)
        program = self._compile(written)
        before.write_bytes(b"".join(map(_as_bytes, written)))
        self.session.keeps_writers = self._asked["check"] is not None
        self.session.writers.clear()
        status = program.run([str(before), str(after)])
        if not after.exists():
            if status == 0 and self._asked["check"] is not None:
                raise InvalidLaunch(fact("compared.ended", name=self._entry.name))
            return SubjectRun(status, None), {}
        found = list(_read_outputs(after, self._declared, written))
        kinds = {each.name: each.dtype for each in self.parameters}
        outputs = _outputs(found, self._declared, written, self.session.writers).as_numbers(kinds)
        return SubjectRun(status, None if status else outputs), {
            each.name: each.address for each in found
        }

    def _compile(self, written: Sequence[WrittenArgument]) -> HostProgram:
        """Return the program that takes arguments of these kinds."""
        text = _write_main(self._entry, self._declared, written)
        if text not in self._programs:
            driver = self._folder / "main.cu"
            driver.write_text(text, "utf-8")
            whole = self._files._replace(more=(*self._files.more, driver))
            source = open_source(whole, dict(self._asked["defines"]), compiled=True)
            program = HostProgram(whole, source, self.session, self._asked)
            self._programs[text] = self._opened.enter_context(program)
        return self._programs[text]


def _as_bytes(argument: WrittenArgument) -> bytes:
    """Return what the written `main` reads for an argument."""
    value = argument.value
    if isinstance(value, np.ndarray):
        header = np.array([not argument.unfilled, value.nbytes], np.uint64).tobytes()
        return header if argument.unfilled else header + np.ascontiguousarray(value).tobytes()
    if isinstance(value, float):
        return np.float64(value).tobytes()
    return np.uint64(int(value or 0) & _WORD).tobytes() * (1 if value is not None else 2)


def _outputs(
    found: Sequence[_Output],
    parameters: Sequence[declared.Parameter],
    written: Sequence[WrittenArgument],
    writers: Mapping[int, tuple[Launch, str]],
) -> Outputs:
    """Return what is compared: what was stored to; if nothing, what could have been."""
    given = {
        parameter.name or "": argument.value
        for parameter, argument in zip(parameters, written, strict=True)
    }
    every = {each.name: each for each in found if each.output}

    def find_writer(name: str, place: int) -> WriteOrigin | None:
        done, inner = writers.get(every[name].address, (None, ""))
        return None if done is None else done.origin(inner, place)

    stored = {
        each.name: each.array
        for each in every.values()
        if each.address in writers or each.array.tobytes() != given[each.name].tobytes()
    }
    could = {each.name: each.array for each in every.values()}
    return Outputs(given, stored or could, find_writer, any_stored=bool(stored))


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


def _write_main(
    entry: EntryPoint, parameters: Sequence[declared.Parameter], written: Sequence[WrittenArgument]
) -> str:
    made, kept, given = list[str](), list[str](), list[str]()
    for at, (parameter, argument) in enumerate(zip(parameters, written, strict=True)):
        value = argument.value
        if isinstance(value, np.ndarray) or value is None:
            made.append(f"    auto quiz_{at} = quiz_make(quiz_from);")
            kept.append(f"    quiz_keep(quiz_to, quiz_{at});")
        elif isinstance(value, bool | int | float):
            kind = "double" if isinstance(value, float) else "unsigned long long"
            kind = "long long" if isinstance(value, int) and value < 0 else kind
            made.append(f"    auto quiz_{at} = quiz_read<{kind}>(quiz_from);")
        else:
            raise InvalidLaunch(fact("cpp.entry-struct", name=parameter.name, function=entry.name))
        given.append(f"quiz_{at}")
    return _MAIN.format(
        name=entry.name, made="\n".join(made), kept="\n".join(kept), given=", ".join(given)
    )


def _read_outputs(
    file: Path, parameters: Sequence[declared.Parameter], written: Sequence[WrittenArgument]
) -> Iterator[_Output]:
    """Yield the arrays as the function has left them."""
    with file.open("rb") as stored:
        for parameter, argument in zip(parameters, written, strict=True):
            value = argument.value
            if isinstance(value, np.ndarray):
                address = int.from_bytes(stored.read(_ADDRESS), "little", signed=True)
                data = np.frombuffer(stored.read(value.nbytes), value.dtype)
                array = data.reshape(value.shape)
                yield _Output(parameter.name or "", address, array, is_output(parameter))
            elif value is None:
                stored.read(_ADDRESS)
