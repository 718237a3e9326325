"""The C dialect of index functions: tokens, syntax, types, lowering. Nothing is executed."""
