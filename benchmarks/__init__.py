"""The engine side by side with its peers: `make bench`, which runs `python -m benchmarks`."""
