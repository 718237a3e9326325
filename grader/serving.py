"""What LLM serving and training take by formula: bytes, batches, bubbles, and a small queue.

Numbers in, numbers out, for `compute:`. Knows no GPU: the rates that a formula needs are arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from grader.facts import Fact, fact

_MOST_REQUESTS = 64
_MOST_TOKENS = 100_000
_ADAM = (2.0, 2.0, 12.0)
"""Bytes per parameter: 16-bit weights and gradients; FP32 weights and both moments of Adam."""


class BadAmount(ValueError):
    """An argument is not a positive number, or the queue is too long to be simulated."""

    def __init__(self) -> None:
        super().__init__("amount")
        self.what: Fact = fact("formula.amounts", requests=_MOST_REQUESTS, tokens=_MOST_TOKENS)


def kv_bytes(layers: float, kv_heads: float, head_dim: float, element: float) -> float:
    """Return the bytes that one token takes in the KV cache: a key and a value in each layer."""
    _check(layers, kv_heads, head_dim, element)
    return 2 * layers * kv_heads * head_dim * element


def ridge_batch(flops: float, bandwidth: float, weight_bytes: float) -> float:
    """Return the rows at which a GEMM computes as long as it reads its weights.

    Args:
        flops: per second, in the same multiple as `bandwidth`; a multiply-add counts two.
        bandwidth: bytes per second.
        weight_bytes: bytes per weight. Activations are not counted.
    """
    _check(flops, bandwidth, weight_bytes)
    return flops * weight_bytes / (2 * bandwidth)


def zero_bytes(stage: float, gpus: float) -> float:
    """Return the bytes per parameter on each GPU: Adam in mixed precision, ZeRO stage 0 to 3.

    Source: Rajbhandari et al., ZeRO, 2020: stage 1 shards the optimizer, 2 gradients too, 3 all.
    """
    _check(gpus)
    if stage not in (0, 1, 2, 3):
        raise BadAmount
    sharded = 3 - int(stage)
    return sum(_ADAM[:sharded]) + sum(_ADAM[sharded:]) / gpus


def bubble_share(stages: float, micro_batches: float, chunks: float = 1) -> float:
    """Return the share of a step in which a stage of a 1F1B pipeline is idle.

    Source: Narayanan et al., 2021: (p - 1) / (v · m + p - 1), with v chunks of layers per stage.
    """
    _check(stages, micro_batches, chunks)
    return (stages - 1) / (chunks * micro_batches + stages - 1)


@dataclass(slots=True)
class _Request:
    """What of a request is left to do, and when its tokens came."""

    arrival: float
    prompt: float
    output: float
    times: list[float] = field(default_factory=list)

    @property
    def done(self) -> bool:
        return len(self.times) == self.output


def mean_ttft(*queue: float) -> float:
    """Return the mean time to first token in the queue of `_serve`, in its unit of time."""
    return fmean(one.times[0] - one.arrival for one in _serve(*queue))


def mean_tpot(*queue: float) -> float:
    """Return the mean time per output token after the first one, in the queue of `_serve`."""
    served = _serve(*queue)
    if served[0].output < 2:
        raise BadAmount
    return fmean((one.times[-1] - one.times[0]) / (one.output - 1) for one in served)


def _serve(*queue: float) -> Sequence[_Request]:
    """Serve equal requests, one each `gap`, with continuous batching and chunked prefill.

    `queue`: requests, gap, prompt, output, budget, step, token. A step takes at most `budget`
    tokens: one of each running request, then prompts in order of arrival. It lasts `step` plus
    `token` for each of its tokens. The step that ends a prompt gives its first token.
    """
    count, gap, length, answer, room, step, token = queue
    _check(count, length, answer, room, step)
    if any(size % 1 for size in (count, length, answer, room)) or gap < 0 or token < 0:
        raise BadAmount
    if count > _MOST_REQUESTS or count * (length + answer) > _MOST_TOKENS or count > room:
        raise BadAmount
    requests = [_Request(at * gap, length, answer) for at in range(int(count))]
    clock = 0.0
    while waiting := [one for one in requests if not one.done]:
        clock = max(clock, waiting[0].arrival)
        here = [one for one in waiting if one.arrival <= clock]
        free = room - sum(one.prompt == 0 for one in here)
        ready = [one for one in here if one.prompt == 0]
        for one in here:
            taken = min(one.prompt, free)
            free -= taken
            if taken and taken == one.prompt:
                ready.append(one)
            one.prompt -= taken
        clock += step + token * (room - free)
        for one in ready:
            one.times.append(clock)
    return requests


def _check(*amounts: float) -> None:
    if not all(isinstance(one, int | float) and one > 0 for one in amounts):
        raise BadAmount
