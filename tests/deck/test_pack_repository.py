"""Packs from git: local repositories in place of those behind https and ssh."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from quizapp.deck.installing import pack_repository
from quizapp.deck.installing.pack_repository import (
    check_url,
    is_url,
    read_repository,
    repository_name,
)
from quizapp.domain.errors import BadPack, EnvironmentProblem

SETTINGS = ("user.name=x", "user.email=x@example.org", "protocol.file.allow=always")
OPTIONS = [word for setting in SETTINGS for word in ("-c", setting)]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *OPTIONS, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def work(tmp_path, needs_program, monkeypatch) -> Path:
    """A work tree to commit from; repositories may be fetched from the disk."""
    needs_program("git")
    monkeypatch.setattr(pack_repository, "PROTOCOLS", ("https", "ssh", "file"))
    folder = tmp_path / "tiny"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "pack.yaml").write_text("title: Tiny\n")
    return folder


def commit(work: Path) -> str:
    """Commit everything; the URL to fetch it by."""
    git(work, "add", "--all")
    git(work, "commit", "--quiet", "--message", "a pack")
    return f"file://{work}"


def refused(url: str) -> str:
    with pytest.raises(BadPack) as error:
        read_repository(url)
    return error.value.what.code


def test_the_newest_commit_is_read_as_it_was_committed(work):
    commit(work)
    (work / "sub").mkdir()
    (work / "sub" / "a.yaml").write_bytes(b"- id: \xc3\xa9\r\n\0")
    (work / "empty.yaml").write_bytes(b"")
    (work / ".gitignore").write_bytes(b"*.pyc\n")
    url = commit(work)
    assert read_repository(url) == {
        "pack.yaml": b"title: Tiny\n",
        "sub/a.yaml": b"- id: \xc3\xa9\r\n\0",
        "empty.yaml": b"",
    }


def test_nothing_of_a_repository_runs(work, tmp_path, monkeypatch):
    """Neither its filters nor a template's or a setting's hooks have a turn."""
    ran = tmp_path / "ran"
    hooks = tmp_path / "template" / "hooks"
    hooks.mkdir(parents=True)
    for hook in ("post-checkout", "reference-transaction", "post-merge"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / hook).chmod(0o755)
    (tmp_path / ".gitconfig").write_text(
        f"[init]\ntemplateDir = {hooks.parent}\n[core]\nhooksPath = {hooks}\n"
        f'[filter "evil"]\nsmudge = touch {ran}\nprocess = touch {ran}\nrequired = true\n'
    )
    (work / ".gitattributes").write_text("*.yaml filter=evil\n")
    url = commit(work)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_repository(url) == {"pack.yaml": b"title: Tiny\n"}
    assert not ran.exists()


def test_a_link_is_refused(work):
    (work / "link.yaml").symlink_to("/etc/passwd")
    assert refused(commit(work)) == "pack.link"


def test_a_submodule_is_refused_and_not_fetched(work, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    (other / "a.yaml").write_text("")
    commit(other)
    git(work, "submodule", "--quiet", "add", f"file://{other}", "sub")
    assert refused(commit(work)) == "pack.submodule"


def test_too_much_is_refused(work, monkeypatch):
    (work / "a.bin").write_bytes(os.urandom(5_000_000))
    url = commit(work)
    assert refused(url) == "pack.file-too-large"
    with monkeypatch.context() as set_here:
        set_here.setattr(pack_repository, "MOST_FILES", 0)
        assert refused(url) == "pack.too-many-files"
    monkeypatch.setattr(pack_repository, "MOST_FETCHED", 1_000_000)
    assert refused(url) == "pack.too-large"


def test_a_fetch_that_takes_too_long_is_ended(work, monkeypatch):
    url = commit(work)
    monkeypatch.setattr(pack_repository, "FETCH_SECONDS", -1)
    assert refused(url) == "pack.too-slow"


def test_what_cannot_be_fetched_is_refused_in_the_words_of_git(work, tmp_path):
    assert refused(f"file://{work}") == "pack.not-fetched"  # no commit yet
    with pytest.raises(BadPack) as error:
        read_repository(f"file://{tmp_path}/nowhere")
    assert "does not" in str(error.value.what.fields["reason"])


def test_a_missing_git_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentProblem) as error:
        read_repository("https://127.0.0.1:9/x.git")
    assert error.value.what.code == "pack.no-git"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.org/x.git", "pack.bad-protocol"),
        ("git://example.org/x.git", "pack.bad-protocol"),
        ("file:///tmp/x.git", "pack.bad-protocol"),
        ("ext::sh -c true", "pack.bad-url"),
        ("--upload-pack=touch /tmp/x", "pack.bad-url"),
        ("ssh://-oProxyCommand=true/x", "pack.bad-url"),
        ("ssh://me@-oProxyCommand=true/x", "pack.bad-url"),
        ("https:///x.git", "pack.bad-url"),
        ("https://example.org", "pack.bad-url"),
        ("https://example.org/a b", "pack.bad-url"),
        ("me@-oProxyCommand=true:x", "pack.bad-url"),
        ("me@example.org:-x", "pack.bad-url"),
    ],
)
def test_only_https_and_ssh_with_a_host_are_fetched(url, code):
    with pytest.raises(BadPack) as error:
        check_url(url)
    assert error.value.what.code == code


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/gpu/tiny.git",
        "https://me:secret@example.org:8443/tiny",
        "ssh://git@example.org/tiny.git/",
        "ssh://git@[::1]:22/tiny.git",
        "git@example.org:gpu/tiny.git",
        "git@example.org:tiny",
    ],
)
def test_urls_that_are_fetched_have_the_name_of_their_last_part(url):
    check_url(url)
    assert is_url(url)
    assert repository_name(url) == "tiny"


@pytest.mark.parametrize("path", ["tiny.zip", "./a@b", "C:", "/tmp/x", "~/x", "a@b"])
def test_paths_are_no_urls(path):
    assert not is_url(path)
