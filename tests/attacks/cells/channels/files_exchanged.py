"""Puts a pipe of its own in the place of every open file, and answers itself."""

import os

reading, writing = os.pipe()
for number in range(3, 256):
    if number not in (reading, writing):
        try:
            os.fstat(number)
            os.dup2(writing, number)
        except OSError:
            pass
