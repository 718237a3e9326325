"""Words of the guide screens."""

WORDS: dict[str, tuple[str, str]] = {}
