"""The cost of an expression's access as a page: the map of the worst warp, figures, layouts."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.exercises.accesses import AccessAnalysis, LayoutSearch
from quizapp.report import accesses
from quizapp.report.html.maps import bank_map
from quizapp.report.html.page import figure, page, preformatted, text
from quizapp.report.words import Words


def access_page(
    analysis: AccessAnalysis, search: LayoutSearch | None, say: Words, *, why: bool
) -> bytes:
    """Return the analysis as one file of HTML; for the arguments, see `report.accesses`."""
    return page(analysis.query.source, _body(analysis, search, say, why=why), say)


def _body(
    analysis: AccessAnalysis, search: LayoutSearch | None, say: Words, *, why: bool
) -> Iterator[str]:
    for line in accesses.heading_lines(analysis, say):
        yield f"<p>{text(line[0][0])}</p>"
    worst = analysis.warps[analysis.worst]
    captions = [line[0][0] for line in accesses.figure_lines(analysis, say, why=why)]
    yield figure(captions, bank_map(worst, analysis.query.arch, say))
    if search is not None:
        yield preformatted(accesses.search_lines(analysis, search, say))
