"""Asks Numba about all forms, and records what it answers.

    python -m tests.grader.simt.forms

It needs numba-cuda, here or in the Python that QUIZ_NUMBA_CUDA names; neither a GPU nor a driver.
"""

from __future__ import annotations

import json
import sys

from tests.grader.simt.forms.asking import NO_ORACLE, RECORD, ask_numba, forms, oracle


def main() -> None:
    """Write the record anew."""
    python = oracle()
    if python is None:
        sys.exit(NO_ORACLE)
    answers = ask_numba(python, forms())
    lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
