"""The host's side without a GPU: a stand-in for `numba.cuda`, under which a script runs unmodified.

`runner` runs a script as `python script.py` would; `session` keeps what its launches did. Imports
no Numba, save `library` when it is told to stand in for a part of it.
"""
