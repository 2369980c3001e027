"""Takes a gigabyte in each of eight processes: what one may have, times eight."""

import os
import time

for _ in range(8):
    if os.fork() == 0:
        hoard = bytearray(1 << 30)
        for start in range(0, len(hoard), 4096):
            hoard[start] = 1
        time.sleep(60)
        os._exit(0)
for _ in range(8):
    os.wait()
