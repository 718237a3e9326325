"""What scripts that write a page of docs/ share: write it, or say whether it is current."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def write_or_check(target: Path, document: str, script: str, arguments: list[str] | None) -> int:
    """Write the document, or with `--check` return 1 when it differs from what would be written."""
    parser = argparse.ArgumentParser(description=f"Write docs/{target.name}.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on difference")
    check: bool = parser.parse_args(arguments).check
    if not check:
        target.write_text(document, encoding="utf-8")
        return 0
    if target.is_file() and target.read_text(encoding="utf-8") == document:
        return 0
    print(f"docs/{target.name} is not current: run python docs/{script}", file=sys.stderr)
    return 1
