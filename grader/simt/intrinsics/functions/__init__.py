"""Functions of values, which know neither threads nor memory."""
