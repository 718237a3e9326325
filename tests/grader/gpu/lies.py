"""Answers that a worker could send: honest ones of each kind, and what a liar makes of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, NamedTuple

from grader.facts import fact
from grader.gpu import Benchmark, Gpu
from grader.gpu.calibrating.calibrate import time_instruction
from grader.gpu.grading import GpuGrader
from grader.gpu.messages import PROTOCOL
from grader.gpu.worker import selftest
from grader.kernels import Referee, ReferenceOutputs, grade
from grader.kernels.messages import encode_array
from grader.wire import cut_texts, to_plain
from tests.grader.gpu.emulated_device import FACTS, NAME, EmulatedDevice
from tests.grader.gpu.tools import DOUBLE, GOOD, SLOW, ZEROS, request

FACT = to_plain(fact("submission.no-kernel", name="double"))
HELLO = {"id": 1, "protocol": PROTOCOL, "package": ""}
DESCRIBE = {"id": 2, "describe": to_plain(FACTS)}
BENCHMARK = Benchmark({"n": 4096}, SLOW, {NAME: 1.0}, seconds=0)
RACE = GOOD.replace("out[i] = a[i] + a[i]", "out[0] = a[i] + a[i]")

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308,
    -1e-300, "", "x", "passed", "\x00", "\x1b]52;c;aGk=\x07", "x" * 5000, "\ud800", [], {}, [[]],
    [None], [0] * 40, {"": None}, {"id": 3}, [{}], float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
"""What may stand where something else is expected."""


class Honest(NamedTuple):
    """An exchange with a worker: what it answers, before and after too, and how it is asked."""

    name: str
    before: tuple[dict[str, Any], ...]
    answer: dict[str, Any]
    ask: Callable[[Any], object]
    after: tuple[dict[str, Any], ...] = ()


@cache
def honest() -> tuple[Honest, ...]:
    """An exchange of each kind, as the emulator's worker and the referee's would have it."""
    first = (HELLO, DESCRIBE)
    return (
        Honest("hello", (), HELLO, Gpu.describe, (DESCRIBE,)),
        Honest("describe", (HELLO,), DESCRIBE, Gpu.describe),
        Honest("selftest", first, {"selftest": to_plain(selftest(EmulatedDevice()))}, Gpu.selftest),
        Honest("calibrate", (*first, {**HELLO, "id": 3}), {"calibrate": _times()}, Gpu.calibrate),
        *(
            Honest(f"grade {name}", first, {"graded": graded}, _graded)
            for name, graded in _gpu_verdicts()
        ),
        Honest("device", first, {"device": {"kind": "launch-failed", "what": FACT}}, _graded),
        Honest("problem", first, {"problem": {"path": ["a"], "what": FACT}}, _graded),
        Honest("reference", first, {"reference": {"what": FACT, "line": 3}}, _graded),
        Honest("prepare", (), {}, lambda one: one.prepare(DOUBLE)),
        Honest("right", (), {"outputs": _outputs()}, lambda one: one.reference_outputs(DOUBLE)),
        *(
            Honest(f"emulated {source is GOOD}", (), {"graded": graded}, _emulated(source))
            for source, graded in _verdicts()
        ),
    )


def is_referee(one: Honest) -> bool:
    """Whether the referee is asked, not the GPU."""
    return one.name.partition(" ")[0] in ("prepare", "right", "emulated")


def line(one: Honest, answer: dict[str, Any]) -> bytes:
    """An answer as it is sent, with the number of its request."""
    return json.dumps({"id": len(one.before) + 1, **answer}).encode()


def mutated(one: Honest, random: Random) -> bytes:
    """What a liar makes of an answer: another value somewhere, other bytes, or noise."""
    way = random.random()
    if way < 0.7:
        changed = {"id": len(one.before) + 1, **deepcopy(one.answer)}
        for _ in range(random.choice((1, 1, 1, 2, 5))):
            _change(changed, random)
        return json.dumps(changed).encode()
    data = bytearray(line(one, one.answer))
    if way < 0.95:
        for _ in range(random.choice((1, 1, 3, 20))):
            _disturb(data, random)
        return bytes(data).replace(b"\n", b" ")
    return random.randbytes(random.choice((0, 1, 10, 1000, 100_000))).replace(b"\n", b" ")


def _change(value: Any, random: Random) -> None:
    """Replace, remove or add something anywhere below."""
    places = [*_places(value)]
    if not places:
        return
    where, key = random.choice(places)
    way = random.random()
    if way < 0.6:
        where[key] = deepcopy(random.choice(ODD))
    elif way < 0.75:
        del where[key]
    elif way < 0.9:
        where[key] = deepcopy(random.choice([holder[name] for holder, name in places]))
    elif isinstance(where, list):
        where += deepcopy(where) * random.choice((1, 50))
    else:
        where[random.choice(("id", "extra", "what", "graded"))] = deepcopy(random.choice(ODD))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def _disturb(data: bytearray, random: Random) -> None:
    """Change some bytes."""
    at = random.randrange(len(data) + 1)
    match random.randrange(5):
        case 0:
            data[at : at + 1] = bytes([random.randrange(256)])
        case 1:
            del data[at:]
        case 2:
            del data[at : at + random.randrange(1, 20)]
        case 3:
            data[at:at] = random.choice((b"[" * 5000, b'{"a":' * 3000, b"9" * 400, b"NaN", b"\0"))
        case _:
            data[at:at] = data[at : at + random.randrange(1, 200)]


def _gpu_verdicts() -> Iterator[tuple[str, dict[str, Any]]]:
    grader = GpuGrader(EmulatedDevice())
    for name, source, benchmark in (
        ("passed", GOOD, BENCHMARK),
        ("too slow", SLOW, BENCHMARK),
        ("wrong", ZEROS, BENCHMARK),
        ("not timed", GOOD, None),
        ("refused", "import os\n" + GOOD, None),
    ):
        graded = grader.grade(request(DOUBLE, source, benchmark))
        yield name, cut_texts({**to_plain(graded), "source": ""})


def _verdicts() -> Iterator[tuple[str, dict[str, Any]]]:
    for source in (GOOD, RACE):
        graded = to_plain(grade(DOUBLE, source, ReferenceOutputs(DOUBLE)))
        yield source, json.loads(json.dumps(cut_texts({**graded, "source": ""})))


def _times() -> dict[str, Any]:
    return to_plain(time_instruction(EmulatedDevice(), "ld_b32", 2))


def _outputs() -> list[dict[str, Any]]:
    arrays = [to_plain(encode_array(one)) for one in ReferenceOutputs(DOUBLE).for_run(0)]
    return [{**one, "data": base64.b64encode(one["data"]).decode()} for one in arrays]


def _graded(gpu: Gpu) -> object:
    return gpu.grade(DOUBLE, GOOD, BENCHMARK)


def _emulated(source: str) -> Callable[[Referee], object]:
    return lambda referee: referee.grade(DOUBLE, source)
