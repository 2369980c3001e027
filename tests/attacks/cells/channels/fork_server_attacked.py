"""Looks for sockets of the process it was forked from, and asks that process to stop or to start others."""

import os
import socket

for number in range(3, 256):
    try:
        connection = socket.socket(fileno=os.dup(number))
        connection.setblocking(False)
        for message in (b"stop\n", b"start\n", b"ready\n", b"\0\0\0\0"):
            connection.send(message)
    except OSError:
        pass
