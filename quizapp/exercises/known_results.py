"""Gates at which kernels fail: what was run is not run again."""

from __future__ import annotations

import json
from collections.abc import Callable, MutableMapping
from hashlib import sha256

from grader.kernels import Problem
from grader.wire import to_plain
from quizapp import __version__

Known = MutableMapping[str, str]
"""What a digest of the program's version, the problem and the kernel's whole text came to: the key
of a gate, "" for a pass. Other rules make other texts, so they need no version."""
FindFailure = Callable[[Problem, str], str]
"""Return the gate that a submission fails; "" if it passes."""


def remember(find_failure: FindFailure, known: Known) -> FindFailure:
    """Return a function that runs only what is not known; what it raises is not kept."""

    def find(problem: Problem, source: str) -> str:
        text = f"{__version__}\n{json.dumps(to_plain(problem), sort_keys=True)}\n{source}"
        key = sha256(text.encode()).hexdigest()
        if key not in known:
            known[key] = find_failure(problem, source)
        return known[key]

    return find
