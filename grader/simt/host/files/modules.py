"""`load("kernel.cu")`: a CUDA C++ source whose kernels a script launches in the emulator.

transpose = load("transpose.cu")["transpose<32, float>"]
transpose[(8, 8), (32, 8)](image, out, 256)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

from grader.facts import fact
from grader.scripts import Reads
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.lowering.functions import number_types
from grader.simt.cuda.lowering.kernel import (
    CudaSource,
    default_arguments,
    describe_kernel,
    lower_kernel,
    name_parameters,
    read_cuda,
)
from grader.simt.cuda.lowering.model.types import BUILT_IN, CType, PointerTo, StructType
from grader.simt.cuda.tokens import MOST_CHARACTERS
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.configured import Launchable
from grader.simt.host.files.drawing import DrawnParameter
from grader.simt.host.files.fitting import fit_argument, type_of_argument, wrong_count
from grader.simt.host.files.narrow_floats import narrow_name
from grader.simt.host.files.ptx_kernels import AskedKernel, PtxKernel, compile_source
from grader.simt.host.files.written_arguments import DTYPES, WrittenArgument, read_arguments
from grader.simt.host.numba_names.names import NotEmulated
from grader.simt.host.session import RUNNING, Config, ScriptSession
from grader.simt.host.streams import caller
from grader.simt.program.kernel import CompiledKernel

_ON_DEVICE = re.compile(r"\b__(global|device|constant|managed)__\b|<<<")
"""What a file for the device has."""
_MOST_BYTES = 4 * MOST_CHARACTERS
"""Of a file, which has more characters than the parser takes if it is longer."""


def load(file: str | Path, defines: Mapping[str, str] | None = None) -> CudaModule:
    """Read a CUDA C++ source, and what it includes in quotes.

    Args:
        file: its path, from the working folder or from that of the calling script.
        defines: macros, name → text, as with `-D`.

    Raises:
        Refused: it is not CUDA C++, or too large.
        OSError: it cannot be read.
        NotEmulated: no `quiz profile` runs this script.
    """
    if not RUNNING:
        raise NotEmulated(fact("cpp.not-profiled", run=f"quiz profile {caller().file}"))
    found = Path(file)
    if not found.exists():
        beside = Path(caller().file).parent / found
        found = beside if beside.exists() else found
    session = RUNNING[-1]
    source = open_source(SourceFiles(found), defines, compiled=session.reads == "ptx")
    return CudaModule(source, session)


class SourceFiles(NamedTuple):
    """The files of a source.

    Attributes:
        more: further files of the same program, which are read behind it.
        folders: where files that are included are looked for, too.
        apart: further files that a compiler makes part of the program, without code for the device.
    """

    file: Path
    more: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    apart: tuple[Path, ...] = ()

    @classmethod
    def sort(cls, file: Path, more: Iterable[Path], folders: Iterable[Path]) -> SourceFiles:
        """Sort the files of a program: those in C and C++ with code for no device are apart.

        Raises:
            OSError: one cannot be read.
        """
        together, apart = list[Path](), list[Path]()
        for each in more:
            for_device = each.suffix.startswith(".cu") or _ON_DEVICE.search(_read_text(each))
            (together if for_device else apart).append(each)
        return cls(file, tuple(together), tuple(folders), tuple(apart))

    @property
    def path(self) -> str:
        """The path of the source."""
        return str(self.file.absolute())

    def read(self) -> str:
        """Return the text of the source, with its further files as includes at its end.

        Raises:
            OSError: it cannot be read.
        """
        further = (f'\n#include "{file.absolute().as_posix()}"' for file in self.more)
        return _read_text(self.file) + "".join(further)

    def find(self, name: str, including: str) -> tuple[str, str] | None:
        """Return the path and the text of what is included; None if it is not there.

        Args:
            including: the path of the file that includes it; it is looked for beside that first.
        """
        for folder in (Path(including).parent, self.file.absolute().parent, *self.folders):
            found = folder / name.replace("\\", "/")
            if found.is_file():
                return str(found.resolve()), _read_text(found)
        return None


def open_source(
    files: SourceFiles, defines: Mapping[str, str] | None = None, *, compiled: bool = False
) -> CudaSource:
    """Read a source and what it includes in quotes; `compiled` if a compiler reads it, too.

    Raises:
        Refused: it is not CUDA C++, or too large.
        OSError: it cannot be read.
    """
    return read_cuda(
        files.read(), path=files.path, defines=defines, read=files.find, compiled=compiled
    )


def _read_text(file: Path) -> str:
    """Read a text; bytes that are not UTF-8 stand in comments, mostly of another language."""
    with file.open("rb") as source:
        text = source.read(_MOST_BYTES + 1).decode("utf-8", "replace")
    return text.removeprefix("\ufeff")  # a byte order mark, as Windows writes one


class CudaModule:
    """The kernels of a source: `module.name`, or `module["name<32, float>"]` of a template."""

    def __init__(self, source: CudaSource, session: ScriptSession) -> None:
        self._source = source
        self._session = session
        self._kernels: dict[str, SourceKernel | CompiledSource] = {}

    def __getattr__(self, name: str) -> SourceKernel | CompiledSource:
        """Return a kernel by its name.

        Raises:
            AttributeError: there is none of this name.
        """
        try:
            self._source.find_kernel(name)
        except InvalidLaunch as error:
            raise AttributeError(error.what) from None
        return self[name]

    def __getitem__(self, name: str) -> SourceKernel | CompiledSource:
        """Return a kernel by its name with the arguments of its template.

        Raises:
            InvalidLaunch: there is none, or these are no template arguments.
            Refused: its parameters are not emulated, and there is no compiler.
        """
        if name not in self._kernels:
            self._kernels[name] = self._find(name)
        return self._kernels[name]

    def _find(self, name: str) -> SourceKernel | CompiledSource:
        try:
            return SourceKernel(self._source, name, self._session)
        except Refused as error:  # of its parameters
            kernel = compile_asked(self._source, name, error, self._session.reads)
            return CompiledSource(kernel, self._session)

    def __dir__(self) -> list[str]:
        """Return the names of its kernels."""
        return sorted(self._source.kernels)

    def __repr__(self) -> str:
        return f"<CUDA C++ of {self._source.path}: {', '.join(self._source.kernels)}>"


class SourceKernel(Launchable):
    """A kernel of a source; its template's arguments may follow from those of a launch.

    Attributes:
        parameters: the names of its parameters.
    """

    def __init__(
        self,
        source: CudaSource,
        name: str,
        session: ScriptSession,
        line: int = 0,
        *,
        folders: Sequence[str] = (),
        compiles: bool = True,
    ) -> None:
        """Find it.

        Args:
            name: with the arguments of its template.
            line: of its name, where several have this name.
            folders: where a compiler looks for what is included.
            compiles: whether it may be compiled, as the session has it.

        Raises:
            Refused: its parameters are not emulated.
            InvalidLaunch: there is none of this name.
        """
        self._source = source
        self._folders, self._compiles = folders, compiles
        self._session = session
        self._text, self._line = name, line
        self._name, self._arguments = split_kernel_name(source, name)
        self.declared = declared = source.find_kernel(self._name, line)
        if declared.refusal is not None and not declared.parameters:  # they are not known
            raise declared.refusal
        self.signature = describe_kernel(declared)
        self.parameters = name_parameters(declared)
        self._ready: dict[tuple[CType, ...], tuple[CompiledKernel, tuple[CType, ...]]] = {}
        self._by_compiler: dict[tuple[CType, ...], PtxKernel] = {}

    def __call__(self, *_arguments: Any) -> NoReturn:
        """Refuse: a kernel is launched."""
        name = self._name
        raise ValueError(
            f"Kernel launch configuration was not specified: write {name}[blocks, threads](…)"
        )

    def __repr__(self) -> str:
        return f"<CUDA C++ kernel {self.signature}>"

    def _compile(self, given: tuple[CType, ...]) -> tuple[CompiledKernel, tuple[CType, ...]]:
        """Return the kernel for arguments of these types, and the types of its parameters."""
        if given not in self._ready:
            try:
                self._ready[given] = lower_kernel(
                    self._source, self._name, self._arguments, given, line=self._line
                )
            except Refused as error:
                if self._arguments and not error.file:  # it is in the name, in no file
                    raise _not_a_name(self._text, error) from None
                raise
        return self._ready[given]

    def _as_compiled(self, given: tuple[CType, ...], refusal: Refused | None) -> PtxKernel:
        """Return the kernel as compiled for arguments of these types.

        Args:
            refusal: why its source is refused; None if it is not asked.

        Raises:
            Refused: there is no compiler, or what it makes is not emulated either.
            InvalidLaunch: there is no compiler.
        """
        if given not in self._by_compiler:
            asked = AskedKernel(
                self._source, self.declared, self._text, self._arguments, given, self._folders
            )
            self._by_compiler[given] = compile_source(asked, refusal, self._session.reads)
        return self._by_compiler[given]

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The values that parameters have by default, by name.

        Raises:
            Refused: one of them is not known before the launch.
        """
        try:
            return default_arguments(self._source, self._name, self._line)
        except Refused:
            if self._session.reads != "ptx":
                raise
            return {}

    def _defaults(self, given: int) -> tuple[Any, ...]:
        """Return what the parameters get that are not among so many arguments."""
        missing = self.parameters[given:]
        if given > len(self.parameters) or not self.defaults.keys() >= set(missing):
            raise wrong_count(self.signature, len(self.parameters), given)
        return tuple(self.defaults[name] for name in missing)

    def launch(self, config: Config, arguments: tuple[Any, ...]) -> None:
        """Launch it in the session.

        Raises:
            SimtError: it is not emulated, or the arguments do not fit.
        """
        ready, fitting = self.fit(arguments)
        self._session.run(ready, config, fitting)

    @cached_property
    def overloads(self) -> tuple[SourceKernel, ...]:
        """The kernels of its name."""
        named = self._source.overloads(self._name)
        if len(named) <= 1:
            return (self,)
        lines = (each.place.line for each in named)
        return tuple(
            SourceKernel(self._source, self._text, self._session, line, folders=self._folders)
            for line in lines
        )

    def fit(self, arguments: tuple[Any, ...]) -> tuple[CompiledKernel, list[Any]]:
        """Return the kernel for these arguments, and what it gets for them.

        Raises:
            Refused: it is not C++, or not emulated.
            InvalidLaunch: the arguments do not fit, or those of its template do not follow.
        """
        return choose_overload(self, lambda each: each.fit_alone(arguments))

    def fit_alone(self, arguments: tuple[Any, ...]) -> tuple[CompiledKernel, list[Any]]:
        """Do what `fit` does, without a look at other kernels of the same name.

        Raises:
            Refused: as by `fit`.
            InvalidLaunch: as by `fit`.
        """
        arguments += self._defaults(len(arguments))
        given = tuple(map(type_of_argument, arguments)) if self.declared.template else ()
        refusal = None
        if self._session.reads != "ptx" or not self._compiles:
            try:
                return self._fit_source(given, arguments)
            except Refused as error:
                if not self._compiles:
                    raise
                refusal = error
        compiled = self._as_compiled(given, refusal)
        return compiled.compiled, compiled.fit(arguments)

    def _fit_source(
        self, given: tuple[CType, ...], arguments: tuple[Any, ...]
    ) -> tuple[CompiledKernel, list[Any]]:
        """Return the kernel as its source has it, and what it gets for arguments of these types."""
        ready, types = self._compile(given)
        fitting = [
            part
            for name, kind, value in zip(self.parameters, types, arguments, strict=True)
            for part in fit_argument(name, kind, value)
        ]
        return ready, fitting

    def fit_text(self, text: str) -> tuple[list[WrittenArgument], CompiledKernel, list[Any]]:
        """Return the arguments that a person wrote, and what `fit_alone` makes of them.

        Raises:
            Refused: as by `fit`.
            InvalidLaunch: the text is none of arguments, or they do not fit.
        """
        written = read_arguments(text, self.signature, self.parameters, self.defaults)
        return written, *self.fit_alone(tuple(argument.value for argument in written))

    @property
    def drawn_parameters(self) -> tuple[DrawnParameter, ...]:
        """Its parameters, as `drawing` draws arguments for them."""
        kinds: Sequence[CType | None] = [None] * len(self.declared.parameters)
        with suppress(Refused, InvalidLaunch):
            _, kinds = self._compile(())
        return tuple(map(_describe, self.declared.parameters, kinds))


