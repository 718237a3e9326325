"""Functions of CUDA that are refused by name, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable

from grader.facts import Fact, fact

_Why = Callable[[str], Fact]


def _each(names: str, why: _Why) -> dict[str, _Why]:
    return dict.fromkeys(names.split(), why)


_NAMES: dict[str, _Why] = {
    **_each(
        "clock clock64 __clock __clock64 __globaltimer",
        lambda name: fact("cpp.no-clock", name=name),
    ),
    **_each(
        """__isGridConstant __isClusterShared __cvta_generic_to_constant __cvta_generic_to_local
        __cvta_constant_to_generic __cvta_local_to_generic""",
        lambda name: fact("cpp.no-address-spaces", name=name),
    ),
    **_each(
        "memcmp",
        lambda name: fact("cpp.no-byte-copies", name=name),
    ),
    **_each("malloc free calloc alloca", lambda _name: fact("cpp.no-new")),
    **_each(
        "__shfl __shfl_up __shfl_down __shfl_xor __all __any __ballot",
        lambda name: fact("cpp.removed-primitive", name=name),
    ),
}
_PATTERNS: tuple[tuple[str, _Why], ...] = (
    (r"__nv_atomic_\w+", lambda name: fact("cpp.no-atomic-builtin", name=name)),
    (r"__cluster\w+|__threadfence_cluster", lambda _name: fact("cpp.no-clusters")),
    (r"__nv_cvt_\w+", lambda _name: fact("cpp.no-fp4")),
    (
        r".*bfloat16.*|.*_bf16|__h\w*2(_\w+)?|h2\w+|__\w*half2\w*",
        lambda name: fact("cpp.no-narrow-function", name=name),
    ),
    (r"cuda[A-Z]\w+", lambda name: fact("cpp.host-api", name=name)),
    (r"__\w*(mma|ldmatrix)_\w+", lambda _name: fact("cpp.no-wmma")),
)


def why_refused(name: str) -> Fact | None:
    """Return why a function of CUDA is not emulated; None for what is none."""
    if name in _NAMES:
        return _NAMES[name](name)
    found = (why(name) for pattern, why in _PATTERNS if re.fullmatch(pattern, name))
    return next(found, None)
