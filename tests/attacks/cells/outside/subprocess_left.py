"""Starts a shell, a Python and a background job that go on for an hour."""

import subprocess
import sys

for command in (
    ["sh", "-c", "sleep 3600 &"],
    [sys.executable, "-c", "import time; time.sleep(3600)"],
    ["sleep", "3600"],
):
    try:
        subprocess.Popen(command, start_new_session=True)
    except OSError:
        pass
