"""Sleeps for ever, which uses up no CPU time."""

import time

while True:
    time.sleep(1000)
