"""Confines this process for good, before it runs untrusted Python.

    confine(readable_paths())   # it computes, reads some folders, answers; nothing else

In layers, each as far as the machine has it: `Confinement` says which are there. Landlock closes
the files, and seccomp closes sockets, processes and writing. Both are Linux's; elsewhere the limits
on memory and files are what is left.
"""

from grader.confine.layers import Confinement, Guard, confine
from grader.confine.probe import probe

__all__ = ["Confinement", "Guard", "confine", "probe"]
