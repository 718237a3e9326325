"""Index functions in Python: what is accepted, and its evaluation. Nothing is executed."""
