"""The C dialect of index functions: tokens, syntax, types, evaluation. Nothing is executed."""
