"""Where things are: data, configuration, cache, log, content. Decides, creates nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

APP = "gpu-quiz"


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders and files of one installation. `QUIZ_HOME` puts all of them in one place."""

    data: Path
    config: Path
    cache: Path
    log: Path

    @property
    def database(self) -> Path:
        """Progress: the event log and what derives from it."""
        return self.data / "progress.db"

    @property
    def own_content(self) -> Path:
        """The person's own packs, and their changed copies of shipped questions."""
        return self.data / "content"

    @property
    def installed_packs(self) -> Path:
        """Packs that `quiz pack add` installed: other people's, so their Python needs consent."""
        return self.data / "packs"

    @property
    def removed_packs(self) -> Path:
        """Where `quiz pack remove` puts packs; no deck reads it."""
        return self.data / "removed-packs"

    @property
    def trusted(self) -> Path:
        """What the person agreed to run of other people's packs."""
        return self.data / "trusted.json"

    @property
    def compiled_deck(self) -> Path:
        """The cache of the compiled deck."""
        return self.cache / "deck"

    @property
    def kept_plan(self) -> Path:
        """The report on the plan, until something changes."""
        return self.cache / "plan.json"

    @property
    def kept_home(self) -> Path:
        """What home shows at the next start before the database is open."""
        return self.cache / "home.json"

    @property
    def mutant_cache(self) -> Path:
        """What mutants of kernels came to."""
        return self.cache / "mutants"


def find_paths() -> Paths:
    """Find the paths that apply now, from `QUIZ_HOME` or the platform's conventions."""
    home = os.environ.get("QUIZ_HOME")
    if home:
        base = Path(home).expanduser().absolute()
        return Paths(base, base / "config.toml", base / "cache", base / "quiz.log")
    from platformdirs import PlatformDirs  # noqa: PLC0415 - 10 ms

    dirs = PlatformDirs(APP, appauthor=False)
    return Paths(
        data=dirs.user_data_path,
        config=dirs.user_config_path / "config.toml",
        cache=dirs.user_cache_path,
        log=dirs.user_log_path / "quiz.log",
    )


def absolute(path: str | Path) -> Path:
    """Return a path from the root: `..` goes, links stay links, as `resolve` would not have it."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - pathlib has nothing that does this


def shipped_content() -> Path:
    """Return the folder of content that came with the program."""
    return _shipped("content")


def shipped_docs() -> Path:
    """Return the folder of documents that came with the program."""
    return _shipped("docs")


def _shipped(folder: str) -> Path:
    """Return a folder of the installed package or, without an installation, of the checkout."""
    package = Path(__file__).parents[1]
    inside = package / folder
    return inside if inside.is_dir() else package.parent / folder


def is_checkout(path: Path) -> bool:
    """Return True if `path` is in a checkout, whose content its authors edit."""
    return path.is_relative_to(Path(__file__).parents[2] / "content")
