"""The host's side without a GPU: a stand-in for `numba.cuda`, under which a script runs unmodified.

The built-in errors that it raises (`TypeError`, `ValueError`, `AttributeError`, …) imitate Numba's,
so their text is English, as a script that prints or matches it expects. What the emulator refuses
is a fact even here.

`runner` runs a script as `python script.py` would; `session` keeps what its launches did. Nothing
here imports Numba until `library.install`, which takes the rest of it where it is installed.
"""
