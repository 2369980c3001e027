"""Opens packet, netlink and raw sockets, and listens on a port for a helper outside."""

import socket

for family, kind in ((17, 3), (16, 3), (socket.AF_INET, 3), (40, 1), (38, 5), (socket.AF_INET, 1)):
    try:
        connection = socket.socket(family, kind)
        if (family, kind) == (socket.AF_INET, 1):
            connection.bind(("0.0.0.0", 0))
            connection.listen()
    except OSError:
        pass
