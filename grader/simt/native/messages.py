"""What a running program sends: `include/quiz_runtime.h` writes it, in 64-bit numbers and bytes."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from grader.simt.memory.written import WrittenRows

MOST_BYTES = 1 << 24
"""Of a message: arguments of a launch have at most 32 KB."""
_NOT_OPTED = 1 << 31
_SPACES = ("device", "managed", "pinned")
OPERATED = ("copy", "set", "allocation", "free")
"""Operations of streams, as `Operation` in `include/quiz_runtime.h` numbers them."""


class BrokenMessage(Exception):
    """These bytes are not a message of the runtime: the program wrote into its pipe."""


class LaunchRequest(NamedTuple):
    """A launch.

    Attributes:
        file, line: where the kernel's name stands.
        cluster: the same, of blocks; zeros if the launch does not say.
        shared: bytes of dynamic shared memory.
        cooperative: whether the whole grid may synchronize.
        arguments: the bytes of each.
    """

    kernel: str
    file: str
    line: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared: int
    cooperative: bool
    caller: str
    caller_line: int
    arguments: tuple[bytes, ...]


class KernelQuestion(NamedTuple):
    """The program asks what a kernel needs and may have; see `LaunchRequest`.

    Attributes:
        opted: bytes of dynamic shared memory that it opts in to before; None: it only asks.
    """

    kernel: str
    file: str
    line: int
    opted: int | None


class Allocated(NamedTuple):
    """Memory that was allocated: the pointer to it, and where it lies in the shared file."""

    start: int
    offset: int
    size: int
    space: str


class Released(NamedTuple):
    """Memory that was freed, and where: see `Operated`."""

    start: int
    frames: tuple[int, ...]


class SymbolPlaced(NamedTuple):
    """A variable of the device with its template arguments, and the allocation that holds it."""

    start: int
    name: str


class Copied(NamedTuple):
    """Rows of an allocation that were written by a copy, or set.

    Attributes:
        start: the pointer to the allocation.
        rows: of it.
        source: the pointer to the allocation that they are copied from; 0 for other memory.
    """

    start: int
    rows: WrittenRows
    source: int
    origin: WrittenRows


class Crashed(NamedTuple):
    """A signal that ends the program.

    Attributes:
        unknown: whether no process can have such an address.
        called: whether an algorithm on the CPU was calling functors of the device.
    """

    signal: int
    address: int
    unknown: bool
    called: bool
    frames: tuple[int, ...]


class Timed(NamedTuple):
    """The program has asked for the time from one event to another.

    Attributes:
        frames: see `Operated`.
    """

    event: int
    frames: tuple[int, ...]


class Failed(NamedTuple):
    """A call has failed whose result nobody took: its error, and where it is."""

    error: int
    call: str
    file: str
    line: int


class Looked(NamedTuple):
    """The program has asked for the last error, and there is one."""


class TextureMade(NamedTuple):
    """A texture object, or a surface object.

    Attributes:
        size: elements along each axis; 0 where it has no such axis.
        pitch: bytes of a row.
        rows: rows of a slice, or of a layer.
        flags: of its array, as CUDA numbers them, and whether it is linear memory.
        channels: of an element.
        bits: of a channel.
        kind: of a channel: 0 signed, 1 unsigned, 2 floating-point.
        modes: how coordinates beyond it are mapped.
        filters, normalizes, is_normalized: how it is read.
    """

    handle: int
    pointer: int
    size: tuple[int, int, int]
    pitch: int
    rows: int
    flags: int
    channels: int
    bits: int
    kind: int
    modes: tuple[int, int, int]
    filters: bool
    normalizes: bool
    is_normalized: bool
    border: tuple[float, ...]


class TextureEnded(NamedTuple):
    """A texture object that was destroyed."""

    handle: int


class OnCpu(NamedTuple):
    """The program has called a library that runs on the CPU."""

    library: str


class Touched(NamedTuple):
    """The host has touched memory that an operation may still touch; it waits for an answer.

    Attributes:
        writes: whether it was surely written.
        frames: the offsets of the code that did in the program, innermost first.
    """

    address: int
    writes: bool
    frames: tuple[int, ...]


class Waited(NamedTuple):
    """The host has waited, and asks which of the operations are over that it could touch."""


class Ordered(NamedTuple):
    """What orders operations of streams; see `Order` in `include/quiz_runtime.h`."""

    what: int
    first: int
    second: int


class PitchedRows(NamedTuple):
    """Rows of memory, from a pointer on; a null pointer is nowhere."""

    pointer: int
    pitch: int
    width: int
    height: int


class Operated(NamedTuple):
    """An operation was issued to the stream that was told last.

    Attributes:
        what: one of `OPERATED`.
        target, origin: what it wrote, and what it read.
        frames: the offsets of the code that called, innermost first.
    """

    what: str
    target: PitchedRows
    origin: PitchedRows
    frames: tuple[int, ...]


class Explained(NamedTuple):
    """Why a call fails.

    Attributes:
        reason: see `Reason` in `include/quiz_runtime.h`.
        asked, left: bytes that were asked for, and those that its allocation has from there on.
        frames: see `Operated`.
    """

    reason: int
    pointer: int
    asked: int
    left: int
    frames: tuple[int, ...]


MemoryNote = Allocated | Released | Copied | TextureMade | TextureEnded
"""What is of the memory that kernels can reach."""
Note = (
    MemoryNote | SymbolPlaced | Crashed | Timed | Failed | Looked | OnCpu | Ordered | Operated
    | Explained
)  # fmt: skip
"""What needs no answer."""
Message = LaunchRequest | KernelQuestion | Touched | Waited | Note


def receive(descriptor: int) -> Message | None:
    """Read the next message; None once the program has ended.

    Raises:
        BrokenMessage: it is not a message.
    """
    head = _read(descriptor, 8)
    if head is None:
        return None
    (size,) = struct.unpack("<Q", head)
    if size > MOST_BYTES:
        raise BrokenMessage
    body = _read(descriptor, size)
    return None if body is None else _decode(body)


class TouchedSpan(NamedTuple):
    """Addresses that an operation touches: the first one, one after the last, and how."""

    first: int
    last: int
    writes: bool


def answer(descriptor: int, error: int, touched: Sequence[TouchedSpan] = ()) -> None:
    """Answer a launch.

    Args:
        descriptor: the pipe to the program.
        error: a CUDA error code: 0 is success, a negative code is sticky.
        touched: what the host is not to touch before it waits.
    """
    send(descriptor, (error, len(touched), *(number for span in touched for number in span)))


def send(descriptor: int, numbers: Sequence[int]) -> None:
    """Send numbers that the program waits for."""
    os.write(descriptor, struct.pack(f"<{len(numbers)}q", *numbers))


def _read(descriptor: int, size: int) -> bytes | None:
    parts = list[bytes]()
    while size:
        part = os.read(descriptor, size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class _Fields:
    def __init__(self, body: bytes) -> None:
        self._body = body
        self._at = 0

    def number(self) -> int:
        return int(struct.unpack("<Q", self.take(8))[0])

    def take(self, size: int) -> bytes:
        if size > len(self._body) - self._at:
            raise BrokenMessage
        self._at += size
        return self._body[self._at - size : self._at]

    def data(self) -> bytes:
        return self.take(self.number())

    def text(self) -> str:
        return self.data().decode("utf-8", "replace")

    def sizes(self) -> tuple[int, int, int]:
        return self.number(), self.number(), self.number()


def _decode(body: bytes) -> Message:
    fields = _Fields(body)
    decode = _DECODERS.get(fields.number())
    if decode is None:
        raise BrokenMessage
    return decode(fields)


def _allocated(fields: _Fields) -> Allocated:
    start, offset, size, space = (fields.number() for _ in range(4))
    if space >= len(_SPACES):
        raise BrokenMessage
    return Allocated(start, offset, size, _SPACES[space])


def _crashed(fields: _Fields) -> Crashed:
    signal, address, unknown, called = (fields.number() for _ in range(4))
    return Crashed(signal, address, bool(unknown), bool(called), _frames(fields))


def _failed(fields: _Fields) -> Failed:
    return Failed(fields.number(), fields.text(), fields.text(), fields.number())


def _touched(fields: _Fields) -> Touched:
    return Touched(fields.number(), bool(fields.number()), _frames(fields))


def _frames(fields: _Fields) -> tuple[int, ...]:
    return tuple(fields.number() for _ in range(fields.number()))


def _operated(fields: _Fields) -> Operated:
    what = fields.number()
    if what >= len(OPERATED):
        raise BrokenMessage
    target, origin = (PitchedRows(*(fields.number() for _ in range(4))) for _ in range(2))
    return Operated(OPERATED[what], target, origin, _frames(fields))


def _explained(fields: _Fields) -> Explained:
    reason, pointer, asked, left = (fields.number() for _ in range(4))
    return Explained(reason, pointer, asked, left, _frames(fields))


def _copied(fields: _Fields) -> Copied:
    start, first, pitch, source, at, step, width, height = (fields.number() for _ in range(8))
    rows, origin = WrittenRows(first, pitch, width, height), WrittenRows(at, step, width, height)
    return Copied(start, rows, source, origin)


def _texture(fields: _Fields) -> TextureMade:
    handle, pointer, size = fields.number(), fields.number(), fields.sizes()
    pitch, rows, flags, channels, bits, kind = (fields.number() for _ in range(6))
    modes = fields.sizes()
    filters, normalizes, is_normalized = (bool(fields.number()) for _ in range(3))
    border = struct.unpack("<4f", struct.pack("<4I", *(fields.number() for _ in range(4))))
    if max(modes) > 3 or bits not in (8, 16, 32) or kind > 2:
        raise BrokenMessage
    return TextureMade(
        handle, pointer, size, pitch, rows, flags, channels, bits, kind, modes, filters, normalizes,
        is_normalized, border,
    )  # fmt: skip


def _kernel(fields: _Fields) -> tuple[str, str, int]:
    name, file, line = fields.text(), fields.text(), fields.number()
    return _with_template(fields, name), file, line


def _question(fields: _Fields) -> KernelQuestion:
    kernel, opted = _kernel(fields), fields.number()
    return KernelQuestion(*kernel, opted if opted < _NOT_OPTED else None)


def _launch(fields: _Fields) -> LaunchRequest:
    kernel, file, line = _kernel(fields)
    grid, block, cluster, shared = *(fields.sizes() for _ in range(3)), fields.number()
    cooperative, caller, caller_line = bool(fields.number()), fields.text(), fields.number()
    arguments = tuple(fields.data() for _ in range(fields.number()))
    return LaunchRequest(
        kernel, file, line, grid, block, cluster, shared, cooperative, caller, caller_line,
        arguments,
    )  # fmt: skip


def _with_template(fields: _Fields, name: str) -> str:
    """Return a name with the arguments of its template, if it is one."""
    given = [_template_argument(fields.text()) for _ in range(fields.number())]
    return f"{name}<{', '.join(given)}>" if given else name


def _template_argument(text: str) -> str:
    """Return a number, or what a compiler names in `… [with T = float]`.

    A class template is named by its parameter, and by what the compiler calls the kernel.
    """
    if text.startswith("="):
        return text[1:]
    parameter, is_template, kernel = text.partition("?")
    if is_template:
        named = re.search(rf"[\[ ]{parameter} = ([\w:]+)", kernel)
        return named[1] if named else parameter
    found = re.search(r"\[(?:with )?(?:auto )?[TV] = &?(.*)\]$", text)
    return found[1] if found else text


_DECODERS: dict[int, Callable[[_Fields], Message]] = {
    1: _launch,
    2: _allocated,
    3: lambda fields: Released(fields.number(), _frames(fields)),
    4: lambda fields: SymbolPlaced(fields.number(), _with_template(fields, fields.text())),
    5: _crashed,
    6: lambda fields: Timed(fields.number(), _frames(fields)),
    7: _copied,
    8: _failed,
    9: lambda _: Looked(),
    10: _touched,
    11: _question,
    12: lambda fields: OnCpu(fields.text()),
    13: _texture,
    14: lambda fields: TextureEnded(fields.number()),
    15: lambda fields: Ordered(fields.number(), fields.number(), fields.number()),
    16: _operated,
    17: lambda _: Waited(),
    18: _explained,
}
"""By the number of a message; `quiz_runtime.h` has them as `Kind`."""
