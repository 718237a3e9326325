"""Lets a script in Triton ask PyTorch for a GPU: its tensors are on the CPU, and say `cuda`.

What PyTorch is called with goes through `__torch_function__`: the device "cuda" becomes the CPU,
and a copy from or to it stays a copy. `torch.cuda` answers what a script asks about its device,
and refuses streams, events, and graphs by name; for the rest it says that it has no GPU.
`data_ptr()` returns where the emulator has the memory of a tensor, which must be contiguous, from
the first call on: scripts fill tables of addresses. It stays as long as the script runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from grader.facts import fact
from grader.simt.errors import InvalidLaunch
from grader.simt.host.dlpack import read_dlpack
from grader.simt.host.session import ScriptSession
from grader.simt.memory.allocations import Heap, HeapBlock

_FIRST, _STEP = 1 << 52, 1 << 40
"""Addresses of no process, and apart as allocations are: see `grader.simt.memory.allocations`."""


class TensorAddresses:
    """The tensors of a script whose addresses were asked for."""

    def __init__(self) -> None:
        self._heap = Heap()
        self._starts: dict[tuple[int, int], int] = {}

    @property
    def known(self) -> Heap | None:
        """Their memory, as launches see it; None without any."""
        return self._heap if self._starts else None

    def find(self, tensor: Any) -> int:
        """Return the address of a tensor."""
        address = int(tensor.data_ptr())
        if not tensor.is_contiguous():
            return address
        key = address, tensor.numel() * tensor.element_size()
        if key not in self._starts:
            start = self._starts[key] = _FIRST + len(self._starts) * _STEP
            data = read_dlpack(tensor).array.reshape(-1).view(np.uint8)
            self._heap.add(HeapBlock(start, data))
        return self._starts[key]


_DEVICE = re.compile(r"(cuda|cpu)(:\d+)?")
_NOTHING = "init", "set_device", "synchronize", "empty_cache", "reset_peak_memory_stats"
_REFUSED = "Event", "Stream", "CUDAGraph", "graph", "stream", "current_stream"


class TorchOnCpu:
    """PyTorch in a script, once it is imported.

    Attributes:
        addresses: of tensors whose `data_ptr()` the script has asked for.
        device: where tensors say they are; None without PyTorch.
    """

    def __init__(
        self, session: ScriptSession, capability: tuple[int, int], properties: Mapping[str, int]
    ) -> None:
        self.addresses = TensorAddresses()
        self.device: Any = None
        self._session = session
        self._capability = capability
        self._properties = properties
        self._torch: Any = None
        self._own: dict[Any, Callable[..., Any]] = {}
        self._copying: tuple[Any, ...] = ()

    def follow(self, torch: Any) -> None:
        """Have a PyTorch that was just imported ask here; one of before 1.13 cannot."""
        mode = getattr(getattr(torch, "overrides", None), "TorchFunctionMode", None)
        if mode is None or self._torch is not None:
            return
        self._torch, self.device, tensor = torch, torch.device("cuda", 0), torch.Tensor
        self._own = {
            tensor.data_ptr: self.addresses.find,
            tensor.cuda: lambda own, *_, **__: self._take(own.clone()),
            tensor.cpu: lambda own, *_, **__: own.clone(),
            tensor.pin_memory: lambda own, *_, **__: own,
            tensor.is_cuda.__get__: lambda *_: True,
            tensor.device.__get__: lambda *_: self.device,
            tensor.get_device: lambda *_: 0,
        }
        self._copying = tensor.to, torch.as_tensor, torch.asarray
        self._answer(torch)
        call = {"__torch_function__": lambda _mode, *given: self._call(*given)}
        type("OnCpu", (mode,), call)().__enter__()

    def _answer(self, torch: Any) -> None:
        """Give `torch.cuda` the answers of the emulated device."""
        major, minor = self._capability
        properties = SimpleNamespace(
            name="emulated device", major=major, minor=minor,
            multi_processor_count=self._properties["multiprocessor_count"],
            warp_size=self._properties["warpSize"],
            shared_memory_per_block_optin=self._properties["max_shared_mem"],
            regs_per_multiprocessor=self._properties["max_num_regs"],
        )  # fmt: skip
        vars(torch.cuda).update(
            **dict.fromkeys(_NOTHING, lambda *_, **__: None),
            **{name: _refuse(name) for name in _REFUSED},
            is_available=lambda: True, device_count=lambda: 1, current_device=lambda: 0,
            is_bf16_supported=lambda *_, **__: True,
            get_device_name=lambda *_: properties.name,
            get_device_capability=lambda *_: self._capability,
            get_device_properties=lambda *_: properties,
            manual_seed=torch.default_generator.manual_seed,
            manual_seed_all=torch.default_generator.manual_seed,
            device=_Chosen,
        )  # fmt: skip

    def _take(self, tensor: Any) -> Any:
        if "PyTorch" not in self._session.on_cpu:
            self._session.on_cpu.append("PyTorch")
        return tensor

    def _call(self, func: Any, _types: Any, given: tuple[Any, ...] = (), named: Any = None) -> Any:
        """Call a function of PyTorch's with the CPU for its device; the mode is off meanwhile."""
        named = dict(named or {})
        own = self._own.get(func)
        if own is not None:
            return own(*given, **named)
        if func is self._torch.device:
            return func(*given, **named)
        if isinstance(named.get("device"), int):
            named["device"] = self.device
        if named.get("pin_memory"):
            named["pin_memory"] = False
        moved = any(map(self._names, (*given, named.get("device"))))
        if not moved:
            return func(*given, **named)
        if "device" in named:
            named["device"] = self._place(named["device"])
        done = func(*map(self._place, given), **named)
        return done.clone() if func in self._copying else done

    def _names(self, value: Any) -> bool:
        """Return True for a device."""
        if isinstance(value, str):
            return _DEVICE.fullmatch(value) is not None
        return isinstance(value, self._torch.device)

    def _place(self, value: Any) -> Any:
        """Return the CPU for a GPU."""
        if not self._names(value) or not str(value).startswith("cuda"):
            return value
        return self._take(self._torch.device("cpu"))


class _Chosen:
    """`with torch.cuda.device(…)`: there is only one."""

    def __init__(self, _device: Any) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def _refuse(name: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise InvalidLaunch(fact("triton.torch-gpu", name=f"torch.cuda.{name}"))

    return refuse
