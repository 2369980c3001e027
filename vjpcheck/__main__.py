"""`python -m vjpcheck` is the command line."""

import sys

from vjpcheck.cli import main

sys.exit(main())
