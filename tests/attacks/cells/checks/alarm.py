"""Lets a timer interrupt the checks every few milliseconds, with a handler that raises and one that patches."""

import signal


def ring(number, frame):
    frame.f_globals["close"] = lambda *_: True
    raise KeyboardInterrupt


signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
