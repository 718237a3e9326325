"""A running application that does not paint each change for a terminal that is not there.

That is a tenth of what a screen costs a test. Tests read the screen from the compositor, which
renders the same widgets when it is asked.
"""

from __future__ import annotations

from typing import Any

import pytest
from textual._compositor import Compositor


def paint_nothing(patch: pytest.MonkeyPatch) -> None:
    """Spare one test the painting."""
    patch.setattr(Compositor, "render_update", _render_nothing)


def _render_nothing(compositor: Compositor, **_how: Any) -> None:
    compositor._dirty_regions.clear()
