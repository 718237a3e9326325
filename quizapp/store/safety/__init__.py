"""Copies, damage, and ways out of it."""
