"""`make demo`: eight Functions from five texts; the one with a known fault is named, the others pass."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_demo_passes_what_is_right_and_names_what_is_not():
    done = subprocess.run(["make", "demo"], cwd=ROOT, capture_output=True, text=True, check=True)
    verdicts = {
        line.split()[0]: line.split()[2]
        for line in done.stdout.splitlines()
        if ".py " in line and "/" in line
    }
    files = {path.name for path in (ROOT / "demo" / "submissions").glob("*.py")}
    assert set(verdicts) == files
    assert {name for name, verdict in verdicts.items() if verdict == "FAILED"} == {"functional_linear.py"}
    assert "missing-unbroadcast (contract): The gradient for weight" in done.stdout
    assert "The same holds for bias." in done.stdout
