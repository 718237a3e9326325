"""The order of what the host issues: streams, events, and operations without synchronization.

Operations of one stream come one after the other. An operation of the default stream comes after
all before it and before all after it, in every stream that waits for it, as those of
`cuda.stream()` do and those of `cudaStreamNonBlocking` do not. Between other streams only events
order, and the host, which orders all that it has waited for before all that it asks for next.
Everything is done at once here, in the order in which it is asked for; what is kept is which
operations a device might do in another order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.launches.arguments import span_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_THEIRS = str(Path(__file__).resolve().parents[2]), str(Path(np.__file__).parent)
_KEPT = 256
"""The operations that are compared; older ones are forgotten."""
_DEFAULT = 0
UNNAMED = "the array"
"""The name of memory that an operation touches which is no kernel."""
Touch = Literal["load", "store", "atomic"]
Clock = dict[int, int]
"""By stream, the number of its last operation ordered before."""


@dataclass(frozen=True, eq=False)
class StreamAccess:
    """The elements that an operation touches.

    Attributes:
        array: where they lie; its values mean nothing.
        which: those of them, in the array's shape; None: all.
    """

    name: str
    array: NDArray[Any]
    touch: Touch
    which: NDArray[np.bool_] | None = None

    @cached_property
    def ranges(self) -> NDArray[np.int64]:
        """The bytes that it touches: (2, ranges), where each begins and ends, in order, apart."""
        first, last = span_of(self.array)
        if self.array.flags.c_contiguous:
            if self.which is None:
                return np.array([[first], [last]])
            marks = np.concatenate(([False], self.which.reshape(-1), [False]))
            edges = np.flatnonzero(marks[1:] != marks[:-1])
            return first + edges.reshape(-1, 2).T * self.array.itemsize
        starts = np.sort(self.addresses())
        ends = starts + self.array.itemsize
        apart = starts[1:] > ends[:-1]
        begins, stops = np.append(True, apart), np.append(apart, True)
        return np.stack((starts[begins[: len(starts)]], ends[stops[: len(starts)]]))

    def addresses(self) -> NDArray[np.int64]:
        """Return the address of each element."""
        found = np.full(self.array.shape, self.array.__array_interface__["data"][0], np.int64)
        for axis, (size, stride) in enumerate(
            zip(self.array.shape, self.array.strides, strict=True)
        ):
            shape = [1] * self.array.ndim
            shape[axis] = size
            found += (np.arange(size, dtype=np.int64) * stride).reshape(shape)
        return found.ravel() if self.which is None else found[self.which]

    def count_conflicts(self, other: StreamAccess) -> int:
        """Count the elements that both touch and at least one writes."""
        if self.touch == other.touch != "store":
            return 0
        (starts, ends), (others, last) = self.ranges, other.ranges
        apart = not starts.size or not others.size
        if apart or starts[0] >= last[-1] or others[0] >= ends[-1]:
            return 0
        common = int((other.bytes_before(ends) - other.bytes_before(starts)).sum())
        return -(-common // max(self.array.itemsize, other.array.itemsize))

    def bytes_before(self, addresses: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many of the bytes that it touches are before each address."""
        starts, ends = self.ranges
        if not starts.size:
            return np.zeros_like(addresses)
        sums = np.cumsum(ends - starts)
        at = np.searchsorted(starts, addresses, "right") - 1
        behind = np.minimum(addresses, ends[at]) - ends[at]
        return np.where(at < 0, 0, sums[at] + behind)


class ScriptPlace(NamedTuple):
    """A line of the script."""

    file: str
    line: int


@dataclass(frozen=True, eq=False)
class StreamOperation:
    """An operation that was issued to a stream.

    Attributes:
        number: among those of its stream, from 1.
        what: `kernel`, `copy`, or `set`.
    """

    stream: Stream
    number: int
    what: str
    accesses: Sequence[StreamAccess]
    find_place: Callable[[], ScriptPlace]

    @cached_property
    def touches(self) -> frozenset[tuple[Touch, bytes]]:
        """What it touches, and how."""
        return frozenset((each.touch, each.ranges.tobytes()) for each in self.accesses)

    @property
    def place(self) -> ScriptPlace:
        """The line that issued it."""
        return self.find_place()


