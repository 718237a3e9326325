"""Runs a whole program: compiles its host part, starts it, and runs its launches in a session."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple, Self, TextIO

from grader.facts import fact
from grader.lifeline import NONE
from grader.simt.cuda.lowering.kernel import (
    CudaSource,
    describe_kernel,
    lower_kernel,
    name_parameters,
)
from grader.simt.cuda.lowering.templates.parameters import describe_argument
from grader.simt.cuda.syntax import TemplateArgument
from grader.simt.errors import DeviceRefusal, DriverError, InvalidLaunch, Refused, SimtError
from grader.simt.host.files.modules import SourceFiles, parse_arguments
from grader.simt.host.files.ptx_kernels import AskedKernel, compile_source
from grader.simt.host.progress import saying_what_is_done
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.streams import ScriptPlace
from grader.simt.host.touched import TouchedMemory
from grader.simt.launches.reports import Launch
from grader.simt.launches.resources import MOST_SHARED, MOST_THREADS, most_dynamic_bytes
from grader.simt.memory.allocations import Heap, HeapPointer
from grader.simt.native.arguments import KernelParameters, decode_arguments
from grader.simt.native.code_lines import CodeLines
from grader.simt.native.compiling import compile_program
from grader.simt.native.device_memory import DeviceMemory
from grader.simt.native.early import EarlyTouches
from grader.simt.native.failures import Failures, describe_sticky, find_launch_error
from grader.simt.native.messages import (
    BrokenMessage,
    Copied,
    Crashed,
    Explained,
    Failed,
    KernelQuestion,
    LaunchRequest,
    Looked,
    Note,
    OnCpu,
    Operated,
    Ordered,
    SymbolPlaced,
    Timed,
    Touched,
    TouchedSpan,
    Waited,
    answer,
    receive,
    send,
)
from grader.simt.native.ordering import ProgramStreams
from grader.simt.program.kernel import CompiledKernel, Program

_INVALID_VALUE, _COOPERATIVE_TOO_LARGE, _INVALID_CLUSTER = 1, 720, 912
"""Errors of CUDA."""
_NULL_PAGE = 1 << 16
"""Addresses that no process has, around that of a null pointer."""
_MOST_READ = 1 << 16
"""Bytes of output that are read at once."""


def run_program(
    files: SourceFiles,
    source: CudaSource,
    arguments: Sequence[str],
    session: ScriptSession,
    asked: Mapping[str, Any],
) -> int:
    """Compile and run a program; return its exit status, or the negative signal that ended it.

    Args:
        asked: `defines`, `lifeline`, and `folder`, see `grader.simt.host.files.sources.run_source`.

    Raises:
        Refused: it does not compile, or a kernel that it launches is not emulated.
        InvalidLaunch: there is no compiler, or a launch cannot be.
    """
    with HostProgram(files, source, session, asked) as program:
        return program.run(arguments)


class HostProgram:
    """A program that is compiled once and may be run several times.

    Use it as a context manager; for the arguments see `run_program`.
    """

    def __init__(
        self,
        files: SourceFiles,
        source: CudaSource,
        session: ScriptSession,
        asked: Mapping[str, Any],
    ) -> None:
        self._files, self._source, self._session, self._asked = files, source, session, asked

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory(dir=self._asked["folder"])
        try:
            with saying_what_is_done(fact("progress.compiling", file=self._files.path)):
                self._executable = compile_program(
                    self._files, Path(self._folder.name), self._asked["defines"]
                )
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def run(self, arguments: Sequence[str]) -> int:
        """Run it; return its exit status, or the negative signal that ended it.

        Raises:
            Refused: a kernel that it launches is not emulated.
            InvalidLaunch: a launch cannot be.
        """
        folders = list(map(str, self._files.folders))
        host = _Host(self._executable, self._source, self._session, folders)
        return host.run(arguments, self._asked["lifeline"])


class _HostKernel(NamedTuple):
    """A kernel that the program launches, and what makes its arguments of bytes."""

    compiled: CompiledKernel
    decode: Callable[[Sequence[bytes], Heap], list[Any]]


class _Host:
    """A running program, and the kernels that it has launched."""

    def __init__(
        self,
        executable: Path,
        source: CudaSource,
        session: ScriptSession,
        folders: Sequence[str] = (),
    ) -> None:
        self._executable = executable
        self._source = source
        self._folders = folders
        self._session = session
        lines = self._lines = CodeLines(executable, source.files)
        self._memory = DeviceMemory(lines)
        self._failures = Failures(session, lines, self._memory.heap)
        self._touches = EarlyTouches(lines, source.files, session, self._memory)
        self._streams = ProgramStreams(self._memory.heap, lines)
        self._kernels: dict[tuple[str, int], _HostKernel] = {}
        self._opted: dict[tuple[str, int], int] = {}
        self._outputs: dict[int, tuple[IO[bytes], TextIO]] = {}

    def run(self, arguments: Sequence[str], lifeline: int) -> int:
        messages, messages_end = os.pipe()
        answers_end, answers = os.pipe()
        ends = (messages_end, answers_end)
        descriptors = (*ends, self._memory.file)
        told = " ".join(map(str, (*descriptors, lifeline)))
        environment = {**os.environ, "QUIZ_PROGRAM": told}
        on_terminal = sys.stdout.isatty() or sys.stderr.isatty()
        if on_terminal:
            environment["QUIZ_TERMINAL"] = "1"
        output = subprocess.PIPE if on_terminal else None
        child = subprocess.Popen(
            [str(Path(self._source.path).with_suffix("")), *arguments],
            executable=self._executable,
            pass_fds=(*descriptors, *({lifeline} - {NONE})),
            stdout=output,
            stderr=output,
            env=environment,
        )
        for end in ends:
            os.close(end)
        if on_terminal:
            assert child.stdout is not None  # both are pipes
            assert child.stderr is not None
            self._outputs = {
                child.stdout.fileno(): (child.stdout, sys.stdout),
                child.stderr.fileno(): (child.stderr, sys.stderr),
            }
        try:
            try:
                with saying_what_is_done(fact("progress.host")) as self._has_launched:
                    self._serve(messages, answers)
            finally:
                self._failures.report()
                self._session.say_findings()
            return self._finish(child)
        except BrokenMessage:
            raise InvalidLaunch(fact("program.broken")) from None
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
            os.close(messages)
            os.close(answers)
            self._memory.close()

    def _finish(self, child: subprocess.Popen[bytes]) -> int:
        """Wait for the end of a program; of one that gives up, say why its last call failed."""
        while self._outputs:
            self._pass_on(list(self._outputs))
        status = child.wait()
        if status > 0:
            self._failures.say_reason()
        return status

    def _serve(self, messages: int, answers: int) -> None:
        """Handle the program's messages, until it ends."""
        while True:
            ready, _, _ = select.select([messages, *self._outputs], [], [])
            self._pass_on([output for output in ready if output != messages])
            if messages not in ready:
                continue
            self._drain()  # what was printed before a launch comes before what its threads print
            message = receive(messages)
            if message is None:
                return
            if isinstance(message, KernelQuestion):
                send(answers, self._describe(message))
            elif isinstance(message, LaunchRequest):
                self._has_launched()
                self._touches.begin()
                error, touched = self._launch(message)
                with contextlib.suppress(BrokenPipeError):
                    answer(answers, error, touched)
            elif isinstance(message, Touched):
                send(answers, (self._touches.report(message),))
            elif isinstance(message, Waited):
                over = self._touches.end()
                send(answers, (len(over), *over))
            else:
                self._note(message)

    def _note(self, message: Note) -> None:
        """Keep what a program says of its memory and of its calls, or why it ends."""
        match message:
            case SymbolPlaced():
                self._place_symbol(message)
            case Explained():
                self._failures.explain(message)
            case Failed():
                self._failures.add(message)
            case Looked():
                self._failures.forget()
            case Timed():
                self._streams.time(message)
            case Ordered():
                self._streams.order(message)
            case Operated():
                self._touches.begin()
                self._streams.issue(message)
                self._touches.note(message, self._streams.current)
            case OnCpu():
                self._session.on_cpu.append(message.library)
            case Crashed():
                self._explain(message)
            case _:
                self._memory.note(message)
                self._touch(message)

    def _touch(self, copied: Note) -> None:
        """Keep how far a copy within the device has gone, if somebody will ask."""
        touched = self._session.touched
        if touched is None or not isinstance(copied, Copied) or not copied.source:
            return
        ends = ((copied.start, copied.rows, "store"), (copied.source, copied.origin, "load"))
        for pointer, rows, kind in ends:
            block = self._memory.heap.find(pointer)
            if block is not None and rows.height:
                known = touched.get(block.start, TouchedMemory())
                last = rows.first + (rows.height - 1) * rows.pitch + rows.width
                touched[block.start] = known.reach(last, kind)

    def _explain(self, crashed: Crashed) -> None:
        """Say what has ended the program, where that is known."""
        at = self._lines.find(crashed.frames)
        if crashed.called:
            what = fact("program.functor-pointer")
        elif crashed.unknown and not crashed.address:
            what = fact("program.device-pointer")
        elif (freed := self._memory.find_freed_line(crashed.address)) is not None:
            what = fact("program.freed", line=freed)
        elif at is not None:
            null = fact("program.null-pointer")
            what = null if crashed.address < _NULL_PAGE else fact("program.wrong-address")
        else:
            return
        place = self._source.path if at is None else f"{at.file}:{at.line}"
        print(f"{place}: {what}", file=sys.stderr, flush=True)

    def _place_symbol(self, placed: SymbolPlaced) -> None:
        """Map a variable of device memory, which may be one of a template."""
        block = self._memory.heap.find(placed.start)
        if block is None:
            raise BrokenMessage
        try:
            name = self._source.parsed.parse_name(placed.name)
        except Refused:  # of a library that only a compiler reads
            self._source.symbols[placed.name] = block.data
            return
        given = name.parts[-1].arguments
        written = f"<{', '.join(map(describe_argument, given))}>" if given else ""
        self._source.symbols[name.spelled + written] = block.data

    def _pass_on(self, ready: Sequence[int]) -> None:
        """Write what the program has printed to our own outputs."""
        for output in ready:
            stream, target = self._outputs[output]
            data = os.read(output, _MOST_READ)
            if not data:
                del self._outputs[output]
                stream.close()
                continue
            target.write(data.decode("utf-8", "replace"))
            target.flush()

    def _drain(self) -> None:
        while self._outputs:
            ready, _, _ = select.select(list(self._outputs), [], [], 0)
            if not ready:
                return
            self._pass_on(ready)

    def _describe(self, asked: KernelQuestion) -> tuple[int, int, int, int]:
        """Return a kernel's bytes of shared and local memory, most threads, and most dynamic bytes.

        It first opts in to dynamic shared memory as it asks for, if a device has so much.
        """
        name = asked.kernel, asked.line
        try:
            program = self._kernel(*name).compiled.program
        except SimtError:  # a launch would say why
            program = Program()
        static, most_threads = program.shared_bytes, program.most_threads or MOST_THREADS
        if asked.opted is not None and static + asked.opted <= MOST_SHARED:
            self._opted[name] = asked.opted
        most_dynamic = most_dynamic_bytes(static, self._opted.get(name))
        return static, program.local_bytes, most_threads, most_dynamic

    def _remember(self, ready: CompiledKernel, values: Sequence[Any], done: Launch) -> None:
        """Keep what a launch did to memory, if somebody will ask who wrote it."""
        if self._session.keeps_writers:
            for name, value in zip(ready.function.parameters, values, strict=True):
                if isinstance(value, HeapPointer) and name in ready.compiled.stored:
                    self._session.writers[value.start] = done, name
        if self._session.touched is not None:
            for name, value in zip(ready.function.parameters, values, strict=True):
                if isinstance(value, HeapPointer):
                    known = self._session.touched.get(value.start, TouchedMemory())
                    accessed = done.accessed_elements(name)
                    self._session.touched[value.start] = known.add(accessed, value.array.itemsize)

    def _launch(self, request: LaunchRequest) -> tuple[int, Sequence[TouchedSpan]]:
        """Run a launch; return its error for the program, and what the host is to wait for."""
        kernel, heap = self._kernel(request.kernel, request.line), self._memory.heap
        values = kernel.decode(request.arguments, heap)
        place = ScriptPlace(request.caller, request.caller_line)
        cluster = request.cluster if any(request.cluster) else None
        parameters = kernel.compiled.function.parameters
        pointers = [
            (name, value)
            for name, value in zip(parameters, values, strict=True)
            if isinstance(value, HeapPointer)
        ]
        of_host = [each for each in pointers if self._memory.space_of(each[1].start) != "device"]
        config = Config(
            request.grid, request.block, request.shared, self._streams.current, heap=heap,
            caller=place, cluster=cluster, everywhere=bool(of_host),
            cooperative=request.cooperative,
            opted_in=self._opted.get((request.kernel, request.line)),
        )  # fmt: skip
        try:
            done = self._session.run(kernel.compiled, config, values)
            self._remember(kernel.compiled, values, done)
        except DeviceRefusal as error:
            if error.what.code.startswith("launch.cluster"):
                return _INVALID_CLUSTER, ()
            return _COOPERATIVE_TOO_LARGE if request.cooperative else _INVALID_VALUE, ()
        except Refused as error:  # something that only a launch knows; a site in it has no path
            error.file = error.file or kernel.compiled.function.path
            raise
        except DriverError as error:
            print(error, file=sys.stderr, flush=True)
            return -error.number, ()
        finally:
            sys.stdout.flush()
        ended = find_launch_error(done, {name: value.array.nbytes for name, value in pointers})
        if ended is not None:  # told at once: a host that looks at no error may never end
            at = ended.finding
            where = f"{at.file or kernel.compiled.function.path}:{at.line}"
            print(f"{where}: {describe_sticky(ended)}", file=sys.stderr, flush=True)
        return -ended.number if ended else 0, self._touches.note_launch(
            self._streams.current, place, done, of_host
        )

    def _kernel(self, name: str, line: int) -> _HostKernel:
        """Return a kernel, lowered and described at its first launch."""
        if (name, line) not in self._kernels:
            self._kernels[name, line] = self._lower(name, line)
        return self._kernels[name, line]

    def _lower(self, name: str, line: int) -> _HostKernel:
        bare, refusal, reads = name.partition("<")[0], None, self._session.reads
        declared = self._source.find_kernel(bare, line)
        arguments: Sequence[TemplateArgument] = ()
        try:
            arguments = parse_arguments(self._source, declared, name)
        except Refused as error:  # types of headers that only a compiler reads
            what = fact("cpp.kernel-name", text=name, why=error.what)
            at = declared.place
            refusal = Refused(what, at.line, at.column, error.instead, at.path)
        if refusal is None and reads != "ptx":
            try:
                compiled, types = lower_kernel(self._source, bare, arguments, line=line)
            except Refused as error:
                refusal = error
            else:
                names = name_parameters(declared, len(types))
                parameters = KernelParameters(describe_kernel(declared), names, types)
                return _HostKernel(compiled, partial(decode_arguments, parameters))
        asked = AskedKernel(self._source, declared, name, arguments, folders=self._folders)
        found = compile_source(asked, refusal, reads)
        if found.types is None:
            return _HostKernel(found.compiled, found.decode)
        types = found.types
        parameters = KernelParameters(found.signature, found.parameters, types)

        def decode(arguments: Sequence[bytes], heap: Heap) -> list[Any]:
            return found.place(decode_arguments(parameters, arguments, heap), types)

        return _HostKernel(found.compiled, decode)
