"""Connects to a port of this machine, by TCP, UDP and sockets of files, and to addresses elsewhere."""

import socket

for family, kind, address in (
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
    (socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT)),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)),
    (socket.AF_INET, socket.SOCK_STREAM, ("10.0.0.1", 80)),
    (socket.AF_UNIX, socket.SOCK_STREAM, "/var/run/docker.sock"),
    (socket.AF_UNIX, socket.SOCK_STREAM, "\0wyob-attack"),
):
    try:
        connection = socket.socket(family, kind)
        connection.settimeout(1)
        connection.connect(address)
        connection.send(b"wyob-attack")
        connection.close()
    except OSError:
        pass
try:
    socket.getaddrinfo("example.org", 80)
except OSError:
    pass
