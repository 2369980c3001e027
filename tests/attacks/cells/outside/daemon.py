"""Leaves a daemon behind that writes into the gradebook, the course and the network after the run."""

import os
import socket
import sqlite3
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(256):
            try:
                os.close(number)
            except OSError:
                pass
        for _ in range(100):
            time.sleep(0.3)
            try:
                with open(f"{COURSE}/wyob-attack-daemon", "a") as file:
                    file.write("here\n")
            except OSError:
                pass
            try:
                book = sqlite3.connect(f"{COURSE}/gradebook.db", timeout=1)
                book.execute("update grade set auto_score = 4, manual_score = 4")
                book.commit()
                book.close()
            except Exception:
                pass
            try:
                socket.create_connection(("127.0.0.1", PORT), timeout=1).close()
            except OSError:
                pass
    os._exit(0)