class CompiledSource(Launchable):
    """A kernel of a source whose parameters only a compiler knows."""

    def __init__(self, kernel: PtxKernel, session: ScriptSession) -> None:
        self._kernel = kernel
        self._session = session

    def __repr__(self) -> str:
        return f"<CUDA C++ kernel {self._kernel.signature}>"

    def launch(self, config: Config, arguments: tuple[Any, ...]) -> None:
        """Launch it in the session.

        Raises:
            SimtError: it is not emulated, or the arguments do not fit.
        """
        fitting = self._kernel.fit(arguments)
        self._session.run(self._kernel.compiled, config, fitting)


def compile_asked(
    source: CudaSource,
    text: str,
    refusal: Refused | None,
    reads: Reads,
    folders: Sequence[str] = (),
) -> PtxKernel:
    """Compile a kernel of a source; `text` is its name with the arguments of its template.

    Raises:
        Refused: there is no compiler, or what it makes is not emulated.
        InvalidLaunch: there is no such kernel, or no compiler, and the source was not read.
    """
    name, arguments = split_kernel_name(source, text)
    declared = source.find_kernel(name)
    asked = AskedKernel(source, declared, text, arguments, folders=folders)
    return compile_source(asked, refusal, reads)


def is_output(parameter: declared.Parameter) -> bool:
    """Return True if a parameter is a pointer through which something may be stored."""
    match parameter.type:
        case syntax.PointerType(_, syntax.NamedType(_, _, const)) | syntax.ArrayType(
            _, syntax.NamedType(_, _, const)
        ):
            return not const
    return isinstance(parameter.type, syntax.PointerType | syntax.ArrayType)


