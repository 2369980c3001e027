"""Starts threads that patch and print while the checks run, and as many as it can."""

import threading
import time


def busy():
    while True:
        print("4.0")
        time.sleep(0.05)


for _ in range(500):
    try:
        threading.Thread(target=busy, daemon=True).start()
    except RuntimeError:
        break
