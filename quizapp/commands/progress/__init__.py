"""Commands that keep progress, move it, and rescue it."""