def _describe(parameter: declared.Parameter, kind: CType | None) -> DrawnParameter:
    """Describe a parameter by its type, where that is known, else by the name of its type."""
    array = isinstance(kind, PointerTo)
    target = kind.target if isinstance(kind, PointerTo) else kind
    match parameter.type if kind is None else None:
        case syntax.PointerType(_, syntax.NamedType(_, written)) | syntax.ArrayType(
            _, syntax.NamedType(_, written)
        ):
            target, array = BUILT_IN.get(written.parts[-1].identifier), True
        case syntax.NamedType(_, written):
            target = BUILT_IN.get(written.parts[-1].identifier)
        case _ if kind is None:
            array = True
    dtype = _name_elements(target) or ("f32" if array else "i32")
    members = () if array or not isinstance(target, StructType) else target.named
    names = tuple(each.name for each in members)
    return DrawnParameter(parameter.name, dtype, array, array and not is_output(parameter), names)


def _name_elements(kind: CType | None) -> str:
    """Name the numbers that a type has, as a person writes them; "" if that is not known."""
    if kind is None:
        return ""
    first = next(iter(number_types(kind)), None)
    found = (name for name, dtype in DTYPES.items() if dtype == first)
    return narrow_name(kind) or next(found, "")


_Fitting = TypeVar("_Fitting")


