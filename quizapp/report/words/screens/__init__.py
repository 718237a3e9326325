"""Words of the screens and of plain mode."""
