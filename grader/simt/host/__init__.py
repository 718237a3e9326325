"""The host's side without a GPU: a stand-in for `numba.cuda`, under which a script runs unmodified.

`runner` runs a script as `python script.py` would; `session` keeps what its launches did. Nothing
here imports Numba until `library.install`, which takes the rest of it where it is installed.
"""
