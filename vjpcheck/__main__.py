"""Runs the command line for `python -m vjpcheck`."""

import sys

from vjpcheck.cli import main

sys.exit(main())