@dataclass(frozen=True, eq=False)
class UnorderedPair:
    """Two operations, or one and the host, that touch the same elements without synchronization.

    Attributes:
        later: None for the host itself.
        name: of the array.
    """

    later: StreamOperation | None
    earlier: StreamOperation
    name: str
    count: int
    place: ScriptPlace


class EarlyTime(NamedTuple):
    """The host asks for the time of an event that it has not waited for."""

    place: ScriptPlace


class Timeline:
    """Tracks the order of operations.

    Attributes:
        tell: receives what the host does, or two operations do, without synchronization.
        timed: True once the host has asked for the time between two events.
    """

    def __init__(self) -> None:
        self.restart(lambda _: None)

    def restart(self, tell: Callable[[UnorderedPair | EarlyTime], None]) -> None:
        """Forget all operations."""
        self.tell = tell
        self.timed = False
        self._issued: Clock = {}
        self._clocks: dict[int, Clock] = {}
        self._waiting = set[int]()
        self._host: Clock = {}
        self._alone = False
        self._log: list[StreamOperation] = []
        self._copies: list[StreamOperation] = []

    def follows(self, stream: Stream) -> bool:
        """Return True if it matters what an operation of a stream touches."""
        return self._alone or stream.number != _DEFAULT

    def begin(self, stream: Stream) -> None:
        """Note that there is a stream."""
        self._alone |= not stream.waits and stream.launched_in is None

    def issue(
        self,
        stream: Stream,
        what: str,
        accesses: Sequence[StreamAccess],
        find_place: Callable[[], ScriptPlace] | None = None,
    ) -> StreamOperation:
        """Issue an operation to a stream; what finds its line is given unless it is a script's."""
        self.begin(stream)
        number = self._issued.get(stream.number, 0) + 1
        self._issued[stream.number] = number
        if find_place is None:
            find_place = partial(_as_is, caller())
        now = StreamOperation(stream, number, what, accesses, find_place)
        clock = self._clock(stream)
        _join(clock, self._host)
        clock[stream.number] = number
        if not self.follows(stream):
            self._log.clear()
            return now
        for other in self._log:
            if other.number > clock.get(other.stream.number, 0):
                self._compare(now, other)
        self._log = [*self._without_same(now)[-_KEPT:], now]
        return now

    def _without_same(self, now: StreamOperation) -> list[StreamOperation]:
        """Return the operations but those of its stream that touch the same.

        What is not ordered behind one of those is not ordered behind this one, either.
        """
        return [
            each
            for each in self._log
            if each.stream.number != now.stream.number or each.touches != now.touches
        ]

    def _clock(self, stream: Stream) -> Clock:
        """Return what the next operation of a stream comes after, but for what the host knows."""
        known = self._clocks.setdefault(stream.number, {})
        if stream.number == _DEFAULT:
            for clock in [self._clocks[each] for each in self._waiting]:
                _join(known, clock)
        elif stream.waits:
            self._waiting.add(stream.number)
            _join(known, self._clocks.get(_DEFAULT, {}))
        return known

    def leaves_to_host(self, copy: StreamOperation) -> None:
        """Let a copy to or from pinned memory go on while the host does."""
        self._copies.append(copy)

    def host_touches(self, array: NDArray[Any], touch: Touch) -> None:
        """Note that the host reads or writes pinned memory."""
        access = StreamAccess("pinned memory", array, touch)
        for copy in self._open(self._copies):
            count = sum(access.count_conflicts(other) for other in copy.accesses)
            if count:
                self.tell(UnorderedPair(None, copy, access.name, count, caller()))

    def host_waits(self, stream: Stream) -> None:
        """Let the host wait until a stream has finished."""
        self.host_knows(self.mark(stream))

    def host_waits_for_all(self) -> None:
        """Let the host wait until all streams have finished."""
        self.host_knows(self._issued)

    def _open(self, operations: Sequence[StreamOperation]) -> list[StreamOperation]:
        """Keep the operations that the host does not know to have ended."""
        return [
            operation
            for operation in operations
            if operation.number > self._host.get(operation.stream.number, 0)
        ]

    def mark(self, stream: Stream) -> Clock:
        """Return what an event that is recorded now comes after."""
        return {**self._clock(stream), stream.number: self._issued.get(stream.number, 0)}

    def latest(self, stream: Stream) -> Clock:
        """Return the number of the last operation that was issued to a stream."""
        return {stream.number: self._issued.get(stream.number, 0)}

    def is_over(self, mark: Mapping[int, int]) -> bool:
        """Return True if the host knows that what a mark holds has ended."""
        return all(number <= self._host.get(stream, 0) for stream, number in mark.items())

    def time(
        self, mark: Mapping[int, int], find_place: Callable[[], ScriptPlace] | None = None
    ) -> None:
        """Note that the host asks for the time of an event; for `find_place` see `issue`."""
        self.timed = True
        if not self.is_over(mark):
            self.tell(EarlyTime((find_place or caller)()))

    def stream_waits(self, stream: Stream, mark: Mapping[int, int]) -> None:
        """Let a stream wait for an event."""
        _join(self._clock(stream), mark)

    def host_knows(self, mark: Mapping[int, int]) -> None:
        """Note that the host has waited for an event."""
        _join(self._host, mark)
        self._copies, self._log = map(self._open, (self._copies, self._log))

    def _compare(self, now: StreamOperation, other: StreamOperation) -> None:
        for access in now.accesses:
            for earlier in other.accesses:
                count = access.count_conflicts(earlier)
                if count:
                    name = earlier.name if access.name == UNNAMED else access.name
                    self.tell(UnorderedPair(now, other, name, count, now.place))
                    return


