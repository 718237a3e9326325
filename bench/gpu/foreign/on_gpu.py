"""Launches jobs on the GPU of this machine, and compares what they leave.

Each worker is a process that takes names of jobs from its standard input, so that a launch that
ends its context, or does not end, ends no other.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bench.gpu.foreign import jobs
from bench.gpu.foreign.compiling import Image, NotCompiled, compile_job
from bench.gpu.foreign.jobs import Bytes, Job, Launch

_SECONDS = 60.0
"""For a job, with its compilation and the start of a worker."""
_MOST_TEXT = 300


class Failed(Exception):
    """The driver reports an error."""


class TooManyRegisters(Exception):
    """A kernel's registers do not suffice for so many threads of a block."""


def run_all(folder: Path, workers: int) -> Iterator[tuple[Path, str, str]]:
    """Yield for each job of a folder what became of it: see `jobs.Row.device` and `found`."""
    waiting: queue.Queue[Path] = queue.Queue()
    done: queue.Queue[tuple[Path, str, str]] = queue.Queue()
    paths = sorted(folder.glob("*.npz"))
    for path in paths:
        waiting.put(path)
    threads = [
        threading.Thread(target=_feed, args=(waiting, done), daemon=True) for _ in range(workers)
    ]
    for thread in threads:
        thread.start()
    for _ in paths:
        yield done.get()


def _feed(waiting: queue.Queue[Path], done: queue.Queue[tuple[Path, str, str]]) -> None:
    """Give jobs to a worker, one after the other; a new worker follows one that ended."""
    worker: subprocess.Popen[str] | None = None
    while True:
        try:
            path = waiting.get_nowait()
        except queue.Empty:
            break
        if worker is None or worker.poll() is not None:
            command = [sys.executable, "-m", "bench.gpu.foreign", "worker"]
            worker = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        timer = threading.Timer(_SECONDS, worker.kill)
        timer.start()
        line = ""
        if worker.stdin is not None and worker.stdout is not None:
            try:
                worker.stdin.write(f"{path}\n")
                worker.stdin.flush()
                line = worker.stdout.readline()
            except BrokenPipeError:
                pass
        timer.cancel()
        if not line.startswith("["):
            worker.kill()
            done.put((path, "failed", f"the worker ended, status {worker.wait()}"))
            continue
        kind, text = json.loads(line)
        done.put((path, kind, text))
        if kind == "failed":  # its context may be lost
            worker.kill()
            worker.wait()
    if worker is not None:
        worker.kill()
        worker.wait()


