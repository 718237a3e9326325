"""Writes content: templates of new questions, changed copies, shorter mistakes."""
