"""What a kernel was compiled to is kept for as long as the kernel, and no longer."""

from __future__ import annotations

import gc
import weakref

import numpy as np

from grader.simt import compile_for, read


def test_a_kernel_that_nothing_names_any_more_is_gone_with_what_it_was_compiled_to():
    function = read("from numba import cuda\n\n\n@cuda.jit\ndef k(a):\n    a[0] = 1\n")
    compiled = compile_for(function, [np.zeros(1, np.float32)])
    assert compile_for(function, [np.zeros(2, np.float32)]) is compiled
    left = weakref.ref(function), weakref.ref(compiled)
    del function, compiled
    gc.collect()
    assert [each() for each in left] == [None, None]
