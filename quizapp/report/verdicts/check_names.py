"""Names the checks that a submission fails at, by the keys of their gates: `counts: barriers`.

For tables of many submissions, where there is no verdict to tell more.
"""

from __future__ import annotations

from quizapp.report.verdicts import count_limits
from quizapp.report.verdicts.layout_verdict import access_name
from quizapp.report.words import Words

_TITLES = {
    "source": "kernel.gate.source", "result": "kernel.gate.result",
    "runs": "check.runs", "findings": "check.findings",
    "counts": "check.counts", "wavefronts": "check.wavefronts",
    "gpu compiles": "check.gpu-compiles", "gpu runs": "check.gpu-runs",
    "gpu result": "check.gpu-result", "gpu speedup": "check.gpu-speedup",
}  # fmt: skip
"""What a check is called whatever it is about; the others are those of layouts alone."""


def check_title(key: str, say: Words) -> str:
    """Name a check without what it is about."""
    name = key.partition(": ")[0]
    if name in _TITLES:
        return say(_TITLES[name])
    return say.get(f"layout.gate.{name.replace(' ', '-')}", name)


def check_name(key: str, say: Words) -> str:
    """Name a check with what it is about."""
    name, _, subject = key.partition(": ")
    title = check_title(key, say)
    match name:
        case "runs" | "findings" if subject:
            return say.get(f"finding.kind.{subject}", title)
        case "counts" if subject:
            return say("exercise.at", at=title, what=count_limits.counter_name(subject, say))
        case "wavefronts" if subject:
            return say("exercise.at", at=title, what=access_name(subject, say))
    return title
