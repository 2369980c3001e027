"""`python -m autograder` is the command line."""

import sys

from autograder.cli import main

sys.exit(main())
