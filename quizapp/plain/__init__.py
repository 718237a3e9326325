"""`quiz start --plain`: a session line by line on standard input and output.

For screen readers, dumb terminals and scripts: no cursor movement, no colour, no box drawing. The
same study service as the terminal application, and the same words for the same things.
"""
