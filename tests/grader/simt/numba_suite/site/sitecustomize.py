"""For processes that a test of Numba's starts: the stand-in is installed there too."""

from tests.grader.simt.numba_suite.child import stand_in

stand_in()