def choose_overload(kernel: SourceKernel, fit: Callable[[SourceKernel], _Fitting]) -> _Fitting:
    """Return what `fit` makes of the one kernel of this name that takes the arguments.

    Raises:
        InvalidLaunch: the only kernel of this name does not take them, or none of several does, or
            more than one.
    """
    overloads, fitting = kernel.overloads, list[_Fitting]()
    if len(overloads) == 1:
        return fit(overloads[0])
    for each in overloads:
        with suppress(InvalidLaunch):
            fitting.append(fit(each))
    if len(fitting) == 1:
        return fitting[0]
    name, signatures = kernel.declared.name, "; ".join(each.signature for each in overloads)
    if not fitting:
        raise InvalidLaunch(fact("cpp.overload-none", name=name, signatures=signatures))
    raise InvalidLaunch(fact("cpp.overload-several", name=name, signatures=signatures))


def split_kernel_name(
    source: CudaSource, text: str
) -> tuple[str, tuple[syntax.TemplateArgument, ...]]:
    """Return a kernel's name and the arguments of its template.

    Raises:
        InvalidLaunch: it is not a kernel's name, or there is no such kernel.
    """
    bare = text.partition("<")[0].strip()
    kernel = source.find_kernel(bare)
    if bare == text.strip():
        return bare, ()
    if kernel.template is None:
        raise InvalidLaunch(fact("cpp.not-a-template", kernel=describe_kernel(kernel)))
    try:
        return bare, parse_arguments(source, kernel, text)
    except Refused as error:
        raise _not_a_name(text, error) from None


def parse_arguments(
    source: CudaSource, kernel: declared.Function, text: str
) -> tuple[syntax.TemplateArgument, ...]:
    """Return the arguments of a kernel's template, as they stand behind its name in a text.

    Raises:
        Refused: they name what the front end does not know; the place is in the text.
    """
    _, sign, written = text.strip().partition("<")
    name = source.parsed.parse_name(qualified_name(kernel) + sign + written)
    return name.parts[-1].arguments or ()


def _not_a_name(text: str, error: Refused) -> InvalidLaunch:
    return InvalidLaunch(fact("cpp.kernel-name", text=text, why=error.what), error.instead)
