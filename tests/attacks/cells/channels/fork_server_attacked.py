"""Looks for sockets of the process it was forked from, and asks that process to stop or to start others.

uses: sockets
"""

for number in range(3, 256):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode) and number not in conversation():
            os.set_blocking(number, False)
            for message in (b"+", b"?", b"-", b"\0" * 64):
                os.write(number, message)
            print("a further socket:", number)
    except OSError:
        pass
