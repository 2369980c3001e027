"""The system calls that a submission may make; all others fail with ENOSYS, and some with EPERM."""

import errno
import os
import tempfile
from typing import Any

from autograder.grading.sandbox.namespaces import (
    CLONE_THREAD,
    NEW_CGROUP,
    NEW_NAMESPACES,
    NEW_PROCESSES,
    NEW_USER,
)

_ANY_NEW = NEW_NAMESPACES | NEW_PROCESSES | NEW_USER | NEW_CGROUP

_READING = """
read readv pread64 preadv preadv2 close close_range stat fstat lstat newfstatat statx statfs fstatfs access
faccessat faccessat2 lseek getdents getdents64 getcwd chdir fchdir readlink readlinkat fadvise64 dup dup2 dup3
fcntl flock ioctl poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
eventfd eventfd2 pipe pipe2 write writev pwrite64 pwritev pwritev2
"""
_MEMORY = "mmap mprotect munmap mremap madvise brk msync mincore membarrier"
_ITSELF = """
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack sched_yield
sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min nanosleep
clock_nanosleep clock_gettime clock_getres gettimeofday time times getitimer setitimer alarm pause getpid
gettid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid getpgrp getsid getrlimit
setrlimit prlimit64 getrusage getcpu sysinfo uname futex futex_waitv set_robust_list get_robust_list rseq
set_tid_address arch_prctl prctl exit exit_group restart_syscall getrandom wait4 waitid
"""
_WRITING = """
open openat creat rename renameat renameat2 mkdir mkdirat rmdir link linkat unlink unlinkat symlink symlinkat
truncate ftruncate fallocate fsync fdatasync chmod fchmod fchmodat umask utimensat sendfile copy_file_range
"""
_PROCESSES = "fork vfork execve execveat kill tkill tgkill setsid setpgid"
_O_ACCMODE_AND_CREAT = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC


def program(alone: bool) -> bytes:
    """Return the filter as a BPF program, so that the fork server needs no libseccomp.

    `alone` means that namespaces keep everything else out of reach; without them the filter allows no writing
    to files, no new processes and no signals. Raises RuntimeError if libseccomp or its binding is missing.
    """
    try:
        import pyseccomp as seccomp
    except (ImportError, RuntimeError, OSError, AttributeError) as error:
        raise RuntimeError(f"libseccomp or its binding pyseccomp is missing ({error})") from None

    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))

    def allow(names: str, *conditions: Any) -> None:
        for name in names.split():
            _add(rules, seccomp.ALLOW, name, *conditions)

    allow(_READING + _MEMORY + _ITSELF)
    for name in ("socket", "ptrace", "mount", "unshare", "setns", "process_vm_readv", "process_vm_writev"):
        _add(rules, seccomp.ERRNO(errno.EPERM), name)
    allow("socketpair", seccomp.Arg(0, seccomp.EQ, 1))  # AF_UNIX, as an event loop needs
    if alone:
        allow(_WRITING + _PROCESSES)
        allow("clone", seccomp.Arg(0, seccomp.MASKED_EQ, _ANY_NEW, 0))
    else:
        allow("open", seccomp.Arg(1, seccomp.MASKED_EQ, _O_ACCMODE_AND_CREAT, 0))
        allow("openat", seccomp.Arg(2, seccomp.MASKED_EQ, _O_ACCMODE_AND_CREAT, 0))
        allow("clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(rules: Any, action: int, name: str, *conditions: Any) -> None:
    try:
        rules.add_rule(action, name, *conditions)
    except (OSError, ValueError):  # a call that this architecture does not have
        return
