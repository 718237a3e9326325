"""Widgets of our own: each draws one thing from plain values."""
