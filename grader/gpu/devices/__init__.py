"""A GPU, and what compiles for it."""
