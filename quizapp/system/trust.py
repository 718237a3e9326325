"""Whose Python may run: a person's own questions' at once, other packs' after they agreed to it.

Owns what of a question would run, and the file in which consent is kept, by content: a change makes
it void. Asks no question, and runs nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grader.facts import fact
from quizapp.domain.errors import DataError, NotAgreed
from quizapp.domain.question import AnyQuestion, Kernel
from quizapp.system import os_errors
from quizapp.system.files import replace_file
from quizapp.system.paths import Paths, absolute, shipped_content


@dataclass(frozen=True, slots=True)
class Trust:
    """What may run.

    Attributes:
        own: folders whose questions are the person's, or came with the program.
        agreed: digests of what they agreed to.
    """

    own: tuple[str, ...] = ()
    agreed: frozenset[str] = frozenset()

    def owns(self, file: str) -> bool:
        """Return True for a file below a folder of the person's; `..` leads nowhere else."""
        place = f"{absolute(file)}/"  # as text: each start asks it of 100 kernels, twice
        return any(place.startswith(f"{folder.rstrip('/')}/") for folder in self.own)

    def allows(self, file: str, question: AnyQuestion) -> bool:
        """Return True if the question runs nothing, is the person's own, or was agreed to."""
        return (
            not isinstance(question, Kernel) or self.owns(file) or digest(question) in self.agreed
        )


def runnable(question: Kernel) -> dict[str, str]:
    """Collect the code of a question that is executed, by file.

    The reference when the question is shown or graded, the others on a GPU only.
    """
    parts = {"reference.py": question.reference, "solution.py": question.solution}
    if question.gpu is not None:
        parts["baseline.py"] = question.gpu.baseline
    if question.cuda is not None:
        parts["solution.cu"] = question.cuda.solution
        parts["baseline.cu"] = question.cuda.baseline
    for mistake in question.wrong:
        parts[f"wrong/{mistake.file}.py"] = mistake.source
        if mistake.cuda is not None:
            parts[f"wrong/{mistake.file}.cu"] = mistake.cuda.source
    return {name: text for name, text in parts.items() if text}


def digest(question: Kernel) -> str:
    """Hash everything of a question that is executed."""
    return hashlib.sha256(json.dumps(runnable(question), sort_keys=True).encode()).hexdigest()


def own_folders(paths: Paths) -> tuple[str, ...]:
    """Return the shipped questions and the person's own content."""
    return tuple(str(absolute(folder)) for folder in (shipped_content(), paths.own_content))


def read_trust(paths: Paths) -> Trust:
    """Read what may run now. Raises DataError: the file with the consent cannot be read."""
    agreed = (digest for digests in _read(paths).values() for digest in digests)
    return Trust(own_folders(paths), frozenset(agreed))


def check_may_run(name: str, file: str, question: AnyQuestion, paths: Paths) -> None:
    """Check that the Python of a question is the person's own, or that they agreed to it.

    Raises NotAgreed: neither.
    """
    if not read_trust(paths).allows(file, question):
        raise NotAgreed(name.split("/", 1)[0], fact("trust.not-yours", question=name))


def agree(paths: Paths, pack: str, digests: Iterable[str]) -> None:
    """Store that the person agreed to a pack's content, in place of any earlier consent.

    Raises EnvironmentProblem: it is not stored.
    """
    _write(paths, {**_read(paths), pack: sorted(digests)})


def withdraw(paths: Paths, pack: str) -> bool:
    """Forget that the person agreed to a pack; False if they had not.

    Raises EnvironmentProblem: it is not stored.
    """
    known = _read(paths)
    if pack not in known:
        return False
    _write(paths, {name: digests for name, digests in known.items() if name != pack})
    return True


def _read(paths: Paths) -> dict[str, list[str]]:
    """Read the digests of each pack that was agreed to."""
    try:
        packs = json.loads(paths.trusted.read_bytes())["packs"]
        return {str(name): [str(digest) for digest in digests] for name, digests in packs.items()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        reason = os_errors.system_reason(error)
        raise DataError(fact("file.unreadable", path=str(paths.trusted), reason=reason)) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise DataError(fact("trust.not-written-here", path=str(paths.trusted))) from None


def _write(paths: Paths, packs: Mapping[str, list[str]]) -> None:
    replace_file(paths.trusted, f"{json.dumps({'packs': packs}, indent=2)}\n".encode())
