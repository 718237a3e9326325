"""Special files in a pack: named as problems, nothing of them read, and nothing waits for them."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from quizapp.deck.code_files import LONGEST
from quizapp.deck.linting.lint import lint
from quizapp.deck.regular_files import MOST_BYTES, IrregularFile, read_regular
from tests.deck.tools import CHOICE, write
from tests.foreign import foreign_pack
from tests.sentences import english, sentence

SECRET = "a secret of the person's"


def make(kind: str, path: Path, outside: Path) -> None:
    """A special file at `path`, in place of what is there."""
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    match kind:
        case "FIFO":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as one:
                here = Path.cwd()
                os.chdir(path.parent)  # a socket's path may have 107 bytes
                one.bind(path.name)
                os.chdir(here)
        case "device":
            path.symlink_to("/dev/zero")
        case "link out":
            outside.write_text(SECRET)
            path.symlink_to(outside)
        case "link to nothing":
            path.symlink_to(path.with_name("nothing"))
        case "huge":
            with path.open("wb") as file:
                file.truncate(1 << 40)


SAYS = {
    "FIFO": "is a FIFO, not a file",
    "socket": "is a socket, not a file",
    "device": "is a link that leads out of its pack",
    "link out": "is a link that leads out of its pack",
    "link to nothing": "is a link to nothing",
    "huge": "is larger than",
}


@pytest.mark.parametrize("kind", SAYS)
def test_a_special_file_as_yaml_is_a_problem_and_the_rest_is_read(tmp_path, kind):
    root = tmp_path / "root"
    write(root, "pack/good.yaml", CHOICE)
    make(kind, root / "pack" / "special.yaml", tmp_path / "outside")
    for paths in ([], [root / "pack"], [root / "pack" / "special.yaml"]):
        report = lint(paths, [str(root)])
        special = root / "pack" / "special.yaml"
        found = [(p.file, p.line, p.column, english(p)) for p in report.problems]
        assert [one[:3] for one in found] == [(str(special), 1, 1)]
        assert found[0][3].startswith(f"special.yaml {SAYS[kind]}")
        assert SECRET not in str(report)
        assert report.questions == (0 if paths[:1] == [special] else 1)


@pytest.mark.parametrize("kind", SAYS)
@pytest.mark.parametrize("name", ["reference.py", "wrong/no-guard.py"])
def test_a_special_file_as_python_is_a_problem(tmp_path, kind, name):
    pack = foreign_pack(tmp_path / "root")
    make(kind, pack / "saxpy" / name, tmp_path / "outside")
    (problem,) = lint([pack / "saxpy"], [str(tmp_path / "root")]).problems
    assert sentence(problem.what).startswith(f"{name} {SAYS[kind]}")
    assert SECRET not in str(problem)


def test_links_inside_a_pack_and_to_a_pack_are_read(tmp_path):
    away, root = tmp_path / "away", tmp_path / "root"
    write(away, "pack/real.txt", CHOICE)
    (away / "pack" / "q.yaml").symlink_to("real.txt")
    root.mkdir()
    (root / "pack").symlink_to(away / "pack")
    report = lint([], [str(root)])
    assert (report.questions, report.problems) == (1, ())


def test_a_circle_of_links_ends(tmp_path):
    write(tmp_path, "pack/sub/q.yaml", CHOICE)
    (tmp_path / "pack" / "sub" / "up").symlink_to(tmp_path / "pack")
    report = lint([], [str(tmp_path)])
    assert report.questions == 1
    assert [sentence(p.what) for p in report.problems] == ["up is a link to a folder"]


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_not_opened(path):
    with pytest.raises(IrregularFile, match=r"file\.device"):
        read_regular(path)


def test_the_limits_are_exact(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"x" * LONGEST)
    assert len(read_regular(str(file), LONGEST)) == LONGEST
    with pytest.raises(IrregularFile, match="too-large"):
        read_regular(str(file), LONGEST - 1)
    assert MOST_BYTES > LONGEST
