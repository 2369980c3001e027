"""The seed of a run: `make test-all` draws one anew each time, and `make test-all SEED=…` repeats a run."""

from __future__ import annotations

import os

RUN_SEED = int(os.environ.get("SEED", "0"))
