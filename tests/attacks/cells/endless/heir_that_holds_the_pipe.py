"""Ends, and leaves a child that holds every open file and says nothing, so that no end of file is seen."""

import os
import time

if os.fork():
    os._exit(0)
os.setsid()
time.sleep(3600)
