"""Takes all the memory it can get, and touches it."""

hoard = []
while True:
    hoard.append(bytearray(50_000_000))
