"""`numba.core` where Numba is absent: errors and warnings by name, settings that change nothing.

Scripts name them in `warnings.filterwarnings` and in `except`; a launch that a
device would refuse, and a kernel that Numba would not type, raise one that they can catch.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from grader.simt.errors import DeviceRefusal, NotTyped, Refused
from grader.simt.numba.refused import NOT_RUN

_BASES: dict[str, str] = {
    "Warning": "NumbaWarning",
    "Exception": "NumbaError UnsupportedBytecodeError",
    "NumbaWarning": "NumbaPerformanceWarning NumbaDebugInfoWarning NumbaPedanticWarning "
    "NumbaExperimentalFeatureWarning NumbaInvalidConfigWarning NumbaParallelSafetyWarning "
    "NumbaSystemWarning NumbaTypeSafetyWarning",
    "NumbaWarning DeprecationWarning": "NumbaDeprecationWarning",
    "NumbaWarning PendingDeprecationWarning": "NumbaPendingDeprecationWarning",
    "NumbaPedanticWarning": "NumbaIRAssumptionWarning",
    "NumbaError": "TypingError LoweringError UnsupportedError IRError InternalError "
    "ByteCodeSupportError CompilerError ConstantInferenceError DeprecationError ForceLiteralArg "
    "NumbaRuntimeError UnsupportedParforsError",
    "TypingError": "NumbaAssertionError NumbaAttributeError NumbaIndexError NumbaKeyError "
    "NumbaNotImplementedError NumbaTypeError NumbaValueError RequireLiteralValue "
    "LiteralTypingError UntypedAttributeError",
    "LoweringError": "ForbiddenConstruct",
    "UnsupportedError": "UnsupportedRewriteError",
    "IRError": "NotDefinedError RedefinedError VerificationError",
    "InternalError": "InternalTargetMismatchError NonexistentTargetError",
}
"""What each error and warning of `numba.core.errors` derives from, bases first."""
_DRIVER_BASES: dict[str, str] = {
    "Exception": "CudaDriverError CudaRuntimeError NvvmError NvrtcError",
    "ImportError": "CudaSupportError NvvmSupportError NvrtcSupportError",
    "LoweringError": "CudaLoweringError",
    "RuntimeError": "KernelRuntimeError LinkerError DeadMemoryError CCSupportError",
    "CudaDriverError": "CudaAPIError",
    "NvrtcError": "NvrtcCompilationError NvrtcBuiltinOperationFailure",
    "Warning": "NvvmWarning",
}
"""As `numba.cuda.cudadrv` has them. The emulator raises one: `as_drivers`."""


def _make_errors(
    tree: Mapping[str, str], module: str, known: Mapping[str, type[BaseException]] | None = None
) -> dict[str, type[BaseException]]:
    found: dict[str, type[BaseException]] = {}
    bases_of = {**vars(builtins), **(known or {})}
    for bases, names in tree.items():
        given = [found.get(base) or bases_of[base] for base in bases.split()]
        for name in names.split():
            text = f"Numba's {name}, for scripts that name it."
            body = {"__module__": module, "__doc__": text}
            found[name] = type(name, tuple(given), body)
    return found


ERRORS = _make_errors(_BASES, "numba.core.errors")
"""By name; `numba` itself has them too."""
DRIVER_ERRORS = _make_errors(_DRIVER_BASES, "numba.cuda.cudadrv.error", ERRORS)
"""By name: those of `numba.cuda.cudadrv` and `numba.cuda.errors`."""


class NumbaSettings(ModuleType):
    """`numba.config`: takes any setting; there is nothing that it would change."""

    def __getattr__(self, name: str) -> Any:
        """Return 0 for a setting that was not set: it is off.

        Raises:
            AttributeError: it is not the name of a setting.
        """
        if name.isupper():
            return 0
        raise AttributeError(f"numba.config has no {name}")


def core_modules(numba: ModuleType) -> None:
    """Make `numba.core` with its errors and settings.

    Args:
        numba: gets them as members, as Numba has them.
    """
    core, errors = ModuleType("numba.core"), ModuleType("numba.core.errors")
    config = NumbaSettings("numba.core.config")
    vars(errors).update(ERRORS)
    vars(core).update(errors=errors, config=config, types=numba.types, __path__=[])
    vars(numba).update(core=core, errors=errors, config=config)


_REAL = DRIVER_ERRORS["CudaAPIError"]


class _CudaAPIError(DeviceRefusal, _REAL):  # type: ignore[misc, valid-type]
    """The driver's error for sizes that it does not take.

    Attributes:
        code, msg: as Numba's error has them.
    """

    code = 1

    def __init__(self, error: DeviceRefusal) -> None:
        super().__init__(error.what, error.instead)
        self.msg = f"CUDA_ERROR_INVALID_VALUE: {error.what}"

    def __str__(self) -> str:
        return f"[{self.code}] {self.msg}"


_CudaAPIError.__name__ = _CudaAPIError.__qualname__ = _REAL.__name__
_CudaAPIError.__module__ = _REAL.__module__


def as_drivers(error: DeviceRefusal) -> DeviceRefusal:
    """Return the same error, as the driver's error of the stand-in too."""
    return _CudaAPIError(error)


def as_numbas(error: Refused) -> Refused:
    """Return the same error, as the `TypingError` of the stand-in and of real Numba too.

    What the emulator alone refuses (`NOT_RUN`) stays what it is.
    """
    if error.what.code in NOT_RUN:
        return error
    own = ERRORS["TypingError"]
    theirs: Any = getattr(sys.modules.get("numba.core.errors"), "TypingError", own)
    both = _combine((own,) if theirs is own else (theirs, own))
    found: NotTyped = both.__new__(both, *error.args)
    vars(found).update(vars(error))
    return found


@cache
def _combine(theirs: tuple[type[BaseException], ...]) -> Any:
    members = {
        "__module__": __name__, "__str__": NotTyped.__str__, "__reduce__": _reduce,
    }  # fmt: skip
    return type("NotTyped", (NotTyped, *theirs), members)


def _reduce(error: Refused) -> tuple[Any, ...]:
    """Pickle it for another process, in which the class is combined anew."""
    return _restore, (error.args, vars(error))


def _restore(arguments: tuple[Any, ...], attributes: dict[str, Any]) -> Refused:
    plain = NotTyped.__new__(NotTyped, *arguments)
    vars(plain).update(attributes)
    return as_numbas(plain)
