"""Blocks of threads that advance together: masks over time, their clock and their budget."""
