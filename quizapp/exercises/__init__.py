"""From a question's plain data to the grader's values, and back to words for the person.

`traces` draws the parameters of a `trace` question and computes its answer; `layouts` grades what
is written for an `index` question; `proofs` shows that both kinds hold what they promise. Knows no
file, no store and no screen. Loads the grader, and NumPy with it: import it when it is needed.
"""
