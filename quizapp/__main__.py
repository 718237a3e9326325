"""`python -m quizapp` is `quiz`."""

import sys

from quizapp.cli import main

if __name__ == "__main__":
    sys.exit(main())
