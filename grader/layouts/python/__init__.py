"""Index functions in Python: what is accepted, and its lowering. Nothing is executed."""
