"""Benchmarks of `quiz`: `python -m bench` prints one table. A tool, no test and no part of quiz."""
