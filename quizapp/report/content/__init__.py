"""Packs, questions, and what is wrong with them, as lines and as text."""
