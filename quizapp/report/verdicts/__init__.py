"""Verdicts of the graders and of a GPU, as styled lines."""
