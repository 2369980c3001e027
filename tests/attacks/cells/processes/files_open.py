"""Opens files until there is no number left."""

hoard = []
try:
    while True:
        hoard.append(open("/dev/null"))
except OSError:
    pass
