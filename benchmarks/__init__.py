"""The engine side by side with its peers: `make bench`, which runs `python -m benchmarks`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))  # the corpus of submissions
