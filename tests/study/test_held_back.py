"""Sessions without a foreign pack's kernels: in the service, in plain mode and on the screens."""

from __future__ import annotations

import pytest

from grader import extras
from quizapp.domain.errors import EnvironmentProblem
from quizapp.report.content.packs import pack_rows
from quizapp.report.words import Words
from quizapp.study.browsing import details, list_questions
from quizapp.study.home_values import Filter
from quizapp.study.opening import open_study
from quizapp.study.overview import home
from quizapp.study.packs import list_packs
from quizapp.system.config import Settings
from quizapp.system.extras import check_installed
from quizapp.system.installing import install_command
from quizapp.system.trust import agree, digest
from quizapp.tui.widgets.question_table import due
from tests.foreign import foreign_pack
from tests.tui.pilots import NARROW, FixedClock, open_app, paths_in, tap
from tests.tui.screen_text import rest, settle

NAMES = {"strange/kernel-saxpy", "strange/kernel-dot-product"}


@pytest.fixture
def foreign(tmp_path):
    """A foreign pack's root, as the setting."""
    foreign_pack(tmp_path / "packs")
    return {"content": (str(tmp_path / "packs"),)}


def test_a_session_skips_them_until_the_person_agrees(tmp_path, foreign):
    paths = paths_in(tmp_path / "home")
    everything = Filter(kind="kernel", new=1000)
    with open_study(paths, Settings(**foreign), FixedClock()) as study:
        study.session.begin(everything)
        assert not NAMES & {item.question for item in study.session.queue.waiting}
        assert home(study).held_back == {"strange": 2}
        assert {row.entry.id for row in list_questions(study)} >= NAMES  # to be read, not run
        assert details(study, "strange/kernel-saxpy", reveals=True).held_back
        assert not details(study, "shared-memory/kernel-saxpy", reveals=True).held_back
        # Agreed to in another window
        agree(paths, "strange", [digest(study.deck.question(name)) for name in NAMES])
        study.session.begin(everything)
        assert {item.question for item in study.session.queue.waiting} >= NAMES
        assert home(study).held_back == {}


def test_what_changes_while_it_waits_leaves_the_session(tmp_path, foreign):
    paths = paths_in(tmp_path / "home")
    with open_study(paths, Settings(**foreign), FixedClock()) as study:
        agree(paths, "strange", [digest(study.deck.question(name)) for name in NAMES])
        study.session.begin(Filter(kind="kernel", new=1000))
        paths.trusted.unlink()
        study.use_deck(study.deck)
        assert not NAMES & {item.question for item in study.session.queue.waiting}


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_home_and_browser_say_so(tmp_path, foreign, language):
    say = Words(language)
    async with open_app(tmp_path / "home", size=NARROW, language=language, **foreign) as pilot:
        assert say("trust.held-back", n=2, pack="strange") in await settle(pilot)
    async with open_app(
        tmp_path / "home", at="app.browse", size=NARROW, language=language, **foreign
    ) as pilot:
        app = pilot.app
        app.study.examiner.check = None  # would be called by what is shown
        app.screen.query_one("#search").value = "strange/kernel-saxpy"
        await rest(pilot)
        await tap(pilot, "escape", "space")
        text = "".join((await settle(pilot)).split())
        assert "".join(say("browser.held-back", pack="strange").split()) in text


TRITON = "frameworks/kernel-triton-add"


@pytest.mark.parametrize("there", [True, False])
def test_a_question_waits_for_the_extra_that_it_needs(tmp_path, monkeypatch, there):
    monkeypatch.setitem(extras._PACKAGES, "triton", "numpy" if there else "nothing_of_this_name")
    paths = paths_in(tmp_path / "home")
    say = Words("en")
    with open_study(paths, Settings(), FixedClock()) as study:
        study.session.begin(Filter(kind="kernel", pack="frameworks", new=1000))
        asked = {item.question for item in study.session.queue.waiting} | {
            candidate.question for candidate in study.course.every_candidate()
        }
        assert (TRITON in asked) == there
        seen = details(study, TRITON, reveals=True)
        assert seen.held_back != there
        row = next(row for row in list_questions(study) if row.entry.id == TRITON)
        shown = {language: due(row, Words(language)) for language in ("en", "zh")}
        assert (shown == {"en": "needs triton", "zh": "需要 triton"}) != there
        assert home(study).held_back == {}  # nothing to agree to
        rows = pack_rows(list_packs(study.deck, paths, Settings()), say)
        assert any("gpu-quiz[triton]" in cell for row in rows for cell in row) != there
        if there:
            return
        with pytest.raises(EnvironmentProblem) as caught:
            check_installed(TRITON, study.deck.question(TRITON))
        assert install_command("triton") in say.error(caught.value)
