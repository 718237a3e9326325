"""Runs a whole program: compiles its host part, starts it, and runs its launches in a session."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TextIO

from grader.facts import fact
from grader.simt.cuda.lowering.kernel import (
    CudaSource,
    describe_kernel,
    lower_kernel,
    name_parameters,
)
from grader.simt.cuda.lowering.types import CType
from grader.simt.errors import DeviceError, DeviceRefusal, InvalidLaunch
from grader.simt.host.modules import SourceFiles, split_kernel_name
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.streams import ScriptPlace
from grader.simt.native.arguments import decode_arguments
from grader.simt.native.compiling import compile_program
from grader.simt.native.device_memory import DeviceMemory
from grader.simt.native.messages import (
    Allocated,
    BrokenMessage,
    Crashed,
    LaunchAsked,
    Released,
    SymbolPlaced,
    answer,
    receive,
)
from grader.simt.program.kernel import CompiledKernel

_INVALID_CONFIGURATION, _ASSERT = 9, 710
"""Errors of CUDA."""
_TAKEN = 1 << 16
"""Bytes of output that are taken at once."""


def run_program(
    files: SourceFiles, source: CudaSource, arguments: Sequence[str], session: ScriptSession
) -> int:
    """Compile and run a program; return its exit status, or the negative signal that ended it.

    Args:
        files: of the program.
        source: the same, parsed.
        arguments: its command line.
        session: runs its launches.

    Raises:
        Refused: it does not compile, or a kernel that it launches is not emulated.
        InvalidLaunch: there is no compiler, or a launch cannot be.
    """
    with TemporaryDirectory(prefix="quiz-") as folder:
        made = compile_program(files, Path(folder))
        return _Host(source, session).run(made, arguments)


class _Host:
    """A running program, and the kernels that it has launched."""

    def __init__(self, source: CudaSource, session: ScriptSession) -> None:
        self._source = source
        self._session = session
        self._memory = DeviceMemory()
        self._kernels: dict[tuple[str, int], tuple[CompiledKernel, tuple[CType, ...]]] = {}
        self._outputs: dict[int, tuple[IO[bytes], TextIO]] = {}

    def run(self, program: Path, arguments: Sequence[str]) -> int:
        asked, asking = os.pipe()
        answered, answering = os.pipe()
        told = f"{asking} {answered} {self._memory.file}"
        environment = {**os.environ, "QUIZ_PROGRAM": told}
        guarded = sys.stdout.isatty() or sys.stderr.isatty()
        if guarded:
            environment["QUIZ_TERMINAL"] = "1"
        output = subprocess.PIPE if guarded else None
        child = subprocess.Popen(  # noqa: S603 - a list, no shell
            [str(Path(self._source.path).with_suffix("")), *arguments],
            executable=program,
            pass_fds=(asking, answered, self._memory.file),
            stdout=output,
            stderr=output,
            env=environment,
        )
        os.close(asking)
        os.close(answered)
        if guarded:
            assert child.stdout is not None  # asked for
            assert child.stderr is not None
            self._outputs = {
                child.stdout.fileno(): (child.stdout, sys.stdout),
                child.stderr.fileno(): (child.stderr, sys.stderr),
            }
        try:
            self._serve(asked, answering)
            while self._outputs:
                self._pass_on(list(self._outputs))
            return child.wait()
        except BrokenMessage:
            raise InvalidLaunch(fact("program.broken")) from None
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
            os.close(asked)
            os.close(answering)
            self._memory.close()

    def _serve(self, asked: int, answering: int) -> None:
        """Do what the program asks for, until it ends."""
        while True:
            ready, _, _ = select.select([asked, *self._outputs], [], [])
            self._pass_on([each for each in ready if each != asked])
            if asked not in ready:
                continue
            self._drain()  # what was printed before a launch comes before what its threads print
            message = receive(asked)
            if message is None:
                return
            if isinstance(message, LaunchAsked):
                with contextlib.suppress(BrokenPipeError):
                    answer(answering, self._launch(message))
            else:
                self._note(message)

    def _note(self, message: Allocated | Released | SymbolPlaced | Crashed) -> None:
        """Keep what a program says of its memory, or why it ends."""
        match message:
            case Allocated():
                self._memory.allocate(message)
            case Released():
                self._memory.release(message.start)
            case SymbolPlaced():
                block = self._memory.heap.find(message.start)
                if block is None:
                    raise BrokenMessage
                self._source.symbols[message.name] = block.data
            case Crashed() if message.unknown and not message.address:
                what = fact("program.device-pointer")
                print(f"{self._source.path}: {what}", file=sys.stderr, flush=True)

    def _pass_on(self, ready: Sequence[int]) -> None:
        for each in ready:
            stream, target = self._outputs[each]
            data = os.read(each, _TAKEN)
            if not data:
                del self._outputs[each]
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

    def _launch(self, asked: LaunchAsked) -> int:
        """Run a launch; return the error that the program gets."""
        ready, kinds = self._kernel(asked.kernel, asked.line)
        kernel = self._source.find_kernel(asked.kernel.partition("<")[0], asked.line)
        values = decode_arguments(
            describe_kernel(kernel), name_parameters(kernel), kinds, asked.arguments,
            self._memory.heap,
        )  # fmt: skip
        place = ScriptPlace(asked.caller, asked.caller_line)
        config = Config(asked.grid, asked.block, asked.shared, heap=self._memory.heap, caller=place)
        try:
            self._session.run(ready, config, values)
        except DeviceRefusal:
            return _INVALID_CONFIGURATION
        except DeviceError as error:
            print(error, file=sys.stderr, flush=True)
            return -_ASSERT
        finally:
            sys.stdout.flush()
        return 0

    def _kernel(self, name: str, line: int) -> tuple[CompiledKernel, tuple[CType, ...]]:
        if (name, line) not in self._kernels:
            bare, arguments = split_kernel_name(self._source, name)
            ready = lower_kernel(self._source, bare, arguments, line=line)
            self._kernels[name, line] = ready
        return self._kernels[name, line]
