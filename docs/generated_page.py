"""What scripts that write a page of docs/ share: write it, or say whether it is current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"


def read_questions(content: Path = CONTENT) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the questions of all packs as they are written, each with the id of its pack."""
    for path in sorted(content.glob("*/**/*.yaml")):
        read = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        for one in read if isinstance(read, list) else [read]:
            if isinstance(one, dict) and "kind" in one:
                yield path.relative_to(content).parts[0], one


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
