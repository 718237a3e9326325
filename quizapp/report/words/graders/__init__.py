"""Sentences for the facts that the graders report, and for what surrounds them."""
