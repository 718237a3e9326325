"""Writes kernels that must fail, whatever the problem: they show whether the gates are weak."""
