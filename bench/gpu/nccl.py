"""`python -m bench.gpu.nccl [FILE]`: NCCL's bus bandwidth between the GPUs of this machine (GPU).

One process for each GPU, through PyTorch, which must be installed; the processes find each other
over loopback. Of each collective and size: a few rounds to warm up, then rounds between two events
on each GPU; the slowest GPU's time counts. Bus bandwidth is that of nccl-tests: the bytes that the
fullest link carries, whatever the number of GPUs. Writes a row for each into FILE, as CSV.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["NCCL_NVLS_ENABLE"] = "0"  # multicast can put a host's GPUs out of service

_SIZES = tuple(1 << power for power in range(10, 31, 2))
"""Bytes of the whole buffer: 1 KiB to 1 GiB."""
_WARM, _LEAST_ROUNDS, _MOST_ROUNDS = 5, 10, 200
_BYTES_OF_ROUNDS = 1 << 33
_PORT = "29517"
_COLUMNS = ("collective", "gpus", "bytes", "microseconds", "bus_gb_per_second", "device", "nccl")


def main() -> int:
    """Run one process for each GPU; the exit status."""
    import torch  # noqa: PLC0415 - the processes load it, too
    from torch import multiprocessing  # noqa: PLC0415

    count = torch.cuda.device_count()
    if count < 2:
        print("this takes two GPUs of one machine")
        return 1
    path = sys.argv[1] if len(sys.argv) > 1 else ""
    multiprocessing.spawn(_run, args=(count, path), nprocs=count)
    return 0


def _run(rank: int, count: int, path: str) -> None:
    """Be the process of one GPU."""
    import torch  # noqa: PLC0415
    import torch.distributed as dist  # noqa: PLC0415

    torch.cuda.set_device(rank)
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", _PORT
    dist.init_process_group("nccl", rank=rank, world_size=count)
    device, version = torch.cuda.get_device_name(0), ".".join(map(str, torch.cuda.nccl.version()))
    rows = []
    for size in _SIZES:
        whole = torch.ones(size // 4, dtype=torch.float32, device="cuda")
        part = torch.ones(size // 4 // count, dtype=torch.float32, device="cuda")
        ways: dict[str, tuple[Callable[[], Any], float]] = {
            "all-reduce": (lambda whole=whole: dist.all_reduce(whole), 2 * (count - 1) / count),
            "all-gather": (
                lambda whole=whole, part=part: dist.all_gather_into_tensor(whole, part),
                (count - 1) / count,
            ),
            "reduce-scatter": (
                lambda whole=whole, part=part: dist.reduce_scatter_tensor(part, whole),
                (count - 1) / count,
            ),
        }
        for name, (collective, share) in ways.items():
            seconds = _time(collective, size)
            slowest = torch.tensor([seconds], device="cuda")
            dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
            taken = float(slowest)
            bus = share * size / taken / 1e9
            row = (name, count, size, f"{taken * 1e6:.1f}", f"{bus:.1f}", device, version)
            rows.append(row)
            if rank == 0:
                print(*row[:5], flush=True)
    if rank == 0 and path:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([_COLUMNS, *rows])
    dist.destroy_process_group()


def _time(collective: Callable[[], Any], size: int) -> float:
    """Measure how many seconds a round takes."""
    import torch  # noqa: PLC0415

    for _ in range(_WARM):
        collective()
    rounds = min(_MOST_ROUNDS, max(_LEAST_ROUNDS, _BYTES_OF_ROUNDS // size))
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    begin.record()
    for _ in range(rounds):
        collective()
    end.record()
    torch.cuda.synchronize()
    return float(begin.elapsed_time(end)) / 1000 / rounds


if __name__ == "__main__":
    sys.exit(main())
