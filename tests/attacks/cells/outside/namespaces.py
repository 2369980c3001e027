"""Tries to leave the sandbox: new namespaces, mounts, chroot, setuid, open_by_handle_at, keyrings, BPF."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x10000000 | 0x00020000, 0x40000000):
    libc.unshare(flag)
libc.mount(b"proc", b"/tmp", b"proc", 0, None)
libc.mount(b"/dev/vda", b"/tmp", b"ext4", 0, None)
libc.chroot(b"..")
libc.pivot_root(b".", b".")
libc.umount2(b"/", 2)
libc.mknod(b"wyob-attack-disk", 0o060666, os.makedev(254, 0))
for call in (298, 321, 250, 304, 425, 435, 175, 169, 159, 153):
    libc.syscall(call, 0, 0, 0, 0, 0)
for user in (0, 1000):
    for change in (os.setuid, os.setgid):
        try:
            change(user)
        except OSError:
            pass
