"""The sandbox in which a submission runs, and both ends of the connection to it.

Read in this order: `levels` (how isolated a submission is), `sandbox` (starts the fork server and begins
sessions), `bwrap`, `namespaces` and `seccomp` (the isolation), `fork_server` (one process a submission),
`runner` (runs its cells and answers requests),
`client` and `budget` (requests to a process that may lie, hang or die),
`cgroup` (the kernel's count of its memory, if available).
"""