def work() -> None:
    """Take names of jobs from standard input, and answer a line of JSON for each."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a kernel prints is no answer
    device = Device()
    for line in sys.stdin:
        print(json.dumps(_run(device, Path(line.strip()))), file=answers, flush=True)


def _run(device: Device, path: Path) -> tuple[str, str]:
    job = jobs.load(path)
    try:
        image = compile_job(job, device.capability)
    except NotCompiled as error:
        return "not compiled" if job.launches else "rejected", str(error)[:_MOST_TEXT]
    result = ("same", "") if job.launches else ("accepted", "")
    for launch in job.launches:
        try:
            left = device.run(image, launch)
        except TooManyRegisters as error:
            return "registers", str(error)
        except Failed as error:
            return "failed", str(error)
        kind, text = jobs.compare(launch, left)
        if kind == "wrong":
            return kind, f"{text}; {launch.grid} × {launch.block}"
        if kind != "same":
            result = kind, text
    return result


class Device:
    """The first GPU.

    Attributes:
        name: of it.
        capability: its compute capability: "90".
    """

    def __init__(self) -> None:
        self._driver: Any = import_module("cuda.bindings.driver")
        self._call("cuInit", 0)
        number = self._call("cuDeviceGet", 0)
        major, minor = (
            self._call("cuDeviceGetAttribute", getattr(
                self._driver.CUdevice_attribute,
                f"CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_{which}"), number)
            for which in ("MAJOR", "MINOR")
        )  # fmt: skip
        self.capability = f"{major}{minor}"
        self.name = self._call("cuDeviceGetName", 100, number).decode().strip("\0")
        self._call("cuCtxSetCurrent", self._call("cuDevicePrimaryCtxRetain", number))

    def run(self, image: Image, launch: Launch) -> list[Bytes]:
        """Launch a kernel; return what it leaves in each buffer.

        Raises:
            Failed: an error of the driver.
            TooManyRegisters: the block is too large for the registers that the compiler uses.
            ValueError: the memory before is not what the emulator began with.
        """
        module = self._call("cuModuleLoadData", image.code)
        kernel = self._call("cuModuleGetFunction", module, image.names[0].encode())
        limit = self._driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
        most = self._call("cuFuncGetAttribute", limit, kernel)
        if math.prod(launch.block) > most:
            raise TooManyRegisters(f"{math.prod(launch.block)} threads, {most} fit")
        addresses, owned = list[int](), list[Any]()
        named = iter(image.names[1:])
        begun = [buffer.fill() for buffer in launch.buffers]
        passed = [data for data, each in zip(begun, launch.buffers, strict=True) if not each.symbol]
        if jobs.digest(passed) != launch.digest:
            raise ValueError("NumPy draws other numbers here")
        for buffer, data in zip(launch.buffers, begun, strict=True):
            if buffer.symbol:
                found, size = self._call("cuModuleGetGlobal", module, next(named).encode())
                if size != buffer.nbytes:
                    raise Failed(f"{buffer.symbol} has {size} bytes")
            else:
                found = self._call("cuMemAlloc", max(buffer.nbytes, 1))
                owned.append(found)
            addresses.append(int(found))
            if buffer.seed is not None:
                self._call("cuMemcpyHtoD", found, data.ctypes.data, data.nbytes)
        self._launch(kernel, launch, addresses)
        left = list[Bytes]()
        for buffer, address in zip(launch.buffers, addresses, strict=True):
            data = np.empty(buffer.nbytes, np.uint8)
            pointer = self._driver.CUdeviceptr(address)
            self._call("cuMemcpyDtoH", data.ctypes.data, pointer, data.nbytes)
            left.append(data)
        for each in owned:
            self._call("cuMemFree", each)
        self._call("cuModuleUnload", module)
        return left

    def _launch(self, kernel: Any, launch: Launch, addresses: Sequence[int]) -> None:
        values = [bytearray.fromhex(each) for each in launch.parameters]
        for parameter, offset, buffer in launch.pointers:
            values[parameter][offset : offset + 8] = addresses[buffer].to_bytes(8, "little")
        held = [ctypes.create_string_buffer(bytes(each), len(each)) for each in values]
        pointers = (ctypes.c_void_p * max(len(held), 1))(*map(ctypes.addressof, held))
        grid, block = ((*sizes, 1, 1)[:3] for sizes in (launch.grid, launch.block))
        self._call(
            "cuLaunchKernel", kernel, *grid, *block, launch.shared, self._driver.CUstream(0),
            ctypes.addressof(pointers), 0,
        )  # fmt: skip
        self._call("cuCtxSynchronize")

    def _call(self, name: str, *arguments: Any) -> Any:
        error, *given = getattr(self._driver, name)(*arguments)
        if int(error) != 0:
            raise Failed(f"{name}: {error}")
        return given[0] if len(given) == 1 else tuple(given)


def compile_all(folder: Path, capability: str) -> Iterator[tuple[Job, str]]:
    """Compile the jobs of a folder without a GPU; yield each with NVRTC's error, or "".

    One that the emulator says is not C++ has an error if NVRTC has none.
    """
    for path in sorted(folder.glob("*.npz")):
        job = jobs.load(path)
        try:
            compile_job(job, capability)
        except NotCompiled as error:
            yield job, str(error) if job.launches else ""
        else:
            yield job, "" if job.launches else "NVRTC accepts it"
