"""What a folder or a zip file of a pack must not hold; and a zip file that is always the same."""

from __future__ import annotations

import io
import os
import random
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from quizapp.deck.installing import pack_files
from quizapp.deck.installing.pack_files import make_zip, read_folder, read_zip
from quizapp.domain.errors import BadPack

FILES = {"pack.yaml": b"title: x\n", "a/one.yaml": b"- id: x\n"}


def zip_at(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    """Write a zip file of members, with whatever names they have."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def special(name: str, kind: int) -> zipfile.ZipInfo:
    """A member of a kind that Unix knows: a link, a device."""
    member = zipfile.ZipInfo(name)
    member.create_system, member.external_attr = 3, (kind | 0o777) << 16
    return member


def refused(read, place: Path) -> str:
    """The code of the reason why nothing is read."""
    with pytest.raises(BadPack) as error:
        read(place)
    return error.value.what.code


def test_a_zip_file_is_the_same_bytes_whenever_and_in_whichever_order_it_is_made(tmp_path):
    made = make_zip(FILES, {"a/one.yaml"})
    assert make_zip(dict(reversed(FILES.items())), ["a/one.yaml"]) == made
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.namelist() == ["a/one.yaml", "pack.yaml"]
        assert {member.date_time[0] for member in archive.infolist()} == {1980}
        assert [member.external_attr >> 16 & 0o777 for member in archive.infolist()] == [
            0o755,
            0o644,
        ]
    (tmp_path / "made.zip").write_bytes(made)
    assert read_zip(tmp_path / "made.zip") == FILES


@pytest.mark.parametrize(
    "name",
    [
        "../evil.yaml",
        "pack/../../evil.yaml",
        "/etc/evil.yaml",
        "pack\\..\\evil.yaml",
        "C:/evil.yaml",
        "..",
    ],
)
def test_a_name_that_leads_out_is_refused(tmp_path, name):
    path = zip_at(tmp_path / "a.zip", ("pack/pack.yaml", b""), (name, b"evil"))
    assert refused(read_zip, path) == "pack.leads-out"


@pytest.mark.parametrize("name", ["a//b.yaml", "./a.yaml", "a\nb.yaml", "a\x1b[2J.yaml", "x" * 201])
def test_a_name_that_no_file_should_have_is_refused(tmp_path, name):
    assert refused(read_zip, zip_at(tmp_path / "a.zip", (name, b""))) == "pack.bad-name"


def test_a_name_that_ends_at_a_zero_byte_is_refused(tmp_path):
    path = zip_at(tmp_path / "a.zip", ("pack.yaml?../x", b""))
    path.write_bytes(path.read_bytes().replace(b"pack.yaml?", b"pack.yaml\0"))
    assert refused(read_zip, path) in ("pack.bad-name", "pack.leads-out")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (stat.S_IFLNK, "pack.link"),
        (stat.S_IFCHR, "pack.not-plain"),
        (stat.S_IFIFO, "pack.not-plain"),
    ],
)
def test_links_and_devices_in_a_zip_file_are_refused(tmp_path, kind, code):
    member = special("pack/secret.yaml", kind)
    assert refused(read_zip, zip_at(tmp_path / "a.zip", (member, b"/etc/passwd"))) == code


@pytest.mark.parametrize(
    "names",
    [("a.yaml", "a.yaml"), ("A.yaml", "a.yaml"), ("\u00e9.yaml", "e\u0301.yaml"), ("a", "a/b.yaml"),
     ("a/b.yaml", "a"), ("A/x.yaml", "a/y.yaml")],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_names_of_one_file_are_refused(tmp_path, names):
    path = zip_at(tmp_path / "a.zip", *((name, name.encode()) for name in names))
    assert refused(read_zip, path) == "pack.same-name"


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    huge = zip_at(tmp_path / "huge.zip", ("a.yaml", bytes(100_000_000)))
    assert huge.stat().st_size < 200_000
    assert refused(read_zip, huge) == "pack.file-too-large"
    monkeypatch.setattr(pack_files, "MOST_TOTAL", 1_000_000)
    parts = [(f"{n}.yaml", bytes(400_000)) for n in range(3)]
    assert refused(read_zip, zip_at(tmp_path / "parts.zip", *parts)) == "pack.too-large"
    monkeypatch.setattr(pack_files, "MOST_FILES", 10)
    many = [(f"{n}.yaml", b"") for n in range(11)]
    assert refused(read_zip, zip_at(tmp_path / "many.zip", *many)) == "pack.too-many-files"
    many = [(f".hidden/{n}", b"") for n in range(21)]
    assert refused(read_zip, zip_at(tmp_path / "hidden.zip", *many)) == "pack.too-many-files"


def test_a_member_that_states_too_small_a_size_is_refused(tmp_path):
    path = zip_at(tmp_path / "a.zip", ("a.yaml", bytes(50_000)))
    sizes = (50_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(sizes, (5).to_bytes(4, "little")))
    assert refused(read_zip, path) == "pack.bad-zip"


def test_an_encrypted_member_is_refused(tmp_path):
    path = zip_at(tmp_path / "a.zip", ("a.yaml", b"x"))
    data = bytearray(path.read_bytes())
    for signature, flags in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        data[data.index(signature) + flags] |= 1
    path.write_bytes(data)
    assert refused(read_zip, path) == "pack.encrypted"


def test_a_spoilt_zip_file_is_read_or_refused_and_never_an_accident(tmp_path):
    good = make_zip(FILES, "mine")
    chance, path = random.Random(17), tmp_path / "a.zip"
    for _ in range(1000):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data[: chance.choice((len(data), chance.randrange(len(data))))])
        try:
            files = read_zip(path)
        except BadPack:
            continue
        assert all(not name.startswith(("/", "..")) for name in files)


def test_of_a_folder_what_no_deck_reads_is_left_out(tmp_path):
    for name in (*FILES, ".git/config", ".secret", "__pycache__/x.pyc", "old.reverted/a.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(FILES.get(name, b""))
    assert read_folder(tmp_path) == FILES


@pytest.mark.parametrize("target", ["/etc/passwd", "/etc", "pack.yaml", "nowhere"])
def test_a_link_in_a_folder_is_refused(tmp_path, target):
    (tmp_path / "pack.yaml").write_text("")
    (tmp_path / "link.yaml").symlink_to(target)
    assert refused(read_folder, tmp_path) == "pack.link"


def test_a_pipe_in_a_folder_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert refused(read_folder, tmp_path) == "pack.not-plain"


def test_another_kind_of_archive_is_refused(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "tarfile", "-c", "a.zip", __file__], cwd=tmp_path, check=True
    )
    assert refused(read_zip, tmp_path / "a.zip") == "pack.bad-zip"
