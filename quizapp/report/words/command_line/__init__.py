"""Words of the command line: help, tables, questions, wrong calls."""
