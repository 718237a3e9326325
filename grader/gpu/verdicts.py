"""Words and gates of a verdict: what errors of the device or the worker mean to a learner."""

from __future__ import annotations

from grader.gpu.device import DeviceError
from grader.gpu.outcome import GATES, DeviceFacts, GpuGraded
from grader.process import ProcessEnded, ProcessSlow
from grader.verdict import Gate, Verdict, verdict

_CAME = {
    "illegal-access": "illegal access: a thread read or wrote an address outside of all arrays",
    "misaligned": "misaligned address: an access whose address is no multiple of its width",
    "registers": "out of resources: the block's threads need more registers than there are",
    "threads": "out of resources: more threads in a block than the kernel or the device allows",
    "shared-memory": "out of resources: the block asks for more shared memory than it may have",
    "resources": "out of resources: registers, threads or shared memory of a block are too many",
    "out-of-memory": "out of memory: the device has no room for the arrays",
    "launch-failed": "the launch failed on the device",
    "timed-out": "timed out: a kernel still running",
}
_HINT = {
    "illegal-access": "check every index against the array's shape, also at the edges of the grid",
    "misaligned": "wide loads need addresses that are multiples of their width",
    "registers": "smaller blocks, fewer values in flight, or max_registers= of cuda.jit",
    "threads": "smaller blocks",
    "shared-memory": "a smaller tile",
    "resources": "smaller blocks or tiles",
    "timed-out": "a loop that never ends, or threads that wait for each other?",
}
_ENDS = "every launch ends, without an error of the device"


def compile_gate(error: DeviceError) -> Gate:
    """The gate `compiles`, of a kernel that Numba refuses; `runs` where a block is too large.

    The linker already sees too much shared memory, which a learner meets as a matter of the launch.
    """
    if error.kind != "compile":
        return runs_gate(error)
    return Gate(
        "compiles", "failed", expected="machine code of the kernel", came=error.what,
        hint="Numba compiles less than Python: types must follow from the arguments",
    )  # fmt: skip


def runs_gate(error: DeviceError, where: str = "") -> Gate:
    """The gate `runs`, of a launch that the device refused or broke off.

    Args:
        error: what went wrong.
        where: at which shape.
    """
    came = _CAME.get(error.kind, error.what)
    return Gate(
        "runs", "failed", subject=error.kind, expected=_ENDS, came=f"{came}{where}",
        counterexample=error.what, hint=_HINT.get(error.kind, ""),
    )  # fmt: skip


def broken_off(
    source: str, facts: DeviceFacts, seed: int, error: ProcessEnded, seconds: float
) -> GpuGraded:
    """Of a submission that took its worker with it, or that was ended with it."""
    if isinstance(error, ProcessSlow):
        came = f"timed out: no verdict within {seconds:g} s; a kernel, or its compiler, still ran"
        gate = Gate(
            "runs", "failed", subject="timed-out", expected=_ENDS, came=came,
            hint=_HINT["timed-out"],
        )  # fmt: skip
    else:
        why = f": {error.last_line}" if error.last_line else ""
        came = f"the process with the GPU {error.what}{why}"
        gate = Gate("runs", "failed", subject="crashed", expected=_ENDS, came=came)
    return GpuGraded(source, failed(gate), "failed", facts, seed=seed, replaced=True)


def failed(gate: Gate) -> Verdict:
    """All gates, of which one failed and those before it were passed."""
    name = gate.name
    passed = [Gate(one, "passed") for one in GATES[: GATES.index(name)]]
    return verdict([*passed, gate], GATES)