TIMELINE = Timeline()
"""The timeline of the one device."""


class Stream:
    """A queue of operations; number 0 is the default stream.

    Attributes:
        waits: False if it does not wait for the default stream, nor that one for it.
        launched_in: the stream in which a graph is launched that has this one as a branch.
        handle: the pointer by which a device would know it; 0 for the default stream.
        external: True if it was made of such a pointer.
    """

    external = False
    waits = True
    launched_in: Stream | None = None

    _made = 0

    def __init__(self, number: int | None = None, handle: int | None = None) -> None:
        if number is None:
            Stream._made += 1
            number = Stream._made
        self.number = number
        self.handle = number if handle is None else handle

    def __bool__(self) -> bool:
        return self.number != _DEFAULT

    def __int__(self) -> int:
        return self.handle

    def __eq__(self, other: object) -> bool:
        """Compare queues; 0 is the default stream, as scripts write it."""
        return self.number == (other.number if isinstance(other, Stream) else other)

    def __hash__(self) -> int:
        return hash(self.number)

    def synchronize(self) -> None:
        """Wait for all of its operations."""
        TIMELINE.host_waits(self)

    @contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Wait for the stream when the block ends."""
        yield self
        self.synchronize()

    def add_callback(self, callback: Callable[..., Any], arg: Any = None) -> None:
        """Call it now: all operations before it are done, and the host knows."""
        TIMELINE.host_waits(self)
        callback(self, 0, arg)


DEFAULT_STREAM = Stream(_DEFAULT)
PER_THREAD_STREAM = Stream(-1)


def stream_of(given: Any) -> Stream:
    """Return the stream that was given, also by its pointer; 0 is the default stream's."""
    if isinstance(given, int) and given:
        return external_stream(given)
    return given if isinstance(given, Stream) else DEFAULT_STREAM


def external_stream(pointer: int) -> Stream:
    """Return a stream by its pointer: one of ours, or one that another library made."""
    own = 0 < pointer <= Stream._made  # noqa: SLF001 - handles of our streams count them
    made = Stream(pointer if own else -2 - int(pointer), int(pointer))
    made.external = True
    return made


def _as_is(place: ScriptPlace) -> ScriptPlace:
    return place


def _join(clock: Clock, other: Mapping[int, int]) -> None:
    for stream, number in other.items():
        clock[stream] = max(clock.get(stream, 0), number)


def caller() -> ScriptPlace:
    """Return the line of the script that called us."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_NOT_THEIRS):
        frame = frame.f_back
    return (
        ScriptPlace("", 0)
        if frame is None
        else ScriptPlace(frame.f_code.co_filename, frame.f_lineno)
    )
