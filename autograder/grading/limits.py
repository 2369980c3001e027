"""What one submission may use."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Seconds of waiting for it and of CPU time; bytes of memory and files; processes; open files.

    `memory` bounds the private data of a process (PyTorch itself takes some 300 MiB of it), `address_space`
    everything that is mapped, and `all_memory` what all processes hold together. Threads count as processes.
    """

    seconds: float = 60.0
    memory: int = 1280 * MIB
    address_space: int = 4096 * MIB
    all_memory: int = 2048 * MIB
    file_size: int = 16 * MIB
    all_files: int = 32 * MIB
    processes: int = 16
    open_files: int = 128
