"""What is wrong with content beyond its form: texts, proofs, mutants."""
